// SPDX-License-Identifier: MIT
//
// Reduction of manifolds whose points are in space to four, lanes = manifolds. The rule and the expressions are those
// of record/reduce.hpp, so both choose the same points.
#pragma once

#include "record/reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The points of kWidth manifolds.
struct LaneCloud {
    WVec3 x[kQueuedPoints];
    WFloat separation[kQueuedPoints];
    WInt count;
    int used;  // the largest count, or more
};

// A point of each manifold.
struct LaneChoice {
    WInt index;
    WVec3 x;
};

// The points chosen so far.
struct LaneChosen {
    const LaneCloud& points;
    WInt index[4];
    int count = 0;

    // Adds the point with the largest gain above `least` among the others; the first on ties. `gain`: of point c.
    template <class Gain>
    LANEFOLD_INLINE WVec3 add_best(WFloat least, const Gain& gain) {
        LaneChoice best = {WInt(0), points.x[0]};
        for (int c = 0; c < points.used; ++c) {
            const WInt i(c);
            WMask open = i < points.count;
            for (int k = 0; k < count; ++k) open = open & ~(i == index[k]);
            const WFloat g = gain(c);
            const WMask better = open & (g > least);
            least = select(better, g, least);
            best.index = select(better, i, best.index);
            best.x = select(better, points.x[c], best.x);
        }
        index[count++] = best.index;
        return best.x;
    }
};

LANEFOLD_INLINE void put_in_order(WInt& a, WInt& b) {
    const WMask swap = b < a;
    const WInt low = select(swap, b, a);
    b = select(swap, a, b);
    a = low;
}

// Chooses four of the points of each manifold that has more, otherwise the first four places; `kept` receives ascending
// indices. n: unit normals.
inline void spread_lanes(const LaneCloud& p, const WVec3& n, WInt* kept) {
    LaneChosen chosen = {p, {WInt(0), WInt(0), WInt(0), WInt(0)}};
    const WFloat least = splat(-1.0F);
    const WVec3 a =
        chosen.add_best(splat(kLowest), [&](int c) LANEFOLD_INLINE_LAMBDA { return negate(p.separation[c]); });
    const WVec3 b = chosen.add_best(least, [&](int c) LANEFOLD_INLINE_LAMBDA {
        const WVec3 d = in_plane(p.x[c] - a, n);
        return dot(d, d);
    });
    const WVec3 ab = b - a;
    const WVec3 third =
        chosen.add_best(least, [&](int c) LANEFOLD_INLINE_LAMBDA { return abs(dot(n, cross(ab, p.x[c] - a))); });
    // Counter-clockwise triangle about n.
    const WMask flip = dot(n, cross(ab, third - a)) < splat(0.0F);
    const WVec3 p1 = select(flip, third, b);
    const WVec3 p2 = select(flip, b, third);
    const WVec3 side0 = p1 - a;
    const WVec3 side1 = p2 - p1;
    const WVec3 side2 = a - p2;
    chosen.add_best(least, [&](int c) LANEFOLD_INLINE_LAMBDA {
        const WFloat e0 = negate(dot(n, cross(side0, p.x[c] - a)));
        const WFloat e1 = negate(dot(n, cross(side1, p.x[c] - p1)));
        const WFloat e2 = negate(dot(n, cross(side2, p.x[c] - p2)));
        return max(max(max(e0, e1), e2), splat(0.0F));
    });
    WInt* const k = chosen.index;
    put_in_order(k[0], k[1]);
    put_in_order(k[2], k[3]);
    put_in_order(k[0], k[2]);
    put_in_order(k[1], k[3]);
    put_in_order(k[1], k[2]);
    const WMask crowded = WInt(4) < p.count;
    for (int i = 0; i < 4; ++i) kept[i] = select(crowded, k[i], WInt(i));
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
