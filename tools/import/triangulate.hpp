// SPDX-License-Identifier: MIT
//
// Triangles of a face that may be concave.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/vec.hpp>

namespace lanefold::tools {

// Appends the triangles of a face, counter-clockwise where it is: ears are cut off, seen along the face's normal. A
// face that crosses itself gives a fan of what is left.
void triangulate(std::span<const Vec3d> points, std::span<const std::uint32_t> face,
                 std::vector<std::array<std::uint32_t, 3>>& out);

}  // namespace lanefold::tools
