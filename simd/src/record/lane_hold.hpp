// SPDX-License-Identifier: MIT
//
// Hysteresis of reductions to four points, lanes = pairs: the previous points stay while all of them exist, reach the
// depth and span nearly the area of the usual reduction (Options::hysteresis). The float64 path has the same rule
// (core/src/precise/hold.cpp).
#pragma once

#include "coherence/lane_previous.hpp"
#include "record/lane_reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Twice the area of the hull of the four candidates named by the masks. Candidates are corners of a convex polygon, so
// their hull is the largest of the three quadrilaterals on them; where rounding or a tip makes one lie inside of the
// others, the area comes out less by the triangle that it cuts off.
LANEFOLD_INLINE WFloat area_of_four(const LanePoint* p, const WMask* named, int count) {
    const WFloat zero(0.0F);
    LaneSpot at[4] = {{zero, zero}, {zero, zero}, {zero, zero}, {zero, zero}};
    for (int c = 0; c < count; ++c) {
        // Each one moves those before it one place further.
        for (int k = 3; k > 0; --k) {
            at[k].u = select(named[c], at[k - 1].u, at[k].u);
            at[k].v = select(named[c], at[k - 1].v, at[k].v);
        }
        at[0].u = select(named[c], p[c].u, at[0].u);
        at[0].v = select(named[c], p[c].v, at[0].v);
    }
    const auto diagonals = [&](int a, int b, int c, int d) LANEFOLD_INLINE_LAMBDA {
        return abs((at[b].u - at[a].u) * (at[d].v - at[c].v) - (at[b].v - at[a].v) * (at[d].u - at[c].u));
    };
    return max(max(diagonals(0, 2, 1, 3), diagonals(0, 1, 2, 3)), diagonals(0, 3, 1, 2));
}

// Lanes whose reduction drops a point of the previous record, and those of them that keep the previous points.
struct HeldPoints {
    WMask otherwise = no_lanes();
    WMask held = no_lanes();
};

// Reduces the candidates of the crowded lanes to four: to the previous ones, in lanes `asked`, where these may stay.
// `number(c)`: the number of candidate c's pair of features. `band`: hysteresis as a length.
template <class Number>
inline HeldPoints reduce_or_hold(LanePoint* p, int count, WMask crowded, WMask asked, const LanePreviousPoints& previous,
                                 WFloat band, const Number& number) {
    WMask known[kMostCandidates];
    WInt exist(0);
    WFloat deepest(kHighest);
    WFloat lowest(kHighest);
    for (int c = 0; c < count; ++c) {
        const WInt n = number(c);
        const WMask any_of = ((n == previous.number[0]) | (n == previous.number[1])) |
                             ((n == previous.number[2]) | (n == previous.number[3]));
        known[c] = p[c].valid & any_of;
        exist = select(known[c], exist + WInt(1), exist);
        deepest = select(p[c].valid, min(p[c].separation, deepest), deepest);
        lowest = select(known[c], min(p[c].separation, lowest), lowest);
    }
    reduce_lanes(p, count, crowded);
    HeldPoints result;
    for (int c = 0; c < count; ++c) result.otherwise = result.otherwise | (p[c].valid & ~known[c]);
    result.otherwise = result.otherwise & crowded & asked;
    const WMask possible = result.otherwise & (exist == WInt(4)) & (lowest <= deepest + band);
    if (!any(possible)) return result;
    WMask usual[kMostCandidates];
    for (int c = 0; c < count; ++c) usual[c] = p[c].valid;
    result.held =
        possible & (area_of_four(p, known, count) >= splat(kHeldSpread) * area_of_four(p, usual, count));
    for (int c = 0; c < count; ++c)
        p[c].valid = (known[c] & result.held) | (p[c].valid & ~result.held);
    return result;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
