// SPDX-License-Identifier: MIT
//
// Surfaces in pictures: the triangles whose outer side is in sight, and fewer of them where they are finer than the
// picture needs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <lanefold/pose.hpp>
#include <lanefold/surface.hpp>

#include "picture/view.hpp"

namespace lanefold::tools {

// A triangle in the picture.
struct GroundFace {
    std::array<PicturePoint, 3> corners;
    std::uint32_t colour = 0;  // 0xrrggbb
};

// Appends the triangles of a surface that show their outer side, cut at the camera's near plane, unless they lie
// beside a picture of this width and height.
void add_ground(const Surface& surface, const PoseD& pose, const Camera& camera, double width, double height,
                std::vector<GroundFace>& out);

// The visible ones among the faces, of which `pixels` shows how many pixels each has; at most about `most`. If there
// are more, corners are joined in squares of the picture until as few are left.
std::vector<GroundFace> visible_ground(const std::vector<GroundFace>& faces, const std::uint32_t* pixels,
                                       const VisibilityBuffer& buffer, std::size_t most);

}  // namespace lanefold::tools
