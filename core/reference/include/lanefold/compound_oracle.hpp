// SPDX-License-Identifier: MIT
//
// The oracle of compounds: every pair of children, each by the oracle of hulls. It shares no code with the engine.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/export.hpp>
#include <lanefold/reference.hpp>

namespace lanefold::reference {

// A child of a body: its hull and its pose in the body's frame. A body that is a hull is one child without a pose.
struct OracleChild {
    const OracleHull* hull = nullptr;
    PoseD pose;
};

// The result of signed_distance() of compounds.
struct CompoundDistance {
    double distance = 0;        // the least of all pairs of children
    std::uint32_t child_a = 0;  // the first pair that has it, by child_a, then child_b
    std::uint32_t child_b = 0;
};

// The pose of a child in the world, relative to `origin`, which is subtracted first.
LANEFOLD_EXPORT PoseD child_pose(const PoseD& body, const PoseD& child, const Vec3d& origin);

// The signed distance of two bodies of children. Poses may be far from the origin, because all computation is relative
// to a's position.
LANEFOLD_EXPORT CompoundDistance signed_distance(std::span<const OracleChild> a, const PoseD& pose_a,
                                                 std::span<const OracleChild> b, const PoseD& pose_b);

}  // namespace lanefold::reference
