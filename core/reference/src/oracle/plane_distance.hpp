// SPDX-License-Identifier: MIT
//
// The oracle for pairs with a half-space. Private to the reference.
#pragma once

#include <lanefold/reference.hpp>

namespace lanefold::reference {

// The height of x over the plane of a half-space, both in its frame.
double height_over(const OracleHull& half_space, const Vec3d& x);

// Signed distance of a pair with one half-space or two, with the radius.
OracleResult half_space_distance(const OracleHull& a, const PoseD& pose_a, const OracleHull& b, const PoseD& pose_b);

// Separation of such a pair along a unit direction of the world, with the radius.
double half_space_separation(const OracleHull& a, const PoseD& pose_a, const OracleHull& b, const PoseD& pose_b,
                             const Vec3d& normal);

}  // namespace lanefold::reference
