// SPDX-License-Identifier: MIT
//
// Contact response of particles: how contacts change the velocities and positions of bodies. A scalar reference for
// study, for the tests and for callers without a solver; the batch calls do not need it.
//
// Source: contacts between particles, with cables and rods, after I. Millington, "Game Physics Engine Development",
// 2007: closing velocity, restitution, impulse and displacement by inverse masses, resting contacts, worst contact
// first. Only linear motion: a body is a mass at its position, so all points of a manifold act alike and one contact
// per manifold is enough. Rotation, friction and simultaneous solution are left to a simulation (world.hpp).
//
// Find contacts with a margin as large as the motion of bodies in a step (0.01 to 0.05 of their size). Resolving one
// contact pushes bodies into others that were slightly apart. Without a margin a pile alternates between two halves of
// its contacts. A contact that is apart changes nothing before it touches.
//
// Resolving one contact worsens its neighbours: a stack of n bodies takes about 40 n to 100 n resolutions per contact.
// The default limit brings a stack of ten to rest; ResponseResult::limit_reached says if the limit was not enough.
//
// Signs: the normal points from A to B, as in manifolds (in the source from the second body to the first). A contact
// pushes A along -normal and B along +normal. Lengths, times and masses in the caller's units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/status.hpp>
#include <lanefold/vec.hpp>

namespace lanefold {

// The body of a contact with something fixed that is not a body.
inline constexpr std::uint32_t kNoBody = 0xFFFFFFFFU;

// A contact of two particles, or of a particle and the world (b = kNoBody).
struct ResponseContact {
    std::uint32_t a = kNoBody;
    std::uint32_t b = kNoBody;
    Vec3d normal;            // unit, from A to B
    double penetration = 0;  // length by which the bodies must move apart along the normal; <= 0: none
    double restitution = 0;  // ratio of separating to closing velocity, 0 to 1
    // True: the contact acts in both directions (a rod). Closing and separating velocity are both removed, and a
    // negative penetration is a distance to close.
    bool bilateral = false;
};

// Borrowed views of equal lengths. A body with inverse mass 0 is immovable.
struct ResponseBodies {
    std::span<Vec3d> position;
    std::span<Vec3d> velocity;
    std::span<const double> inverse_mass;
    // Acceleration during the last step (gravity and other forces); empty: none. It only serves to recognise resting
    // contacts.
    std::span<const Vec3d> acceleration;
};

// Which contact is resolved next.
enum class ResolutionOrder : std::uint8_t {
    // Positions of all contacts, worst penetration first; then velocities of all, worst closing velocity first.
    passes = 0,
    // As published: repeatedly the contact with the largest closing velocity among those that close or penetrate, its
    // velocity first, then its position.
    per_contact = 1,
};

// Duration, order, limits and tolerances of a resolution.
struct ResponseSettings {
    double step = 0;  // duration of the step over which `acceleration` acted
    ResolutionOrder order = ResolutionOrder::passes;
    // Largest number of resolutions of each pass; 0: 1,000 per contact, three times what a stack of ten needs.
    std::uint32_t iterations = 0;
    // Absolute, in the caller's units. Penetrations and closing velocities up to these are left as they are; a larger
    // penetration is reduced to half of its tolerance. So contacts at rest remain contacts for a collision test that
    // finds overlaps only. For positions in float32 choose it above 4e-6 of a body's size. With 0 bodies are moved
    // apart exactly, and a pile uses all iterations, because worst-first approaches rest without reaching it.
    double position_tolerance = 1e-4;
    double velocity_tolerance = 1e-6;
};

// The effort of a resolution, and what it left.
struct [[nodiscard]] ResponseResult {
    CallStatus status;
    std::uint32_t position_iterations = 0;
    std::uint32_t velocity_iterations = 0;
    // True if the limit of iterations ended the work while contacts exceeded their tolerance.
    bool limit_reached = false;
    double worst_penetration = 0;  // largest remaining penetration
    double worst_closing = 0;
};

// Reused from call to call; no allocation once it has grown to the largest batch.
struct ResponseWorkspace {
    std::vector<std::uint32_t> first;    // for each body its first entry in `around`
    std::vector<std::uint32_t> around;   // contacts around each body
    std::vector<std::uint32_t> heap;     // contacts, worst first
    std::vector<std::uint32_t> place;    // for each contact its place in `heap`
    std::vector<double> severity;        // of each contact
    std::vector<std::uint8_t> touching;  // of each contact at the start: velocities change only where bodies touch
};

// (v_A - v_B) . normal; positive if the bodies approach each other.
LANEFOLD_EXPORT double closing_velocity(const ResponseBodies& bodies, const ResponseContact& contact);

// The numbers on the way to the impulse of one contact.
struct ResponseImpulse {
    double closing = 0;
    // The part of it that the last step's acceleration built up, counted for each body as if the other were held.
    double built_up = 0;
    double separating_after = 0;  // restitution times the rest of the closing velocity
    double impulse = 0;           // along +normal on B, along -normal on A; 0 between immovable bodies
};
// The impulse that resolve_contacts() gives to a contact that touches and closes. A step of 0 and bodies without
// acceleration have nothing built up.
LANEFOLD_EXPORT ResponseImpulse contact_impulse(const ResponseBodies& bodies, const ResponseContact& contact,
                                                double step);

// Moves bodies apart, each contact by inverse masses, and changes velocities, in the order of the settings. A contact
// that is apart at first (penetration below -position_tolerance) does not change velocities until it touches.
// `penetration` of the contacts is updated. Refuses with bad_argument, and changes nothing, on wrong lengths, bad
// indices, masses or contacts that are not finite, and normals that are not unit.
LANEFOLD_EXPORT ResponseResult resolve_contacts(std::span<ResponseContact> contacts, const ResponseBodies& bodies,
                                                const ResponseSettings& settings, ResponseWorkspace& workspace);

// Appends one contact per touching manifold, with its normal and the overlap of its deepest point. Manifolds without
// points, or with a status other than ok, are skipped.
LANEFOLD_EXPORT void append_contacts(std::span<const Manifold4> manifolds, double restitution,
                                     std::vector<ResponseContact>& out);
LANEFOLD_EXPORT void append_contacts(std::span<const Manifold16> manifolds, double restitution,
                                     std::vector<ResponseContact>& out);

// The contact of two particles at a given penetration; the normal is along the line between them. nullopt if they are
// at the same place, which gives no direction, or if one of them does not exist.
LANEFOLD_EXPORT std::optional<ResponseContact> particle_contact(const ResponseBodies& bodies, std::uint32_t a,
                                                                std::uint32_t b, double penetration,
                                                                double restitution);
// The contact of two spheres; nullopt if they are further apart than the margin, or concentric.
LANEFOLD_EXPORT std::optional<ResponseContact> sphere_contact(const ResponseBodies& bodies, std::uint32_t a,
                                                              std::uint32_t b, double radius_a, double radius_b,
                                                              double restitution, double margin = 0);
// Appends the contacts of all pairs of spheres within the margin; `radius`: one per body. Returns the number of pairs
// that are skipped because they are concentric or name a body that does not exist.
LANEFOLD_EXPORT std::size_t append_spheres(std::span<const Pair> pairs, const ResponseBodies& bodies,
                                           std::span<const double> radius, double restitution,
                                           std::vector<ResponseContact>& out, double margin = 0);

// A cable or rod between two bodies, or between a body and a fixed point (b = kNoBody, `anchor`).
struct Link {
    std::uint32_t a = kNoBody;  // must be a body
    std::uint32_t b = kNoBody;
    Vec3d anchor;            // world; only when b is kNoBody
    double length = 0;       // of a cable: the largest; of a rod: the exact one
    double restitution = 0;  // of a cable when it becomes taut
};

// Appends a contact for each taut cable (at least as long as its length). A slack cable gives none. Refuses with
// bad_argument, and appends nothing, a cable that names a body that does not exist, itself or kNoBody as `a`, whose
// length is not finite or negative, whose restitution is not within 0 and 1, or whose ends are not finite; `where` is
// the cable's index.
LANEFOLD_EXPORT CallStatus append_cables(std::span<const Link> cables, const ResponseBodies& bodies,
                                         std::vector<ResponseContact>& out);
// Appends a contact for each rod. A rod with both ends at the same place has no direction and is skipped. Refuses what
// append_cables refuses, except that a rod's restitution is not read.
LANEFOLD_EXPORT CallStatus append_rods(std::span<const Link> rods, const ResponseBodies& bodies,
                                       std::vector<ResponseContact>& out);

}  // namespace lanefold
