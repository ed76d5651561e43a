// SPDX-License-Identifier: MIT
//
// Reduction of patch manifolds to four points, lanes = pairs. The rule is that of contact/patch/reduce.hpp; points have
// two coordinates in the contact plane.
#pragma once

#include "contact/patch/reduce.hpp"
#include "record/lane_reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The candidates of kWidth pairs relative to the middle of their extent, in the axes of contact/patch/reduce.hpp. Only
// if |n.x| is exactly kFlatAxis, contact/lane_clip.hpp takes the other axis of the two.
struct LanePatchPlan {
    WFloat u[kMostCandidates];
    WFloat v[kMostCandidates];
    WFloat half;
};

// `mirrored`: lanes whose u axis is derived from the normal from B to A and so has the opposite direction.
LANEFOLD_INLINE void plan_patch(const LanePoint* p, int count, WMask mirrored, LanePatchPlan& plan) {
    WFloat low_u(kHighest), low_v(kHighest), high_u(kLowest), high_v(kLowest);
    for (int c = 0; c < count; ++c) {
        const WFloat u0 = select(mirrored, negate(p[c].u), p[c].u);
        const WFloat u = u0 * splat(kPatchTurnCos) + p[c].v * splat(kPatchTurnSin);
        const WFloat v = p[c].v * splat(kPatchTurnCos) - u0 * splat(kPatchTurnSin);
        low_u = select(p[c].valid, min(u, low_u), low_u);
        low_v = select(p[c].valid, min(v, low_v), low_v);
        high_u = select(p[c].valid, max(u, high_u), high_u);
        high_v = select(p[c].valid, max(v, high_v), high_v);
        plan.u[c] = u;
        plan.v[c] = v;
    }
    const WFloat middle_u = (low_u + high_u) * splat(0.5F);
    const WFloat middle_v = (low_v + high_v) * splat(0.5F);
    plan.half = max(high_u - low_u, high_v - low_v) * splat(0.5F);
    for (int c = 0; c < count; ++c) {
        plan.u[c] = plan.u[c] - middle_u;
        plan.v[c] = plan.v[c] - middle_v;
    }
}

// Takes the candidate furthest out in the direction (du, dv); first on ties.
LANEFOLD_INLINE LaneSpot take_furthest(const LanePoint* p, int count, const LanePatchPlan& plan, float du, float dv,
                                       WMask* taken) {
    WFloat most(kLowest);
    WInt index(-1);
    for (int c = 0; c < count; ++c) {
        const WFloat aside = abs(plan.v[c] * splat(du) - plan.u[c] * splat(dv));
        const WFloat reach = (plan.u[c] * splat(du) + plan.v[c] * splat(dv)) - aside * splat(kPatchAside);
        const WMask better = p[c].valid & ~taken[c] & (reach > most);
        most = select(better, reach, most);
        index = select(better, WInt(c), index);
    }
    LaneSpot at = {splat(0.0F), splat(0.0F)};
    for (int c = 0; c < count; ++c) {
        const WMask here = index == WInt(c);
        at.u = select(here, plan.u[c], at.u);
        at.v = select(here, plan.v[c], at.v);
        taken[c] = taken[c] | here;
    }
    return at;
}

// Twice the area of the quadrilateral of four points, in the order that gives the largest area.
LANEFOLD_INLINE WFloat lane_quad_area(const LaneSpot* p) {
    const auto across = [&](int a, int b, int c, int d) {
        return abs((p[b].u - p[a].u) * (p[d].v - p[c].v) - (p[b].v - p[a].v) * (p[d].u - p[c].u));
    };
    return max(max(across(0, 2, 1, 3), across(0, 1, 2, 3)), across(0, 3, 1, 2));
}

// Twice the area of the quadrilateral of the taken candidates of each lane.
LANEFOLD_INLINE WFloat taken_area(int count, const LanePatchPlan& plan, const WMask* taken) {
    LaneSpot spot[4];
    for (LaneSpot& at : spot) at = {splat(0.0F), splat(0.0F)};
    WInt n(0);
    for (int c = 0; c < count; ++c) {
        for (int k = 0; k < 4; ++k) {
            const WMask here = taken[c] & (n == WInt(k));
            spot[k].u = select(here, plan.u[c], spot[k].u);
            spot[k].v = select(here, plan.v[c], spot[k].v);
        }
        n = n + select(taken[c], WInt(1), WInt(0));
    }
    return lane_quad_area(spot);
}

// For the `missed` lanes, in which no taken candidate is about as deep as the deepest. If the deepest candidate is in
// the middle, it is taken with the three corners of a fixed triangle. Otherwise it replaces the nearest taken
// candidate.
LANEFOLD_INLINE void take_deepest(const LanePoint* p, int count, const LanePatchPlan& plan, WInt deepest, WMask missed,
                                  WMask* taken) {
    WMask round[kMostCandidates];
    WFloat at_u(0.0F);
    WFloat at_v(0.0F);
    for (int c = 0; c < count; ++c) {
        round[c] = deepest == WInt(c);
        at_u = select(round[c], plan.u[c], at_u);
        at_v = select(round[c], plan.v[c], at_v);
    }
    const WMask middle = missed & ((at_u * at_u + at_v * at_v) < (plan.half * plan.half) * splat(kPatchMiddle2));
    take_furthest(p, count, plan, 1.0F, 0.0F, round);
    take_furthest(p, count, plan, -0.5F, kPatchTriangleSin, round);
    take_furthest(p, count, plan, -0.5F, -kPatchTriangleSin, round);
    WFloat least(kHighest);
    WInt nearest(-1);
    for (int c = 0; c < count; ++c) {
        const WFloat du = plan.u[c] - at_u;
        const WFloat dv = plan.v[c] - at_v;
        const WFloat d2 = du * du + dv * dv;
        const WMask better = taken[c] & (d2 < least);
        least = select(better, d2, least);
        nearest = select(better, WInt(c), nearest);
    }
    for (int c = 0; c < count; ++c) {
        const WMask swapped = (taken[c] & ~(nearest == WInt(c))) | (deepest == WInt(c));
        taken[c] = (taken[c] & ~missed) | (middle & round[c]) | (missed & ~middle & swapped);
    }
}

// Same as reduce_lanes(), for patches. `spread`: see reduce_patch_points().
inline void reduce_patch_lanes(LanePoint* p, int count, WMask crowded, WMask mirrored, WFloat spread) {
    LanePatchPlan plan;
    plan_patch(p, count, mirrored, plan);
    WMask taken[kMostCandidates];
    WMask by_spread[kMostCandidates];
    for (int c = 0; c < count; ++c) taken[c] = by_spread[c] = no_lanes();
    LaneSpot spot[4];
    spot[0] = take_furthest(p, count, plan, 1.0F, 0.0F, taken);
    WInt first(-1);
    for (int c = 0; c < count; ++c) first = select(taken[c], WInt(c), first);
    spot[1] = take_furthest(p, count, plan, 0.0F, 1.0F, taken);
    spot[2] = take_furthest(p, count, plan, -1.0F, 0.0F, taken);
    spot[3] = take_furthest(p, count, plan, 0.0F, -1.0F, taken);
    take_by_spread(p, count, first, by_spread);
    const WMask wider = taken_area(count, plan, by_spread) > lane_quad_area(spot) * splat(kPatchMoreArea);
    const WInt deepest = deepest_candidate(p, count);
    WFloat lowest(kHighest);
    WFloat least(kHighest);
    for (int c = 0; c < count; ++c) {
        taken[c] = (wider & by_spread[c]) | (~wider & taken[c]);
        lowest = select(taken[c], min(p[c].separation, lowest), lowest);
        least = select(p[c].valid, min(p[c].separation, least), least);
    }
    const WMask missed = crowded & (lowest > least + spread);
    if (bits(missed) != 0) take_deepest(p, count, plan, deepest, missed, taken);
    for (int c = 0; c < count; ++c) p[c].valid = p[c].valid & (taken[c] | ~crowded);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
