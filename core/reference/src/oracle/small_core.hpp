// SPDX-License-Identifier: MIT
//
// The oracle for pairs with a core that is a point or a segment. Private to the reference.
#pragma once

#include <lanefold/reference.hpp>

namespace lanefold::reference {

// Whether a hull's core is a point or a segment.
inline bool is_small(const OracleHull& h) { return h.triangles.empty(); }

// The signed distance of two cores, of which one or both are small.
OracleResult small_core_distance(const OracleHull& a, const PoseD& pose_a, const OracleHull& b, const PoseD& pose_b);

// Distance of x from a small core, both in the core's frame.
double distance_to_small_core(const OracleHull& h, const Vec3d& x);

}  // namespace lanefold::reference
