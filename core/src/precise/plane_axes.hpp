// SPDX-License-Identifier: MIT
//
// Axes of the contact plane.
#pragma once

#include <cmath>

#include <lanefold/detail/contact_constants.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

// Two unit vectors perpendicular to the unit vector n, with across x along = n.
struct PlaneAxes {
    explicit PlaneAxes(const Vec3d& n)
        : across(normalized(cross(n, std::fabs(n.x) < kFlatAxis ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}))),
          along(cross(n, across)) {}

    Vec3d across;
    Vec3d along;
};

}  // namespace lanefold::detail
