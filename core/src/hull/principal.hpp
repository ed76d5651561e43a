// SPDX-License-Identifier: MIT
//
// Principal axes of inertia.
#pragma once

#include <lanefold/pose.hpp>

namespace lanefold::detail {

// Rotation R and ascending moments of a symmetric matrix: inertia = R diag(moments) R^T.
void principal_axes(const Mat3d& inertia, Mat3d& axes, Vec3d& moments);

}  // namespace lanefold::detail
