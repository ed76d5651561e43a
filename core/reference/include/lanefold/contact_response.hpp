// SPDX-License-Identifier: MIT
//
// Contact response for batches: what contacts do to the velocities and positions of bodies. For callers who have
// no solver of their own and for the tests; the batch calls do not need it.
//
// Source: contacts between particles, with cables and rods, after I. Millington, "Game Physics Engine
// Development", 2007: closing velocity, restitution, impulse and displacement by inverse masses, resting
// contacts, worst contact first. Linear motion only: a body is a mass at its position, so all points of a
// manifold act alike and one contact per manifold is enough. Rotation, friction and simultaneous solution belong
// to a simulation.
//
// Signs: the NORMAL POINTS FROM A TO B, as in our manifolds (the source has it from the second body to the
// first). A contact pushes A along -normal and B along +normal. Lengths, times and masses in the caller's units.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

struct ResponseSettings {
    double step = 0;  // duration of the step over which `acceleration` acted
    // Most contacts resolved, positions and velocities apart; 0: eight per contact. Resolving one contact may
    // spoil its neighbours, so a stack needs several per contact.
    std::uint32_t iterations = 0;
    // Absolute: penetrations and closing velocities up to these are left alone. 0 lets a pile use up all of its
    // iterations, since worst-first approaches rest without reaching it.
    double position_tolerance = 1e-6;
    double velocity_tolerance = 1e-6;
};

struct ResponseResult {
    CallStatus status;
    std::uint32_t position_iterations = 0;
    std::uint32_t velocity_iterations = 0;
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

// Moves bodies apart, worst penetration first, each contact by inverse masses; then changes velocities, worst
// closing velocity first. A contact that is given apart (penetration below -position_tolerance) leaves velocities
// alone until it touches. `penetration` of the contacts is brought up to date. Nothing is changed when the
// arguments are refused (lengths, indices, masses or contacts that are not finite, a normal that is not unit).
ResponseResult resolve_contacts(std::span<ResponseContact> contacts, const ResponseBodies& bodies,
                                const ResponseSettings& settings, ResponseWorkspace& workspace);

// One contact per touching manifold, appended: its normal, and the overlap of its deepest point. Manifolds
// without points or with a status are passed over.
void append_contacts(std::span<const Manifold4> manifolds, double restitution, std::vector<ResponseContact>& out);
void append_contacts(std::span<const Manifold16> manifolds, double restitution, std::vector<ResponseContact>& out);

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
