// SPDX-License-Identifier: MIT
//
// Choice of the points in a record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "precise/memory.hpp"

namespace lanefold::detail {

// Reduces the points to `capacity` by spread. The kept points stay in order.
void reduce_points(std::vector<ClipPoint>& points, std::size_t capacity);
// The steps of reduce_points(). deepest_point(): index of the first of the deepest points. keep_by_spread(): fills
// kept[count ..] by spread until it has `capacity` entries. keep_only(): removes all points but the kept ones, which
// stay in order.
std::uint32_t deepest_point(const std::vector<ClipPoint>& points);
void keep_by_spread(const std::vector<ClipPoint>& points, std::size_t capacity, std::size_t count, std::uint32_t* kept);
void keep_only(std::vector<ClipPoint>& points, std::uint32_t* kept, std::size_t count);

}  // namespace lanefold::detail
