// SPDX-License-Identifier: MIT
//
// The box around points, along the axes.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include <lanefold/vec.hpp>

namespace lanefold::detail {

// The lower and the higher coordinate of two points, axis by axis.
inline Vec3d lower_of(const Vec3d& a, const Vec3d& b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
inline Vec3d upper_of(const Vec3d& a, const Vec3d& b) {
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

struct PointBox {
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();

    Vec3d low{kInfinity, kInfinity, kInfinity};
    Vec3d high{-kInfinity, -kInfinity, -kInfinity};

    PointBox() = default;
    explicit PointBox(std::span<const Vec3d> points) {
        for (const Vec3d& p : points) add(p);
    }
    void add(const Vec3d& p) { add(p, p); }
    // A box.
    void add(const Vec3d& lower, const Vec3d& upper) {
        low = lower_of(low, lower);
        high = upper_of(high, upper);
    }
    double size() const { return 0.5 * length(high - low); }
};

}  // namespace lanefold::detail
