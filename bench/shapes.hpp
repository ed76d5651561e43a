// SPDX-License-Identifier: MIT
//
// Points of the hulls in synthetic scenes, about a metre across.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/vec.hpp>

#include "random.hpp"

namespace lanefold::bench {

// Half extents 0.25 to 0.6 m, sides along the axes.
std::vector<Vec3f> box_points(Random& random);

// A block cut by random planes, as broken stone: polygonal faces, 8 to 32 vertices.
std::vector<Vec3f> debris_points(Random& random);

// `count` points spread over an ellipsoid, every one of them a vertex: triangles only, 2 count - 4 faces.
std::vector<Vec3f> rock_points(Random& random, std::size_t count);

}  // namespace lanefold::bench
