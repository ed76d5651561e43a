// SPDX-License-Identifier: MIT
//
// Seeded pairs of poses: random ones, and coincidences at which narrowphases fail (equal rotations, right angles with
// tiny jitter, exact touching, coincident centres, containment).
#pragma once

#include <cstdint>

#include <lanefold/body.hpp>
#include <lanefold/reference.hpp>

#include "support/random.hpp"

namespace lanefold::test {

enum class PoseKind : std::uint8_t {
    random,          // any rotations, centres within reach
    aligned,         // no rotation, offsets on a coarse grid: exactly parallel and exactly touching features
    equal_rotation,  // the same random rotation on both
    right_angle,     // 45 and 90 degree turns, with jitter of 1e-7 .. 1e-2 on half of them
    touching,        // distance 0 to rounding
    shallow,         // overlapping by 1e-6 .. 1e-2 of the size
    near,            // apart by 1e-6 of the size up to twice the reach
    coincident,      // hull centres at the same place
    contained,       // centre of b anywhere inside a's middle
};
inline constexpr std::uint32_t kPoseKindCount = 9;

const char* to_string(PoseKind kind);

struct PosedPair {
    BodyD a;  // hull ids are left 0
    BodyD b;
};

// `reach`: the largest gap of PoseKind::near (about the margin of the test). With float_positions every position is a
// float32 value, so that Body and BodyD are equal.
PosedPair make_poses(PoseKind kind, const reference::OracleHull& a, const reference::OracleHull& b, double reach,
                     bool float_positions, Random& random);

PoseD pose_of(const BodyD& body);
PoseD pose_of(const Body& body);
Body to_float_body(const BodyD& body);
void set_orientation(BodyD& body, const Quat& q);
void set_orientation(Body& body, const Quat& q);
// A body of this hull whose origin is there, turned.
BodyD placed_body(std::uint32_t hull, const Vec3d& at, const Quat& turn = {});

// Middle of a hull's axis-aligned box, input coordinates.
Vec3d centre_of(const reference::OracleHull& hull);

}  // namespace lanefold::test
