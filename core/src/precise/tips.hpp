// SPDX-License-Identifier: MIT
//
// Points beyond the tip of a face. The clip counts points as inside of a face that are outside of the lines of its
// sides by a tolerance. Beyond a corner of the angle w such a point may be 1 / sin(w / 2) times as far from the face,
// so points that are too far are left out. The lanes test for the same (simd/src/contact/tips.hpp).
#pragma once

#include <algorithm>
#include <cstdint>

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

// Whether x, seen along the unit normal of a convex outline, is further than `reach` beyond an acute corner: beyond the
// end of the side before it, and in front of the start of the side after it. at(k): corner k of `count`.
template <class At>
bool beyond_tip(std::uint32_t count, const At& at, const Vec3d& normal, const Vec3d& x, double reach) {
    Vec3d last = at(count - 1);
    for (std::uint32_t k = 0; k < count; ++k) {
        const Vec3d corner = at(k);
        const Vec3d before = corner - last;
        const Vec3d after = at(k + 1 < count ? k + 1 : 0) - corner;
        last = corner;
        if (!(dot(before, after) < 0)) continue;
        const Vec3d d = x - corner - normal * dot(normal, x - corner);
        if (dot(before, d) > 0 && dot(after, d) < 0 && length_squared(d) > reach * reach) return true;
    }
    return false;
}

}  // namespace lanefold::detail
