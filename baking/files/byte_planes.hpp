// SPDX-License-Identifier: MIT
//
// Rows of bytes as planes: the first bytes of all rows, then the second ones, and so on. Bytes of one meaning lie side
// by side then, and a compressor finds what they have in common.
#pragma once

#include <cstddef>

namespace lanefold::tools {

// `count` rows of `width` bytes (at least 16), each `stride` behind the one before. Plane i begins at
// `planes + i * plane`. Neither reads or writes anything else.
void to_planes(const std::byte* rows, std::size_t count, std::size_t stride, std::size_t width, std::byte* planes,
               std::size_t plane);
void from_planes(const std::byte* planes, std::size_t plane, std::size_t count, std::size_t width, std::byte* rows,
                 std::size_t stride);

}  // namespace lanefold::tools
