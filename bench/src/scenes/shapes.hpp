// SPDX-License-Identifier: MIT
//
// Hulls with an exact number of vertices. The generator of scenes gives a range only.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/vec.hpp>

#include "generate/random.hpp"

namespace lanefold::bench {

// `count` points spread over an ellipsoid, every one of them a vertex: triangles only, 2 count - 4 faces.
std::vector<Vec3f> rock_points(tools::Random& random, std::size_t count);

}  // namespace lanefold::bench
