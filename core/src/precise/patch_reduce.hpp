// SPDX-License-Identifier: MIT
//
// Choice of the points in the record of a patch contact.
#pragma once

#include <cstddef>
#include <vector>

#include "precise/memory.hpp"

namespace lanefold::detail {

// Same as reduce_points(), for patches: the choice stays steady while bodies move a little. `normal`: contact normal
// from A to B, in the frame of ClipPoint::middle. `spread`: length by which the deepest kept point may be shallower
// than the deepest point.
void reduce_patch_points(std::vector<ClipPoint>& points, const Vec3d& normal, std::size_t capacity, double spread);

}  // namespace lanefold::detail
