// SPDX-License-Identifier: MIT
//
// The start of the bodies of a generated scene: in bins with a floor and four walls, each above its bin in
// layers, so that no two touch at the start and the pile grows while they fall. y is up, unit metres.
//
// A large scene has several bins side by side. Bins do not touch each other, so they can be simulated at the same time,
// each with the same result as alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::tools {

// Most bodies in one bin. Thousands of bodies make a deep pile. With more, the slowest bin alone would take most of the
// running time.
inline constexpr std::uint32_t kBodiesPerBin = 2500;

struct StartPose {
    Vec3d position;  // relative to the bin
    Quat orientation;
    Vec3d velocity;
    Vec3d spin;  // angular velocity
};

// An immovable box: floor or wall.
struct Slab {
    Vec3d centre;  // relative to the bin
    Vec3d half;
};

struct Bin {
    Vec3d position;           // of the middle of its floor, in the world
    double half_width = 0;    // of the space between the walls
    double height = 0;        // of the walls
    std::uint32_t first = 0;  // its bodies are first .. first + start.size()
    std::vector<StartPose> start;
    std::vector<Slab> slabs;  // floor first
};

// body_hull: the hull of each body. The result depends on the arguments only.
std::vector<Bin> lay_out(const HullSet& hulls, std::span<const std::uint32_t> body_hull, std::uint64_t seed);

}  // namespace lanefold::tools
