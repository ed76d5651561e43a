// SPDX-License-Identifier: MIT
//
// Points beyond the tip of a face (geometry/tips.hpp). Points that are too far are left out.
#pragma once

#include <algorithm>
#include <cstdint>

#include <lanefold/detail/geometry/tips.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

// Distance from a corner, relative to the smaller hull, up to which points beyond it are kept. The promise for points
// is 4e-6.
inline constexpr double kTip = 1.2e-6;

// The distance for a clip whose tolerance is `inside`: a wider tolerance admits points that far from any side.
inline double tip_reach(double smaller, double inside) { return std::max(kTip * smaller, 2 * inside); }

// Whether a point within `inside` of the lines of two successive sides can be further than `reach` from their corner:
// the corner's angle is below 2 asin(inside / reach). `before` ends at the corner, `after` starts there.
inline bool is_tip(const Vec3d& before, const Vec3d& after, double inside, double reach) {
    const double turn = dot(before, after);
    const double sine = inside / reach;
    const double cosine = 1 - 2 * sine * sine;
    return turn < 0 && turn * turn > cosine * cosine * length_squared(before) * length_squared(after);
}

// A convex outline as seen along its unit normal. at(k): corner k of `count`.
template <class At>
struct TipOutline {
    std::uint32_t count;
    const At& at;
    const Vec3d& normal;

    int corners() const { return static_cast<int>(count); }
    static bool exists(int) { return true; }
    Vec3d corner(int k) const { return at(static_cast<std::uint32_t>(k) < count ? static_cast<std::uint32_t>(k) : 0); }
    Vec3d side(int k) const { return corner(k + 1) - corner(k); }
    Vec3d last_side() const { return side(corners() - 1); }
    Vec3d from_corner(int k, const Vec3d& x) const {
        const Vec3d d = x - corner(k);
        return d - normal * dot(normal, d);
    }
    static double along(const Vec3d& d, const Vec3d& e) { return dot(d, e); }
    static double square(const Vec3d& d) { return length_squared(d); }
};

struct TipPoint {
    static constexpr int kStep = 1;

    const Vec3d& x;

    static int size() { return 1; }
    const Vec3d& at(int) const { return x; }
    static bool exists(int) { return true; }
};

// Whether x is further than `reach` beyond an acute corner.
template <class At>
bool beyond_tip(std::uint32_t count, const At& at, const Vec3d& normal, const Vec3d& x, double reach) {
    return geometry::beyond_tips(TipOutline<At>{count, at, normal}, TipPoint{x}, reach * reach);
}

}  // namespace lanefold::detail
