// SPDX-License-Identifier: MIT
//
// Points beyond the tip of a face. A clip counts points as inside of a face that are outside of the lines of its sides
// by a tolerance. Beyond a corner of the angle w such a point may be 1 / sin(w / 2) times as far from the face. The
// points beyond a tip are those nearest to the corner: beyond the end of the side before it and in front of the start
// of the side after it. Only acute corners have such points within the tolerance of both lines at a distance.
#pragma once

#include <lanefold/detail/geometry/number.hpp>

namespace lanefold::detail::geometry {

// Whether one of the points is further beyond an acute corner of the outline than the root of `reach2`.
//
//   Outline: corners(), exists(k), side(k) from corner k to the next, last_side(), which ends at corner 0;
//            from_corner(k, x), the vector to a place in the plane of the outline; along(d, e) and square(d) of vectors
//   Points:  size(), kStep, at(i), exists(i), as in spread.hpp
template <class Outline, class Points, class Number>
LANEFOLD_INLINE auto beyond_tips(const Outline& face, const Points& points, Number reach2) {
    const Number zero(0.0F);
    auto beyond = zero < zero;  // NOLINT(misc-redundant-expression): no lanes
    auto before = face.last_side();
    for (int k = 0; k < face.corners(); ++k) {
        const auto after = face.side(k);
        const auto real = face.exists(k);
        const auto acute = (face.along(before, after) < zero) & real;
        if (any(acute)) {
            for (int i = 0; i < points.size(); i += Points::kStep) {
                const auto d = face.from_corner(k, points.at(i));
                beyond = beyond | (acute & points.exists(i) & (face.along(before, d) > zero) &
                                   (face.along(after, d) < zero) & (face.square(d) > reach2));
            }
        }
        before = select(real, after, before);
    }
    return beyond;
}

}  // namespace lanefold::detail::geometry
