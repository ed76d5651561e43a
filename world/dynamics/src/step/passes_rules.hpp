// SPDX-License-Identifier: MIT
//
// How deep bodies may come into each other within a step, and which motion is fast.
#pragma once

#include <algorithm>
#include <limits>

#include <lanefold/body.hpp>
#include <lanefold/detail/surface_block.hpp>
#include <lanefold/manifold.hpp>

#include "state/world_state.hpp"

namespace lanefold::detail {

// A pair is looked at if any two of its points may have moved, against each other, by more than this share of the
// thinner body's thickness in the step: less leaves the bodies on their sides.
inline constexpr float kFast = 0.5F;
// A contact is left out of the solver if the points may move by more than this share of the thinner body's thickness.
inline constexpr float kLeft = 1;
// Bodies are apart beyond this share of the allowed overlap. Where they stop they are nearer, so that the next step
// solves their contact.
inline constexpr double kApart = 0.25;
// The share of the thinner body's thickness by which the two may overlap on their way. With half of it or more the way
// out could be the other side.
inline constexpr double kAllowed = 0.25;
// A pair that overlaps by more when the step begins may do so by this share of the allowance more.
inline constexpr double kFurther = 0.25;

// Two parts that are followed: their bodies and, of compounds, the child of each; 0 of other bodies.
struct PartPair {
    Pair body;
    std::uint32_t child_a = 0;
    std::uint32_t child_b = 0;

    friend bool operator==(const PartPair&, const PartPair&) = default;
};

inline PartPair parts_of(const Manifold4& m) { return {{m.pair[0], m.pair[1]}, m.child_a, m.child_b}; }

inline bool is_surface(const WorldState& world, std::uint32_t body) {
    return is_surface(world.hulls[world.bodies.hull(body)]);
}

// The thickness of a body or a child of it. A surface has only one side, so it can be as deep as any body is thick;
// a half-space has none that counts: the plane of its contact holds for all of it.
inline float thickness(const WorldState& world, std::uint32_t body, std::uint32_t child) {
    return is_surface(world, body) ? std::numeric_limits<float>::max() : world.bodies.part(body, child).size;
}

// That of the thinner part.
inline float thickness(const WorldState& world, const PartPair& parts) {
    return std::min(thickness(world, parts.body.a, parts.child_a), thickness(world, parts.body.b, parts.child_b));
}

// The overlap that a step may make. It is more than what distances are exact to (docs/contract.md: 2e-6 of the larger
// body, and an orientation of float32 moves a body's points by 3e-7 of their distance from its origin).
inline double allowed_depth(const WorldState& world, const PartPair& parts) {
    const Bodies& bodies = world.bodies;
    const Pair& pair = parts.body;
    const CompoundPart part_a = bodies.part(pair.a, parts.child_a), part_b = bodies.part(pair.b, parts.child_b);
    const auto of = [](float x) { return static_cast<double>(x); };
    const auto lever = [&](std::uint32_t i) { return of(length(bodies.mass(i).centre)) + of(bodies.radius(i)); };
    const double a = of(part_a.reach), b = of(part_b.reach);
    const double exact =
        2e-6 * std::min(std::max(a, b), 64 * std::min(a, b)) + 3e-7 * std::min(lever(pair.a), lever(pair.b));
    constexpr double kTimesExact = 8;
    return std::max(kAllowed * of(thickness(world, parts)), kTimesExact * exact);
}

// The least signed distance of a pair that begins with this one.
inline double deepest_allowed(double distance, double allowed, bool apart) {
    if (apart && distance > 0) return 0;
    return std::min(-allowed, distance - kFurther * allowed);
}

}  // namespace lanefold::detail
