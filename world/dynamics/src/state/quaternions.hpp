// SPDX-License-Identifier: MIT
//
// Rotations of bodies. detail/turn.hpp has those of sweeps, whose products sum in another order.
#pragma once

#include <lanefold/pose.hpp>

namespace lanefold::detail {

// A rotation as turn rows have it.
inline Quat quaternion(const float q[4]) {
    return {static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]), static_cast<double>(q[3])};
}

// A rotation p after a rotation q.
inline Quat after(const Quat& p, const Quat& q) {
    return {((p.w * q.x + p.x * q.w) + p.y * q.z) - p.z * q.y, ((p.w * q.y + p.y * q.w) + p.z * q.x) - p.x * q.z,
            ((p.w * q.z + p.z * q.w) + p.x * q.y) - p.y * q.x, p.w * q.w - ((p.x * q.x + p.y * q.y) + p.z * q.z)};
}

}  // namespace lanefold::detail
