// SPDX-License-Identifier: MIT
//
// Blocks cut into convex cells, like a fracture: neighbours share their faces to the last bit.
#pragma once

#include <vector>

#include <lanefold/vec.hpp>

#include "generate/random.hpp"

namespace lanefold::bench {

// The vertices of the cells of a cube of side 1 about the origin, cut by `cuts` planes one after the other: each plane
// goes through all cells that it meets. Slivers are left out.
std::vector<std::vector<Vec3f>> shatter(tools::Random& random, int cuts);

}  // namespace lanefold::bench
