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

// The four candidates of each lane that its masks name, the last ones if there are more.
LANEFOLD_INLINE void spots_of(const LanePoint* p, int count, const WMask* named, LaneSpot (&at)[4]) {
    const WFloat zero(0.0F);
    for (LaneSpot& spot : at) spot = {zero, zero};
    for (int c = 0; c < count; ++c) {
        // Each one moves those before it one place further.
        for (int k = 3; k > 0; --k)
            at[k] = {select(named[c], at[k - 1].u, at[k].u), select(named[c], at[k - 1].v, at[k].v)};
        at[0] = {select(named[c], p[c].u, at[0].u), select(named[c], p[c].v, at[0].v)};
    }
}

// Returns those of the lanes `open` whose four previous points may stay. `known`: per candidate, the lanes where it is
// a previous point. `kept`: the usual reduction.
inline WMask points_stay(const LanePoint* p, int count, const WMask* known, const LaneKeptSpots& kept, WMask open,
                         WFloat band) {
    WInt exist(0);
    WFloat deepest(kHighest);
    WFloat lowest(kHighest);
    for (int c = 0; c < count; ++c) {
        exist = select(known[c], exist + WInt(1), exist);
        deepest = select(p[c].valid, min(p[c].separation, deepest), deepest);
        lowest = select(known[c], min(p[c].separation, lowest), lowest);
    }
    const WMask possible = open & (exist == WInt(4)) & (lowest <= deepest + band);
    if (!any(possible)) return no_lanes();
    LaneSpot at[4];
    spots_of(p, count, known, at);
    return possible & (area_of_four(at) >= splat(kHeldSpread) * area_of_four(kept.spot));
}

// Reduces the candidates of the crowded lanes to four: to the previous ones, in lanes `asked`, where these may stay.
// `name(c)`: the name of candidate c's pair of features. `previous`: names of the previous points. `band`: hysteresis
// as a length. The usual reduction keeps the previous points nearly always in some families and nearly never in all
// lanes in others, so the rest is behind one branch.
template <class Name>
inline HeldPoints reduce_or_hold(LanePoint* p, int count, WMask crowded, WMask asked, const WInt (&previous)[4],
                                 WFloat band, const Name& name) {
    LaneKeptSpots kept(p, count);
    geometry::take_by_spread(kept, kept.take(geometry::deepest_of(kept)));
    WMask known[kMostCandidates];
    WMask otherwise = no_lanes();
    for (int c = 0; c < count; ++c) {
        const WInt n = name(c);
        known[c] = p[c].valid & (((n == previous[0]) | (n == previous[1])) | ((n == previous[2]) | (n == previous[3])));
        otherwise = otherwise | (kept.taken[c] & ~known[c]);
    }
    HeldPoints result;
    result.otherwise = crowded & asked & otherwise;
    if (any(result.otherwise)) {
        result.held = points_stay(p, count, known, kept, result.otherwise, band);
        for (int c = 0; c < count; ++c) kept.taken[c] = (result.held & known[c]) | (kept.taken[c] & ~result.held);
    }
    for (int c = 0; c < count; ++c) p[c].valid = p[c].valid & (kept.taken[c] | ~crowded);
    return result;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
