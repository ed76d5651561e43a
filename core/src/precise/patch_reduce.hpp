// SPDX-License-Identifier: MIT
//
// Choice of the points of a patch's record.
#pragma once

#include <cstddef>
#include <vector>

#include "precise/memory.hpp"

namespace lanefold::detail {

// The same for patches, whose points stay while the body trembles. `normal`: of the contact, A to B, in the frame of
// ClipPoint::middle. The deepest point kept is at most `spread` shallower than the deepest of all.
void reduce_patch_points(std::vector<ClipPoint>& points, const Vec3d& normal, std::size_t capacity, double spread);

}  // namespace lanefold::detail
