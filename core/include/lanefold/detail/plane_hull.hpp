// SPDX-License-Identifier: MIT
//
// Convex hull of points in the plane: monotone chains (A. M. Andrew, 1979).
#pragma once

#include <cstddef>

namespace lanefold::detail {

// Corners of the convex hull of `count` points, which are sorted by u, then by v: counter-clockwise, none twice.
// `Corner` has members u and v. `is_left(p, q, r)`: does p, q, r turn left at q? Where it does not, q is no corner.
// `out` has room for 2 * count corners. Returns the number of corners: 1 where all points are equal, 2 where they are
// collinear.
template <class Corner, class IsLeft>
std::size_t plane_hull(const Corner* sorted, std::size_t count, Corner* out, const IsLeft& is_left) {
    std::size_t n = 0;
    const auto extend = [&](std::size_t base, const Corner& c) {
        while (n >= base + 2 && !is_left(out[n - 2], out[n - 1], c)) --n;
        if (n == base || out[n - 1].u != c.u || out[n - 1].v != c.v) out[n++] = c;
    };
    for (std::size_t k = 0; k < count; ++k) extend(0, sorted[k]);
    const std::size_t last = n == 0 ? 0 : n - 1;
    for (std::size_t k = count; k > 0; --k) extend(last, sorted[k - 1]);
    return n > 1 ? n - 1 : n;  // without the first corner at the end
}

// Twice the area of the triangle p, q, r; positive where it turns left at q.
template <class Corner>
double turn(const Corner& p, const Corner& q, double u, double v) {
    return (q.u - p.u) * (v - p.v) - (q.v - p.v) * (u - p.u);
}

}  // namespace lanefold::detail
