// SPDX-License-Identifier: MIT
//
// Reduction of contact candidates to four, lanes = pairs. The rule is that of record/reduce.hpp; points have two
// coordinates in the contact plane, and masks replace indices.
#pragma once

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Largest number of candidates of a lane: a clip of faces of eight sides has up to 24.
inline constexpr int kMostCandidates = 24;

// One candidate of kWidth pairs.
struct LanePoint {
    WFloat u, v;  // contact plane
    WFloat separation;
    WMask valid;
};

// Index of the candidate with the largest gain among the valid ones that are not taken; the first on ties, -1 if there
// is none. `gain` maps a candidate to its gain.
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

// A place in the contact plane.
struct LaneSpot {
    WFloat u, v;
};

LANEFOLD_INLINE LaneSpot select(WMask m, const LaneSpot& a, const LaneSpot& b) {
    return {select(m, a.u, b.u), select(m, a.v, b.v)};
}

// Twice the signed area of a triangle.
LANEFOLD_INLINE WFloat area(const LaneSpot& o, const LaneSpot& p, const LaneSpot& q) {
    return (p.u - o.u) * (q.v - o.v) - (p.v - o.v) * (q.u - o.u);
}

LANEFOLD_INLINE LaneSpot take(const LanePoint* p, int count, WInt index, WMask* taken) {
    LaneSpot at = {splat(0.0F), splat(0.0F)};
    for (int c = 0; c < count; ++c) {
        const WMask here = index == WInt(c);
        at.u = select(here, p[c].u, at.u);
        at.v = select(here, p[c].v, at.v);
        taken[c] = taken[c] | here;
    }
    return at;
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
    const LaneSpot a = take(p, count, first, taken);
    const WInt second = best_candidate(p, count, taken, [&](const LanePoint& x) LANEFOLD_INLINE_LAMBDA {
        const WFloat du = x.u - a.u;
        const WFloat dv = x.v - a.v;
        return du * du + dv * dv;
    });
    const LaneSpot b = take(p, count, second, taken);
    const WInt third = best_candidate(p, count, taken, [&](const LanePoint& x) LANEFOLD_INLINE_LAMBDA {
        return abs(area(a, b, {x.u, x.v}));
    });
    const LaneSpot c = take(p, count, third, taken);
    // Counter-clockwise triangle a, p1, p2.
    const WMask flip = area(a, b, c) < splat(0.0F);
    const LaneSpot p1 = select(flip, c, b);
    const LaneSpot p2 = select(flip, b, c);
    const WInt fourth = best_candidate(p, count, taken, [&](const LanePoint& x) LANEFOLD_INLINE_LAMBDA {
        const LaneSpot at = {x.u, x.v};
        const WFloat e0 = negate(area(a, p1, at));
        const WFloat e1 = negate(area(p1, p2, at));
        const WFloat e2 = negate(area(p2, a, at));
        return max(max(max(e0, e1), e2), splat(0.0F));
    });
    for (int k = 0; k < count; ++k) taken[k] = taken[k] | (fourth == WInt(k));
}

// Reduces the valid candidates of the crowded lanes to four. Other lanes keep all.
inline void reduce_lanes(LanePoint* p, int count, WMask crowded) {
    WMask taken[kMostCandidates];
    for (int c = 0; c < count; ++c) taken[c] = no_lanes();
    take_by_spread(p, count, deepest_candidate(p, count), taken);
    for (int c = 0; c < count; ++c) p[c].valid = p[c].valid & (taken[c] | ~crowded);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
