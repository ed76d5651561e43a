// SPDX-License-Identifier: MIT
//
// Reduction of manifolds whose points are in space to four by spread, lanes = manifolds. The expressions are those of
// record/reduce.hpp, so both choose the same points.
#pragma once

#include "record/lane_reduce.hpp"
#include "record/reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// A point of kWidth manifolds.
struct LaneCloudPoint {
    WVec3 x;
    WFloat separation;
    WMask valid;
};

struct LaneCloudPlaces : InSpace {
    static LANEFOLD_INLINE const WVec3& place(const LaneCloudPoint* points, int c) { return points[c].x; }
};

// The points of kWidth manifolds.
struct LaneCloud {
    LaneCloudPoint point[kQueuedPoints];
    WInt count;
    int used;  // the largest count, or more
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
    LaneCandidates<LaneCloudPoint, LaneCloudPlaces, 0> set(p.point, p.used, {{n}});
    geometry::take_by_spread(set, set.take(geometry::deepest_of(set)));
    WInt* const k = set.index;
    put_in_order(k[0], k[1]);
    put_in_order(k[2], k[3]);
    put_in_order(k[0], k[2]);
    put_in_order(k[1], k[3]);
    put_in_order(k[1], k[2]);
    const WMask crowded = WInt(4) < p.count;
    for (int i = 0; i < 4; ++i) kept[i] = select(crowded, k[i], WInt(i));
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
