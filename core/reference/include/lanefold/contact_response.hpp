// SPDX-License-Identifier: MIT
//
// Contact response of particles: what contacts do to the velocities and positions of bodies. A scalar reference for
// study, for the tests and for callers who have no solver of their own; the batch calls do not need it.
//
// Source: contacts between particles, with cables and rods, after I. Millington, "Game Physics Engine
// Development", 2007: closing velocity, restitution, impulse and displacement by inverse masses, resting
// contacts, worst contact first. Linear motion only: a body is a mass at its position, so all points of a
// manifold act alike and one contact per manifold is enough. Rotation, friction and simultaneous solution belong
// to a simulation.
//
// Give the collision a margin of what bodies move in a step (0.01 to 0.05 of their size): resolving one contact pushes
// bodies into others that were a little apart, and a pile whose contacts are found only when they overlap hops from one
// half of its contacts to the other. A contact that is apart changes nothing before it touches.
//
// One contact after the other spoils its neighbours: a stack of n bodies takes about 40 n to 100 n resolutions per
// contact. The default limit lets a stack of ten come to rest; ResponseResult::limit_reached says when it did not do.
//
// Signs: the NORMAL POINTS FROM A TO B, as in our manifolds (the source has it from the second body to the
// first). A contact pushes A along -normal and B along +normal. Lengths, times and masses in the caller's units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/status.hpp>
#include <lanefold/vec.hpp>

namespace lanefold {

// Of a contact with something that is no body and never moves.
inline constexpr std::uint32_t kNoBody = 0xFFFFFFFFU;

struct ResponseContact {
    std::uint32_t a = kNoBody;
    std::uint32_t b = kNoBody;
    Vec3d normal;            // unit, from A to B
    double penetration = 0;  // how far the bodies must move apart along the normal; <= 0: they need not
    double restitution = 0;  // share of the closing velocity that comes back, 0 to 1
    // Holds in both directions (a rod): closing and separating velocity are taken away alike, and a negative
    // penetration is a distance to be closed.
    bool bilateral = false;
};

// Borrowed; equal lengths. A body with inverse mass 0 is immovable.
struct ResponseBodies {
    std::span<Vec3d> position;
    std::span<Vec3d> velocity;
    std::span<const double> inverse_mass;
    // Of the step that led here (gravity and other forces); empty: none. Only tells resting contacts apart.
    std::span<const Vec3d> acceleration;
};

enum class ResolutionOrder : std::uint8_t {
    // Positions of all contacts, worst penetration first; then velocities of all, worst closing velocity first.
    passes = 0,
    // As published: again and again the contact with the largest closing velocity of those that close or penetrate,
    // its velocity first, then its position.
    per_contact = 1,
};

struct ResponseSettings {
    double step = 0;  // duration of the step over which `acceleration` acted
    ResolutionOrder order = ResolutionOrder::passes;
    // Most contacts resolved, of each pass; 0: 1,000 per contact, which a stack of ten needs a third of.
    std::uint32_t iterations = 0;
    // Absolute, in the caller's units: penetrations and closing velocities up to these are left alone, and a larger
    // penetration is taken back to half of its tolerance. So contacts at rest stay contacts for a collision that finds
    // overlaps only, rounded to float32: above 4e-6 of a body's size. 0: bodies are moved apart to the last bit, and a
    // pile uses up all of its iterations, since worst-first approaches rest without reaching it.
    double position_tolerance = 1e-4;
    double velocity_tolerance = 1e-6;
};

struct ResponseResult {
    CallStatus status;
    std::uint32_t position_iterations = 0;
    std::uint32_t velocity_iterations = 0;
    // The limit of iterations ended the work while contacts above their tolerance were left.
    bool limit_reached = false;
    double worst_penetration = 0;  // left over
    double worst_closing = 0;
};

// Reused from call to call; no allocation once it has met the largest batch.
struct ResponseWorkspace {
    std::vector<std::uint32_t> first;    // body -> its first entry in `around`
    std::vector<std::uint32_t> around;   // contacts around each body
    std::vector<std::uint32_t> heap;     // contacts, worst first
    std::vector<std::uint32_t> place;    // contact -> its place in `heap`
    std::vector<double> severity;        // of each contact
    std::vector<std::uint8_t> touching;  // of each contact, as given: velocities change only where bodies touch
};

// (v_A - v_B) . normal: positive when the bodies approach each other.
double closing_velocity(const ResponseBodies& bodies, const ResponseContact& contact);

// Moves bodies apart, each contact by inverse masses, and changes velocities, in the order of the settings. A contact
// that is given apart (penetration below -position_tolerance) leaves velocities alone until it touches. `penetration`
// of the contacts is brought up to date. Nothing is changed when the arguments are refused (lengths, indices, masses
// or contacts that are not finite, a normal that is not unit).
ResponseResult resolve_contacts(std::span<ResponseContact> contacts, const ResponseBodies& bodies,
                                const ResponseSettings& settings, ResponseWorkspace& workspace);

// One contact per touching manifold, appended: its normal, and the overlap of its deepest point. Manifolds
// without points or with a status are passed over.
void append_contacts(std::span<const Manifold4> manifolds, double restitution, std::vector<ResponseContact>& out);
void append_contacts(std::span<const Manifold16> manifolds, double restitution, std::vector<ResponseContact>& out);

// Two particles that meet, at a given penetration: the normal is the line between them. Nothing when they are at the
// same place, which has no direction, or one of them does not exist.
std::optional<ResponseContact> particle_contact(const ResponseBodies& bodies, std::uint32_t a, std::uint32_t b,
                                                double penetration, double restitution);
// Two spheres: nothing when they are further apart than the margin, or concentric.
std::optional<ResponseContact> sphere_contact(const ResponseBodies& bodies, std::uint32_t a, std::uint32_t b,
                                              double radius_a, double radius_b, double restitution, double margin = 0);
// The contacts of all pairs of spheres within the margin, appended; `radius` per body. Returns the number of pairs
// that were passed over because they are concentric or name a body that does not exist.
std::size_t append_spheres(std::span<const Pair> pairs, const ResponseBodies& bodies, std::span<const double> radius,
                           double restitution, std::vector<ResponseContact>& out, double margin = 0);

// Two bodies, or a body and a fixed point (b = kNoBody, `anchor`).
struct Link {
    std::uint32_t a = kNoBody;
    std::uint32_t b = kNoBody;
    Vec3d anchor;            // world; only when b is kNoBody
    double length = 0;       // of a cable: at most; of a rod: exactly
    double restitution = 0;  // of a cable when it comes taut
};

// A cable is a contact when it is taut (as long as its length, or longer); slack, it is nothing.
void append_cables(std::span<const Link> cables, const ResponseBodies& bodies, std::vector<ResponseContact>& out);
// A rod always is one. Ends at the same place have no direction: the rod is passed over.
void append_rods(std::span<const Link> rods, const ResponseBodies& bodies, std::vector<ResponseContact>& out);

}  // namespace lanefold
