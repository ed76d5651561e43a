// SPDX-License-Identifier: MIT
//
// Choice of the points in a record. The kept points stay in order.
#pragma once

#include <cstddef>
#include <vector>

#include "precise/memory.hpp"

namespace lanefold::detail {

// Reduces the points to `capacity` by spread, from the deepest point on.
void reduce_points(std::vector<ClipPoint>& points, std::size_t capacity);

// The same for patches: the choice stays steady while bodies move a little. `normal`: contact normal from A to B, in
// the frame of ClipPoint::middle. `slack`: length by which the deepest kept point may be shallower than the deepest
// point.
void reduce_patch_points(std::vector<ClipPoint>& points, const Vec3d& normal, std::size_t capacity, double slack);

}  // namespace lanefold::detail
