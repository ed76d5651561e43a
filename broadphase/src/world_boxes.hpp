// SPDX-License-Identifier: MIT
//
// The pose of one body of a view, and its box.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>
#include <lanefold/hull_set.hpp>

namespace lanefold::detail {

// Bodies per task. Placing the vertices of one takes 0.1 to 1 microseconds.
inline constexpr std::size_t kBodiesPerBlock = 256;

// What a body's box depends on besides the hulls.
struct BodyPose {
    Vec3d position;
    float orientation[4];
    std::uint32_t hull;
};

BodyPose pose_of(const BodyView& bodies, std::size_t i);

// The box swept by a motion. An empty one stays empty: its sides are infinite.
WorldBox swept(const WorldBox& box, const Vec3d& by);

// Whether the body can be placed.
bool has_box(std::span<const HullRecord> hulls, const BodyPose& pose);

// The body's box, grown by `growth`; empty if the body cannot be placed.
WorldBox body_box(const HullSet& hulls, const BodyPose& pose, double growth);

}  // namespace lanefold::detail
