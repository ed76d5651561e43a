// SPDX-License-Identifier: MIT
//
// See the header. A mirrored rotation M R M turns about -M a where R turns about a: of a quaternion the components
// across the mirrored axis change sign.

#include "export/axes.hpp"

namespace lanefold::tools {

Axes::Axes(const SceneInfo& info, bool exchange_x_up) : up_(info.up_axis()) {
    if (info.is_left_handed()) mirror_ = up_ == 1 ? 2 : 1;
    if (!exchange_x_up || up_ != 0) return;
    from_ = {2, 0, 1};
    up_ = 1;
}

Vec3d Axes::vector(const Vec3d& v) const {
    std::array<double, 3> c{v.x, v.y, v.z};
    if (mirrored()) c[static_cast<std::size_t>(mirror_)] = -c[static_cast<std::size_t>(mirror_)];
    return {c[from_[0]], c[from_[1]], c[from_[2]]};
}

std::array<float, 4> Axes::quaternion(const float q[4]) const {
    std::array<float, 3> c{q[0], q[1], q[2]};
    for (std::size_t i = 0; i < 3; ++i) {
        if (mirrored() && i != static_cast<std::size_t>(mirror_)) c[i] = -c[i];
    }
    return {c[from_[0]], c[from_[1]], c[from_[2]], q[3]};
}

}  // namespace lanefold::tools
