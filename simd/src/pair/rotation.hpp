// SPDX-License-Identifier: MIT
//
// The rotation of a body in float64. One function for all that need it, so that they round alike.
#pragma once

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Rows of the rotation by the quaternion (x, y, z, w), from the body's frame to world axes. norm2: its squared length.
// The factor 2 / norm2 normalises the products without a square root.
LANEFOLD_INLINE void rotation_rows(double x, double y, double z, double w, double norm2, double* r) {
    const double s = 2.0 / norm2;
    const double xx = s * (x * x), yy = s * (y * y), zz = s * (z * z);
    const double xy = s * (x * y), xz = s * (x * z), yz = s * (y * z);
    const double wx = s * (w * x), wy = s * (w * y), wz = s * (w * z);
    r[0] = 1.0 - (yy + zz), r[1] = xy - wz, r[2] = xz + wy;
    r[3] = xy + wz, r[4] = 1.0 - (xx + zz), r[5] = yz - wx;
    r[6] = xz - wy, r[7] = yz + wx, r[8] = 1.0 - (xx + yy);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
