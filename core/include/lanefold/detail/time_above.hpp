// SPDX-License-Identifier: MIT
//
// For how long do points that move stay above a plane? The height of each is known now, its rate is known, and its
// acceleration is bounded: less the bound it is a parabola, whose first zero has a closed form. Internal.
#pragma once

#include <cmath>
#include <cstddef>

namespace lanefold::detail {

// Heights of points along an axis, and how they change.
struct MovingHeights {
    const double* height = nullptr;
    const double* rate = nullptr;
    std::size_t count = 0;
};

// The point of the least (sign 1) or greatest (sign -1) height; the lowest index of a tie.
inline std::size_t extreme(const MovingHeights& h, double sign) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < h.count; ++i) best = sign * h.height[i] < sign * h.height[best] ? i : best;
    return best;
}

// A parabola c + r s - b s^2 with c >= 0 and b >= 0: its zero above 0, if it has one.
inline double zero_of(double c, double r, double b) {
    const double root = std::sqrt(r * r + 4.0 * (b * c));
    return r < 0 ? 2.0 * c / (root - r) : (r + root) / (2.0 * b);
}

// The time up to which all heights, times sign, stay above a plane, at most `span`. For point i their distance is
// (from + sign height) + (rate + sign rate_i) s - bend s^2, with a distance now that is not below zero.
inline double time_above(const MovingHeights& h, double sign, double from, double rate, double bend, double span) {
    double time = span;
    for (std::size_t i = 0; i < h.count; ++i) {
        const double c = from + sign * h.height[i];
        const double r = rate + sign * h.rate[i];
        // A parabola that is not below zero now and then is above it in between.
        if (c + time * (r - bend * time) >= 0) continue;
        time = c > 0 ? zero_of(c, r, bend) : 0.0;
    }
    return time;
}

}  // namespace lanefold::detail
