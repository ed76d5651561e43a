// SPDX-License-Identifier: MIT
//
// The only header and source that use Qhull. They take only the triangles' vertex sets from its result.
#pragma once

#include <span>
#include <vector>

#include <lanefold/vec.hpp>

#include "hull/surface.hpp"

namespace lanefold::detail {

// Corner indices of Qhull's triangulated facets, in no particular order; empty if Qhull failed. `centre` and `scale` (a
// power of two) map the points near the unit box around the origin.
std::vector<Triangle> qhull_triangles(std::span<const Vec3d> points, const Vec3d& centre, double scale);

}  // namespace lanefold::detail
