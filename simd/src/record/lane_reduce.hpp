// SPDX-License-Identifier: MIT
//
// Reduction of contact candidates to four, lanes = pairs: the rule of record/reduce.hpp on points given in two
// coordinates of the contact plane, masks instead of indices.
#pragma once

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// One candidate of kWidth pairs.
struct LanePoint {
    WFloat u, v;  // contact plane
    WFloat separation;
    WMask valid;
};

// The candidate with the largest gain among the valid ones that are not taken; first on ties. `gain` is called
// with a candidate.
template <class Gain>
LANEFOLD_INLINE WInt best_candidate(const LanePoint* p, int count, const WMask* taken, const Gain& gain) {
    WFloat best(-1.0F);
    WInt index(-1);
    for (int c = 0; c < count; ++c) {
        const WFloat g = gain(p[c]);
        const WMask better = p[c].valid & ~taken[c] & (g > best);
        best = select(better, g, best);
        index = select(better, WInt(c), index);
    }
    return index;
}

LANEFOLD_INLINE void take(const LanePoint* p, int count, WInt index, WMask* taken, WFloat& u, WFloat& v) {
    u = splat(0.0F);
    v = splat(0.0F);
    for (int c = 0; c < count; ++c) {
        const WMask here = index == WInt(c);
        u = select(here, p[c].u, u);
        v = select(here, p[c].v, v);
        taken[c] = taken[c] | here;
    }
}

LANEFOLD_INLINE WInt deepest_candidate(const LanePoint* p, int count) {
    WFloat deepest(kHighest);
    WInt first(-1);
    for (int c = 0; c < count; ++c) {
        const WMask better = p[c].valid & (p[c].separation < deepest);
        deepest = select(better, p[c].separation, deepest);
        first = select(better, WInt(c), first);
    }
    return first;
}

// Takes four candidates of each lane by spread, from `first` on.
LANEFOLD_INLINE void take_by_spread(const LanePoint* p, int count, WInt first, WMask* taken) {
    WFloat au, av, bu, bv, cu, cv, du, dv;
    take(p, count, first, taken, au, av);
    const WInt second = best_candidate(p, count, taken, [&](const LanePoint& x) {
        const WFloat du2 = x.u - au;
        const WFloat dv2 = x.v - av;
        return du2 * du2 + dv2 * dv2;
    });
    take(p, count, second, taken, bu, bv);
    const auto area = [](WFloat ou, WFloat ov, WFloat pu, WFloat pv, WFloat qu, WFloat qv) {
        return (pu - ou) * (qv - ov) - (pv - ov) * (qu - ou);
    };
    const WInt third =
        best_candidate(p, count, taken, [&](const LanePoint& x) { return abs(area(au, av, bu, bv, x.u, x.v)); });
    take(p, count, third, taken, cu, cv);
    // Counter-clockwise triangle a, p1, p2.
    const WMask flip = area(au, av, bu, bv, cu, cv) < splat(0.0F);
    const WFloat p1u = select(flip, cu, bu);
    const WFloat p1v = select(flip, cv, bv);
    const WFloat p2u = select(flip, bu, cu);
    const WFloat p2v = select(flip, bv, cv);
    const WInt fourth = best_candidate(p, count, taken, [&](const LanePoint& x) {
        const WFloat e0 = negate(area(au, av, p1u, p1v, x.u, x.v));
        const WFloat e1 = negate(area(p1u, p1v, p2u, p2v, x.u, x.v));
        const WFloat e2 = negate(area(p2u, p2v, au, av, x.u, x.v));
        return max(max(max(e0, e1), e2), splat(0.0F));
    });
    take(p, count, fourth, taken, du, dv);
}

// Which of the candidates of each lane are kept when it may keep four; lanes with four or fewer keep all.
inline void reduce_lanes(LanePoint* p, int count, WMask crowded) {
    WMask taken[32];
    for (int c = 0; c < count; ++c) taken[c] = no_lanes();
    take_by_spread(p, count, deepest_candidate(p, count), taken);
    for (int c = 0; c < count; ++c) p[c].valid = p[c].valid & (taken[c] | ~crowded);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
