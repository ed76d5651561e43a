// SPDX-License-Identifier: MIT
//
// From the axes of a scene to those of a file. Left-handed axes are mirrored for formats that are right-handed; axes
// are exchanged for formats that know fewer directions of up.
#pragma once

#include <array>

#include <lanefold/pose.hpp>

#include "scene/info.hpp"

namespace lanefold::tools {

class Axes {
public:
    Axes() = default;

    // Right-handed axes: left-handed ones are mirrored along the axis after the up axis (z for y up, y for z up).
    // exchange_x_up: x up becomes y up by a turn of the axes, because the format has no x up.
    Axes(const SceneInfo& info, bool exchange_x_up);

    bool mirrored() const { return mirror_ >= 0; }
    bool exchanged() const { return from_[0] != 0; }
    int up() const { return up_; }

    Vec3d vector(const Vec3d& v) const;
    // x, y, z, w.
    std::array<float, 4> quaternion(const float q[4]) const;

private:
    std::array<std::size_t, 3> from_{0, 1, 2};  // axis i of the file is axis from_[i] of the scene
    int mirror_ = -1;                           // of the scene's axes
    int up_ = 1;                                // of the file's
};

}  // namespace lanefold::tools
