// SPDX-License-Identifier: MIT
//
// Seeded shapes for the tests: shapes of rubble, piles and machines, and shapes that broke comparable systems (slabs,
// needles, coplanar and nearly coplanar faces, round hulls).
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
    pebble,  // 8..12 points in a stretched ball; not among the kShapeCount shapes that seeded tests use in turn
    // Very thin shapes (thin_shapes.cpp), down to 1e-12 of the width. They are not among the kShapeCount shapes,
    // either.
    plate,      // a box, prism or cloud, flattened
    thread,     // the same, flattened twice
    blade,      // a wedge whose edge is a sliver
    lens,       // a rough cloud, flattened: every face nearly in one plane
    sliver,     // a tetrahedron or a fan of them with nearly collinear corners
    bevelled,   // a box or prism with edges and corners cut off very slightly: short edges, narrow faces
    dented,     // a box or prism with points almost on its faces: nearly coplanar neighbours
    splinter,   // a cloud with one or two points pulled far out
    twin_ends,  // points doubled at a tiny distance: the shortest edges that float32 can represent
    // Cores of spheres and capsules, which always have a radius. Not among the kShapeCount shapes, either.
    point,
    segment,
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

// How hulls are rounded: part of them, by radii in units of their scale.
struct Rounding {
    double part = 0;
    double least = 0;
    double most = 0;
};

// Hulls as the engine has them, and the oracle's hulls of the same stored vertices.
struct Library {
    HullSet hulls;
    std::vector<reference::OracleHull> oracle;
    std::vector<Shape> shapes;
    std::size_t refused = 0;  // thin shapes drawn that are flat to the builder
    // The points that the hulls were built from, for captures: the vertices of some thin hulls build another hull.
    Points points;
    std::vector<std::uint64_t> offsets;

    std::size_t size() const { return oracle.size(); }
};

// Builds every list of points. A failure of the builder or the oracle ends the test program with a message, because a
// generator must not make bad hulls.
// `radii`: the rounding of each hull, or none.
Library build_library(std::span<const Points> points, std::span<const float> radii = {});

// `count` hulls of the given shapes in turn, with a random scale in [min_scale, max_scale]. One in four lies up to
// three sizes away from its own input origin. Thin shapes that the builder refuses are drawn again; Library::refused
// counts them.
Library random_library(std::uint64_t seed, std::uint32_t count, std::span<const Shape> shapes, double min_scale = 0.3,
                       double max_scale = 3.0, const Rounding& rounding = {});

// The thin shapes.
std::span<const Shape> thin_shapes();
// Points of a thin shape, about the origin; the builder may refuse them as flat.
Points make_thin_points(Shape shape, Random& random);
// Which decade of thickness (across any plane, least, relative to size) a hull lies in: 0 for 0.1 to 1, 1 for 0.01 to
// 0.1, ...
int thickness_decade(const reference::OracleHull& hull);

// All shapes up to about 64 vertices.
std::span<const Shape> small_shapes();
std::span<const Shape> all_shapes();

}  // namespace lanefold::test
