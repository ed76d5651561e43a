// SPDX-License-Identifier: MIT
//
// Choice of the points of a record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "precise/memory.hpp"

namespace lanefold::detail {

// Chooses `capacity` of the points by spread; keeps them in order at the front of the vector.
void reduce_points(std::vector<ClipPoint>& points, std::size_t capacity);
// Its steps. The first of the deepest points; chooses kept[count ..] up to `capacity` by spread; leaves only the kept
// ones, in order.
std::uint32_t deepest_point(const std::vector<ClipPoint>& points);
void keep_by_spread(const std::vector<ClipPoint>& points, std::size_t capacity, std::size_t count, std::uint32_t* kept);
void keep_only(std::vector<ClipPoint>& points, std::uint32_t* kept, std::size_t count);

}  // namespace lanefold::detail
