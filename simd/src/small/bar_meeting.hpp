// SPDX-License-Identifier: MIT
//
// The closest points of bars, lanes = pairs, and a direction that proves their distance.
//
// Let p be any point of A, q any point of B, and n any unit vector. The distance of the bars is at most |q - p| and at
// least their separation along n, n . (from middle to middle) - |n . half A| - |n . half B|. So if both are equal
// within a tolerance, p and q are the closest points, n is the direction, and it does not matter how they were found.
// Lanes where they differ go to the float64 path. So do those where q is beside p + |q - p| n: a long distance changes
// little when its direction turns.
#pragma once

#include "pair/tolerances.hpp"
#include "small/bar_lanes.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// By how much the distance of the closest points may exceed the separation along the direction between them, in
// (size A + size B). Both are sums of a dozen roundings of 6e-8. A half of the promised 2e-6 of the larger size is left
// for the rounding of poses.
inline constexpr float kBarProof = 5e-7F;

// Cores nearer than this, in (size A + size B), meet: a rule gives the direction, or the last digits of their poses.
inline constexpr float kBarsMeet = 1e-5F;

// sin^2 of the angle between two bars below which no crossing is looked for: the ends decide.
inline constexpr float kAlongSine2 = 1e-12F;

struct BarMeeting {
    WFloat s, t;        // of the closest points, from -1 (vertex 0) to 1 (vertex 1)
    WFloat distance;    // of these
    WVec3 normal;       // unit, from A to B
    WFloat separation;  // along it
    WFloat aside2;      // squared distance of B's point from A's moved along the normal by the distance
};

LANEFOLD_INLINE WFloat within_bar(WFloat x) { return max(min(x, splat(1.0F)), splat(-1.0F)); }
// 1 / x; 0 if x is 0.
LANEFOLD_INLINE WFloat inverse_or_zero(WFloat x) { return select(x > splat(0.0F), splat(1.0F) / x, splat(0.0F)); }

// The separation of both bars along n.
LANEFOLD_INLINE WFloat separation_of_bars(const BarLanes& x, const WVec3& n) {
    return dot(n, x.apart) - (abs(dot(n, x.a.half)) + abs(dot(n, x.b.half)));
}

// `along`: how far w points along a bar, in halves of it; `at`: the parameter where w begins. Returns the part that the
// closest point cannot have left: all of it inside of the bar, at an end that which points back into the bar.
LANEFOLD_INLINE WFloat part_to_remove(WFloat along, WFloat at) {
    const WFloat zero(0.0F);
    along = select(at >= splat(1.0F), min(along, zero), along);
    return select(at <= splat(-1.0F), max(along, zero), along);
}

// The closest points of two bars. The products of geometry/nearest.hpp would lose their digits where bars are almost
// parallel, as capsules often are, so the part of v across u decides. `apart`: from the middle of the first to that of
// the second; u, v: their halves.
struct NearestOnBars {
    WFloat s, t;
    WFloat uu, vv;  // 1 / u . u and 1 / v . v; 0 for a point
    WVec3 r;        // the part of v across u, which keeps its digits where both are almost parallel
    WVec3 w;        // between the points
};

LANEFOLD_INLINE NearestOnBars nearest_on_bars(const WVec3& apart, const WVec3& u, const WVec3& v) {
    NearestOnBars m;
    m.uu = inverse_or_zero(dot(u, u));
    const WFloat length2 = dot(v, v);
    m.vv = inverse_or_zero(length2);
    m.r = v - u * (dot(u, v) * m.uu);
    const WFloat rr = dot(m.r, m.r);
    m.t = select(rr > splat(kAlongSine2) * length2, within_bar(negate(dot(apart, m.r)) / rr), splat(0.0F));
    m.s = within_bar(dot(apart + v * m.t, u) * m.uu);
    m.t = within_bar(dot(u * m.s - apart, v) * m.vv);
    m.w = (apart + v * m.t) - u * m.s;
    return m;
}

LANEFOLD_INLINE BarMeeting closest_on_bars(const BarLanes& x) {
    const WVec3& u = x.a.half;
    const WVec3& v = x.b.half;
    const WFloat zero(0.0F);
    const NearestOnBars nearest = nearest_on_bars(x.apart, u, v);
    const WFloat uu = nearest.uu;
    const WFloat vv = nearest.vv;
    const WVec3& r = nearest.r;
    const WVec3& w = nearest.w;
    BarMeeting m;
    m.s = nearest.s;
    m.t = nearest.t;
    m.distance = sqrt(dot(w, w));

    // The direction between the points, made perpendicular to what they are inside of.
    WVec3 n = w - u * part_to_remove(dot(w, u) * uu, m.s);
    n = n + v * part_to_remove(negate(dot(n, v)) * vv, m.t);
    n = n * (splat(1.0F) / sqrt(dot(n, n)));
    m.separation = separation_of_bars(x, n);
    // The direction across both, which is better where they cross: inside of both.
    WVec3 c = cross(u, r);
    c = c * (splat(1.0F) / sqrt(dot(c, c)));
    c = select(dot(c, x.apart) < zero, negate(c), c);
    const WFloat crossing = separation_of_bars(x, c);
    const WMask crossed = (crossing > m.separation) & (abs(m.s) < splat(1.0F)) & (abs(m.t) < splat(1.0F));
    m.normal = select(crossed, c, n);
    const WVec3 aside = w - m.normal * m.distance;
    m.aside2 = dot(aside, aside);
    m.separation = select(crossed, crossing, m.separation);
    return m;
}

// The verdict about kWidth pairs; bits of lanes.
struct BarVerdict {
    std::uint32_t apart;    // by more than the margin
    std::uint32_t touches;  // the meeting is the contact
    // Neither: not settled.
};

// False for every number that is not finite.
LANEFOLD_INLINE BarVerdict judge_bars(const BarLanes& x, const BarMeeting& m, WFloat margin) {
    const WFloat radii = x.a.round + x.b.round;
    const WFloat slack = x.size * splat(kBarProof);
    const WFloat reach = x.size * splat(kPreciseSeparation);
    const WMask proven = (m.distance - m.separation <= slack) & (m.distance > x.size * splat(kBarsMeet)) &
                         (m.aside2 <= slack * slack) & (dot(x.apart, x.apart) <= reach * reach);
    const WMask near = m.distance - radii <= margin;
    // Rounding of the separation grows with the distance.
    const WMask beyond = m.separation - (slack + m.distance * splat(1e-6F)) > margin + radii;
    return {bits((proven & ~near) | beyond), bits(proven & near & ~beyond)};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
