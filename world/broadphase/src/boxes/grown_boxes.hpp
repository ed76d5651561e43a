// SPDX-License-Identifier: MIT
//
// World boxes that are larger than a body's: what fat boxes are made of.
#pragma once

#include <algorithm>

#include <lanefold/broadphase.hpp>

namespace lanefold::detail {

// Longest side that a body's slack depends on, so that the slack stays finite.
inline constexpr double kLongestSide = 1e30;

inline double longest_side(const WorldBox& box) {
    const Vec3d side = box.upper - box.lower;
    return std::min(std::max({side.x, side.y, side.z}), kLongestSide);
}

inline WorldBox grown_by(const WorldBox& box, double by) {
    return {box.lower - Vec3d{by, by, by}, box.upper + Vec3d{by, by, by}};
}

// The box swept by a motion.
inline WorldBox swept(const WorldBox& box, const Vec3d& by) {
    return {box.lower + Vec3d{std::min(by.x, 0.0), std::min(by.y, 0.0), std::min(by.z, 0.0)},
            box.upper + Vec3d{std::max(by.x, 0.0), std::max(by.y, 0.0), std::max(by.z, 0.0)}};
}

}  // namespace lanefold::detail
