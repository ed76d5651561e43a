// SPDX-License-Identifier: MIT
//
// Bodies that are thrown: shapes of every size, their floor, and how many of them a sweep takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <lanefold/hull_builder.hpp>

#include "support/random.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {

// Half the side of the floor of a body of this size: distances have the accuracy of the larger hull.
inline double floor_half(double size) { return std::max(2.0, 20 * size); }

// LANEFOLD_THROWS: so many of each kind, instead of what takes seconds.
inline std::uint32_t throws_count(std::uint32_t usual) {
    const char* text = std::getenv("LANEFOLD_THROWS");
    return text == nullptr ? usual : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

// A shape whose points are at most about `size` from its origin.
inline Points small_points(Random& random, double size) {
    constexpr Shape kShapes[] = {Shape::box,    Shape::tetrahedron, Shape::wedge, Shape::prism,
                                 Shape::debris, Shape::rock,        Shape::slab,  Shape::cylinder};
    const Points points = make_points(kShapes[random.index(8)], random);
    double radius = 0;
    for (const Vec3f& p : points) radius = std::max(radius, length(to_double(p)));
    return transformed(points, size / radius, Quat{0, 0, 0, 1}, {0, 0, 0});
}

// Hull 0 is the floor, a cube with its top at its position plus floor_half(size); then `shapes`.
inline HullSet throw_hulls(const std::vector<Points>& shapes, double size) {
    const double half = floor_half(size);
    std::vector<Points> all{box_points(half, half, half)};
    all.insert(all.end(), shapes.begin(), shapes.end());
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    for (const Points& p : all) {
        points.insert(points.end(), p.begin(), p.end());
        offsets.push_back(points.size());
    }
    const BuildResult built = build_hulls(points, offsets);
    EXPECT_TRUE(built);
    return built.hulls;
}

}  // namespace lanefold::test
