// SPDX-License-Identifier: MIT
//
// Hysteresis of reductions to four points, lanes = pairs: the previous points stay while all of them exist, reach the
// depth and span nearly the area of the usual reduction (Options::hysteresis). The float64 path has the same rule
// (core/src/precise/hold.cpp).
#pragma once

#include "pair/lane_previous.hpp"
#include "record/lane_reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Twice the area of the hull of four corners of a convex polygon. It is the largest of the three quadrilaterals on
// them; where rounding or a tip makes one lie inside of the others, it comes out less by the triangle that this one
// cuts off.
LANEFOLD_INLINE WFloat area_of_four(const LaneSpot (&at)[4]) {
    const auto diagonals = [&](int a, int b, int c, int d) LANEFOLD_INLINE_LAMBDA {
        return abs((at[b].u - at[a].u) * (at[d].v - at[c].v) - (at[b].v - at[a].v) * (at[d].u - at[c].u));
    };
    return max(max(diagonals(0, 2, 1, 3), diagonals(0, 1, 2, 3)), diagonals(0, 3, 1, 2));
}

// The reduction of reduce_lanes() with the places of the points that it keeps.
struct LaneKeptSpots : LaneClipped {
    LaneSpot spot[4];

    using LaneClipped::LaneClipped;
    LANEFOLD_INLINE LaneSpot take(const Winner& winner) {
        spot[count] = winner.spot;
        return LaneClipped::take(winner);
    }
};

// Lanes whose reduction drops a point of the previous record, and those of them that keep the previous points.
struct HeldPoints {
    WMask otherwise = no_lanes();
    WMask held = no_lanes();
};

// Candidates of kWidth manifolds as sets of bits.
LANEFOLD_INLINE WMask has_candidate(WInt set, int c) { return ~((set & WInt(1 << c)) == WInt(0)); }

// The four candidates of each lane that its set names, the last ones if there are more.
LANEFOLD_INLINE void spots_of(const LanePoint* p, int count, WInt set, LaneSpot (&at)[4]) {
    const WFloat zero(0.0F);
    for (LaneSpot& spot : at) spot = {zero, zero};
    for (int c = 0; c < count; ++c) {
        const WMask named = has_candidate(set, c);
        // Each one moves those before it one place further.
        for (int k = 3; k > 0; --k) at[k] = {select(named, at[k - 1].u, at[k].u), select(named, at[k - 1].v, at[k].v)};
        at[0] = {select(named, p[c].u, at[0].u), select(named, p[c].v, at[0].v)};
    }
}

// Reduces the candidates of the crowded lanes to four: to the previous ones, in lanes `asked`, where these may stay.
// `name(c)`: the name of candidate c's pair of features. `previous`: names of the previous points. `band`: hysteresis
// as a length.
template <class Name>
inline HeldPoints reduce_or_hold(LanePoint* p, int count, WMask crowded, WMask asked, const WInt (&previous)[4],
                                 WFloat band, const Name& name) {
    const WInt none(0);
    WInt known = none;
    WInt exist = none;
    WFloat deepest(kHighest);
    WFloat lowest(kHighest);
    for (int c = 0; c < count; ++c) {
        const WInt n = name(c);
        const WMask here =
            p[c].valid & (((n == previous[0]) | (n == previous[1])) | ((n == previous[2]) | (n == previous[3])));
        known = known | select(here, WInt(1 << c), none);
        exist = exist + select(here, WInt(1), none);
        deepest = select(p[c].valid, min(p[c].separation, deepest), deepest);
        lowest = select(here, min(p[c].separation, lowest), lowest);
    }
    LaneKeptSpots kept(p, count);
    geometry::take_by_spread(kept, kept.take(geometry::deepest_of(kept)));
    WInt usual = none;
    for (int c = 0; c < count; ++c) usual = usual | select(kept.taken[c], WInt(1 << c), none);
    HeldPoints result;
    result.otherwise = crowded & asked & ~((usual & (known ^ WInt(-1))) == none);
    WInt keep = usual;
    const WMask possible = result.otherwise & (exist == WInt(4)) & (lowest <= deepest + band);
    if (any(possible)) {
        LaneSpot at[4];
        spots_of(p, count, known, at);
        result.held = possible & (area_of_four(at) >= splat(kHeldSpread) * area_of_four(kept.spot));
        keep = select(result.held, known, usual);
    }
    for (int c = 0; c < count; ++c) p[c].valid = p[c].valid & (has_candidate(keep, c) | ~crowded);
    return result;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
