// SPDX-License-Identifier: MIT
//
// Our own convex hull with exact decisions: quickhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The quickhull
// algorithm for convex hulls", 1996) with the globally furthest point first. It finds every hull. A vertex budget stops
// it early.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/vec.hpp>

#include "hull/hull_surface.hpp"

namespace lanefold::detail {

// A point that is outside when the budget is used up, and a triangle of the surface below it.
struct OutsidePoint {
    std::uint32_t point = 0;
    std::uint32_t triangle = 0;
};

struct IncrementalHull {
    TriangleSurface surface;
    std::vector<OutsidePoint> outside;  // empty unless the budget stopped it
};

// Points must be distinct float32 values, start[3] strictly above the plane of start[0..2]. Stops when `max_vertices`
// (at least 4) points are used. The surface may contain points inside faces and edges, and coplanar triangles, but no
// triangles without area. The lowest index comes first among equal heights.
IncrementalHull incremental_hull(std::span<const Vec3d> points, const std::array<std::uint32_t, 4>& start,
                                 std::uint32_t max_vertices = kNone);

// Largest Euclidean distance of the outside points from the surface.
double outside_distance(std::span<const Vec3d> points, const IncrementalHull& hull);

}  // namespace lanefold::detail
