// SPDX-License-Identifier: MIT
//
// A box and a bar (bar_lanes.hpp), lanes = pairs, in the box's frame about its middle: the distance and its direction.
//
// Apart: the squared distance of a point of the bar from the box is convex along the bar, and its slope is linear
// between the places where the bar crosses the planes of the box's faces. So the least of it lies between two of these
// eight places, and is found by one division. It proves itself as that of two bars does (bar_meeting.hpp).
//
// Overlapping: the Minkowski difference of a box and a segment has the box's faces, and one across each of the box's
// axes and the segment. The best of these six axes is the depth.
#pragma once

#include "box/box_pose.hpp"
#include "small/bar_on_hull.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE WVec3 magnitude(const WVec3& v) { return {abs(v.x), abs(v.y), abs(v.z)}; }

// Separation of box and bar along n, from the box to the bar.
LANEFOLD_INLINE WFloat separation_on_box(const BarOnHull& x, const WVec3& n) {
    return dot(n, x.middle) - (abs(dot(n, x.bar.half)) + dot(magnitude(n), x.half));
}

// From the box to a point.
LANEFOLD_INLINE WVec3 excess(const WVec3& p, const WVec3& half) {
    return {p.x - max(min(p.x, half.x), negate(half.x)), p.y - max(min(p.y, half.y), negate(half.y)),
            p.z - max(min(p.z, half.z), negate(half.z))};
}

// A part of the bar at whose ends the slope of the distance has different signs.
struct SlopeBracket {
    WFloat low, high, slope_low, slope_high;

    LANEFOLD_INLINE void narrow(const BarOnHull& x, WFloat plane, WFloat middle, WFloat half) {
        const WFloat at = within_bar((plane - middle) / half);  // anything if the bar is parallel to the plane
        const WFloat slope = dot(excess(x.middle + x.bar.half * at, x.half), x.bar.half);
        const WMask below = (slope <= splat(0.0F)) & (at > low);
        const WMask above = (slope >= splat(0.0F)) & (at < high);
        low = select(below, at, low);
        slope_low = select(below, slope, slope_low);
        high = select(above, at, high);
        slope_high = select(above, slope, slope_high);
    }
};

// The parameter of the point of the bar nearest to the box; the middle of those that are equally near.
LANEFOLD_INLINE WFloat nearest_to_box(const BarOnHull& x) {
    const WVec3& g = x.bar.half;
    const WFloat zero(0.0F);
    const WFloat one(1.0F);
    SlopeBracket b = {negate(one), one, dot(excess(x.middle - g, x.half), g), dot(excess(x.middle + g, x.half), g)};
    const WMask at_low = b.slope_low > zero;
    const WMask at_high = b.slope_high < zero;
    b.narrow(x, x.half.x, x.middle.x, g.x);
    b.narrow(x, negate(x.half.x), x.middle.x, g.x);
    b.narrow(x, x.half.y, x.middle.y, g.y);
    b.narrow(x, negate(x.half.y), x.middle.y, g.y);
    b.narrow(x, x.half.z, x.middle.z, g.z);
    b.narrow(x, negate(x.half.z), x.middle.z, g.z);
    const WFloat rise = b.slope_high - b.slope_low;
    const WFloat part = select(rise > zero, negate(b.slope_low) / rise, splat(0.5F));
    const WFloat t = within_bar(b.low + (b.high - b.low) * part);
    return select(x.bar.point, zero, select(at_low, negate(one), select(at_high, one, t)));
}

// The place at which box and bar are nearest, or deepest.
struct BoxMeeting {
    WInt face_axis;     // of the best face
    WFloat face_value;  // its separation
    WFloat distance;    // of the cores
    WFloat t;           // on the bar
    WVec3 normal;       // unit, from the box to the bar
    WMask proven;
    WMask overlap;
    WMask outside[3];  // axes along which the point is outside; overlapping: those that the normal has parts of
};

LANEFOLD_INLINE void best_box_face(const BarOnHull& x, BoxMeeting& m) {
    const WVec3 value = (magnitude(x.middle) - magnitude(x.bar.half)) - x.half;
    m.face_axis = select(value.y > value.x, WInt(1), WInt(0));
    m.face_value = max(value.y, value.x);
    m.face_axis = select(value.z > m.face_value, WInt(2), m.face_axis);
    m.face_value = max(value.z, m.face_value);
}

LANEFOLD_INLINE WFloat only_if(WMask m, WFloat x) { return select(m, x, splat(0.0F)); }

LANEFOLD_INLINE void meet_apart(const BarOnHull& x, BoxMeeting& m) {
    m.t = nearest_to_box(x);
    const WVec3 e = excess(x.middle + x.bar.half * m.t, x.half);
    m.distance = sqrt(dot(e, e));
    const WFloat zero(0.0F);
    m.outside[0] = abs(e.x) > zero;
    m.outside[1] = abs(e.y) > zero;
    m.outside[2] = abs(e.z) > zero;
    const WMask several = (m.outside[0] & m.outside[1]) | (m.outside[1] & m.outside[2]) | (m.outside[2] & m.outside[0]);
    const WVec3 g = {only_if(m.outside[0], x.bar.half.x), only_if(m.outside[1], x.bar.half.y),
                     only_if(m.outside[2], x.bar.half.z)};
    const WFloat gg = inverse_or_zero(only_if(several, dot(g, g)));
    WVec3 n = e + g * part_to_remove(negate(dot(e, g)) * gg, m.t);
    n = n * (splat(1.0F) / sqrt(dot(n, n)));
    const WVec3 aside = e - n * m.distance;
    const WFloat slack = x.size * splat(kBarProof);
    m.normal = n;
    m.overlap = m.distance <= zero;
    m.proven = (m.distance - separation_on_box(x, n) <= slack) & (m.distance > x.size * splat(kBarsMeet)) &
               (dot(aside, aside) <= slack * slack);
}

// Takes the axis across axis j of the box and the bar, if it is better. `i`, `k`: the parts of the bar along the next
// two axes; `ci`, `ck`: of its middle.
struct CrossAxis {
    WInt axis;
    WFloat value, i, k;  // unit normal along the next two axes

    LANEFOLD_INLINE void take(int j, WFloat gi, WFloat gk, WFloat ci, WFloat ck, WFloat hi, WFloat hk, WFloat least2) {
        const WFloat length2 = gi * gi + gk * gk;
        const WFloat inverse = splat(1.0F) / sqrt(length2);
        const WFloat ni = negate(gk) * inverse;
        const WFloat nk = gi * inverse;
        const WFloat along = ni * ci + nk * ck;
        const WFloat s = abs(along) - (abs(ni) * hi + abs(nk) * hk);
        const WMask better = (length2 > least2) & (s > value);
        const WMask down = along < splat(0.0F);
        axis = select(better, WInt(j), axis);
        value = select(better, s, value);
        i = select(better, select(down, negate(ni), ni), i);
        k = select(better, select(down, negate(nk), nk), k);
    }
};

// Overlapping lanes: the depth, and where the edge comes nearest if no face is the best.
LANEFOLD_INLINE void meet_deep(const BarOnHull& x, BoxMeeting& m) {
    const WVec3& g = x.bar.half;
    const WVec3& c = x.middle;
    const WVec3& h = x.half;
    const WFloat zero(0.0F);
    const WFloat least2 = dot(g, g) * splat(kAlongSine2);
    CrossAxis a = {WInt(0), splat(kLowest), zero, zero};
    a.take(0, g.y, g.z, c.y, c.z, h.y, h.z, least2);
    a.take(1, g.z, g.x, c.z, c.x, h.z, h.x, least2);
    a.take(2, g.x, g.y, c.x, c.y, h.x, h.y, least2);
    const WMask by_edge = m.overlap & (a.value > m.face_value + x.size * splat(kBarProof));
    const BoxAxis axis = BoxAxis::of(a.axis);
    const WVec3 n = {axis.choose(zero, a.k, a.i), axis.choose(a.i, zero, a.k), axis.choose(a.k, a.i, zero)};
    // The place at which the bar comes nearest to the edge, seen along it.
    const WVec3 corner = {select(n.x > zero, h.x, negate(h.x)), select(n.y > zero, h.y, negate(h.y)),
                          select(n.z > zero, h.z, negate(h.z))};
    const WVec3 across = {select(axis.is0, zero, g.x), select(axis.is1, zero, g.y),
                          select(axis.is0 | axis.is1, g.z, zero)};
    const WFloat t = negate(dot(c - corner, across)) / dot(across, across);
    const WVec3 p = magnitude(c + g * t);
    const WFloat room = x.size * splat(kBarProof);
    const WFloat beyond = axis.choose(p.x - h.x, p.y - h.y, p.z - h.z);
    m.t = select(by_edge, t, m.t);
    m.normal = select(by_edge, n, m.normal);
    m.distance = select(m.overlap, select(by_edge, a.value, m.face_value), m.distance);
    m.proven = (m.overlap & (~by_edge | ((abs(t) < splat(1.0F)) & (beyond <= negate(room))))) | (~m.overlap & m.proven);
    m.outside[0] = (by_edge & ~axis.is0) | (~by_edge & m.outside[0]);
    m.outside[1] = (by_edge & ~axis.is1) | (~by_edge & m.outside[1]);
    m.outside[2] = (by_edge & (axis.is0 | axis.is1)) | (~by_edge & m.outside[2]);
}

LANEFOLD_INLINE BoxMeeting meet_box(const BarOnHull& x, std::uint32_t all) {
    BoxMeeting m;
    best_box_face(x, m);
    meet_apart(x, m);
    if ((bits(m.overlap) & all) != 0) meet_deep(x, m);
    const WFloat reach = x.size * splat(kPreciseSeparation);
    m.proven = m.proven & (dot(x.middle, x.middle) <= reach * reach);
    return m;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
