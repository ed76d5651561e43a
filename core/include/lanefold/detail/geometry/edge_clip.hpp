// SPDX-License-Identifier: MIT
//
// Parametric clipping of an edge by the sides of a convex outline (M. Cyrus and J. Beck, "Generalized two- and
// three-dimensional clipping", 1978): which part of the edge is left, and which sides cut it.
#pragma once

#include <lanefold/detail/geometry/number.hpp>

namespace lanefold::detail::geometry {

// Side: how a side is named. The first side wins among equal cuts.
template <class Number, class Mask, class Side>
struct EdgeClip {
    Number t_in = Number(0.0F);
    Number t_out = Number(1.0F);
    Side side_in;  // meaningful where the first end is outside of some side, side_out where the second end is
    Side side_out;
    Mask culled = t_out < t_in;  // both ends are outside of one side

    LANEFOLD_INLINE explicit EdgeClip(Side none) : side_in(none), side_out(none) {}
    // For an edge whose parameters are others than 0 to 1.
    LANEFOLD_INLINE EdgeClip(Side none, Number first, Number last)
        : t_in(first), t_out(last), side_in(none), side_out(none) {}

    // d0, d1: distances of the two ends from a side, positive inside; o0, o1: whether an end counts as outside.
    LANEFOLD_INLINE void by_side(Side side, Number d0, Number d1, Mask o0, Mask o1) {
        at_crossing(side, d0 / (d0 - d1), o0, o1);
    }
    // `t`: where the edge crosses the side.
    LANEFOLD_INLINE void at_crossing(Side side, Number t, Mask o0, Mask o1) {
        const Mask entering = without<Mask>(o0, o1) & (t > t_in);
        const Mask leaving = without<Mask>(o1, o0) & (t < t_out);
        t_in = select(entering, t, t_in);
        side_in = select(entering, side, side_in);
        t_out = select(leaving, t, t_out);
        side_out = select(leaving, side, side_out);
        culled = culled | (o0 & o1);
    }

    // Whether a part of the edge is left.
    LANEFOLD_INLINE Mask through() const { return without<Mask>(t_in < t_out, culled); }
    // The cut parameters, clamped to the edge. If an end is beyond a side by less than the tolerance, the cut may lie
    // slightly beyond that end.
    LANEFOLD_INLINE Number clamped_in() const { return clamp01(t_in); }
    LANEFOLD_INLINE Number clamped_out() const { return clamp01(t_out); }
};

}  // namespace lanefold::detail::geometry
