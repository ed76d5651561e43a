// SPDX-License-Identifier: MIT
//
// Closest points of primitives in float64, for the oracle. Private to the reference.
#pragma once

#include <cmath>

#include <lanefold/vec.hpp>

namespace lanefold::reference {

// Closest point of the triangle (a, b, c) to p (C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.5). The
// triangle must have an area.
Vec3d closest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);

// Vector from the closest point of the segment (p0, p1) to the closest point of the segment (q0, q1).
// Parallel and zero-length segments are allowed.
Vec3d segment_to_segment(const Vec3d& p0, const Vec3d& p1, const Vec3d& q0, const Vec3d& q1);

}  // namespace lanefold::reference
