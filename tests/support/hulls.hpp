// SPDX-License-Identifier: MIT
//
// Seeded shapes for the tests: what rubble, piles and machines are made of, and the shapes that broke
// comparable systems (slabs, needles, coplanar and nearly coplanar faces, round hulls).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/hull_set.hpp>
#include <lanefold/reference.hpp>

#include "support/random.hpp"

namespace lanefold::test {

using Points = std::vector<Vec3f>;

enum class Shape : std::uint8_t {
    box,          // along its input axes
    rotated_box,  // any rotation, rounded to float32
    tetrahedron,
    wedge,     // half a box
    prism,     // 3..12 sides, exactly coplanar lids
    slab,      // thickness 1e-3..1e-2 of its width
    needle,    // width 1e-3..1e-2 of its length
    debris,    // 8..32 points in a stretched ball
    rock,      // 32..64 points near an ellipsoid
    big,       // 128..250 points near a sphere
    cylinder,  // 8..48 sides
    sphere,    // rings of coplanar quads
    octahedron,
    pebble,  // 8..12 points in a stretched ball; not among the kShapeCount that seeded tests go through in turn
};
inline constexpr std::uint32_t kShapeCount = 13;

const char* to_string(Shape shape);

// Points of one hull, about the origin, half diagonal of the order of 1.
Points make_points(Shape shape, Random& random);

// x -> rotation * (x * scale) + offset, rounded to float32 once.
Points transformed(const Points& points, double scale, const Quat& q, const Vec3d& offset);

// The eight corners of a box.
Points box_points(double hx, double hy, double hz);
// A regular n-gon of circumradius r in x, y, from -half_height to half_height along z.
Points prism_points(std::uint32_t sides, double radius, double half_height);

// Hulls as the engine has them, and the oracle's hulls of the same stored vertices.
struct Library {
    HullSet hulls;
    std::vector<reference::OracleHull> oracle;
    std::vector<Shape> shapes;

    std::size_t size() const { return oracle.size(); }
};

// Builds every list of points; any failure of the builder or the oracle ends the test program with a message
// (a generator must not make bad hulls).
Library build_library(std::span<const Points> points);

// `count` hulls of the given shapes in turn: random scale in [min_scale, max_scale], and one in four placed
// up to three sizes away from its own input origin.
Library random_library(std::uint64_t seed, std::uint32_t count, std::span<const Shape> shapes, double min_scale = 0.3,
                       double max_scale = 3.0);

// All shapes up to about 64 vertices.
std::span<const Shape> small_shapes();
std::span<const Shape> all_shapes();

}  // namespace lanefold::test
