// SPDX-License-Identifier: MIT
//
// The only file pair that includes Qhull. It takes the triangles' vertex sets and nothing else from the result.
#pragma once

#include <span>
#include <vector>

#include <lanefold/vec.hpp>

#include "build/surface.hpp"

namespace lanefold::detail {

// Corner indices of Qhull's triangulated facets, in no particular order; empty when Qhull failed. `centre`
// and `scale` (a power of two) bring the points near the unit box around the origin.
std::vector<Triangle> qhull_triangles(std::span<const Vec3d> points, const Vec3d& centre, double scale);

}  // namespace lanefold::detail
