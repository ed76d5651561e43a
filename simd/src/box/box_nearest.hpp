// SPDX-License-Identifier: MIT
//
// Closest points of boxes that are apart, where no axis proves the distance, lanes = pairs. The closest features then
// are two corners, a corner and an edge, or two parallel edges.
//
// Points are projected from box to box in turns, which ends near the closest points. This is enough for boxes that are
// turned little against each other. For others each coordinate goes, in between, to the side to which the vector
// between the points leads, if that vector is not almost perpendicular to it. The edges that the points lie on, or
// those of the corners that the vector is most nearly perpendicular to, have the closest points: at one of their four
// ends, or all along if they are parallel.
//
// However the points were found, they prove themselves. Let p and q be points of A and B, w the vector from p to q,
// d = |w| and n = w / d. The distance D is at most d. The separation along n, which is at most D, is d less the amounts
// by which A and B reach beyond p and q along n and -n. Both are sums of terms like |n_k| h_k - n_k p_k, each zero
// where p_k is the right end, so they are known without cancellation, and the lanes accept them up to kNearestDeficit.
// Else the float64 path decides.
//
// Rounding, about 3e-7 (size A + size B) in w, would tilt n against an edge by as much over d, and a long edge then
// reaches beyond. So components of w along the edges of the closest points are removed, and so are components that are
// rounding (kNearestRounding) and lead away from a corner's own side. The removed part is perpendicular to the rest, so
// d is less than |q - p| by at most its square over 2 d; d is at least kLeastNearest. Below that n would be rounding,
// and the float64 path decides, too.
#pragma once

#include "box/edge_contact.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// In (size A + size B).
inline constexpr float kNearestDeficit = 5e-7F;
inline constexpr float kNearestRounding = 5e-7F;
inline constexpr float kLeastNearest = 1e-4F;
// Overlap of two parallel edges, in (size A + size B), below which their ends are the features.
inline constexpr float kLeastOverlap = 1e-5F;
// Cosine above which edges count as parallel: their middle is tried as well. Anything else than the distance proves
// itself wrong.
inline constexpr float kParallelCosine = 1.0F - 1e-6F;
// Part of the squared distance by which an end must be nearer than the middle, or than another end.
inline constexpr float kNearerEnd = 1e-5F;

// A point of a box, one of its edges through that point, and whether the point is at the end of it.
struct BoxNearPoint {
    WInt axis;    // of the edge
    WMask up[3];  // signs of the edge's place; of the edge's own axis the sign of the point
    WFloat at[3];
    WMask corner;
};

struct BoxNearest {
    BoxNearPoint a, b;
    WFloat distance;
    WVec3 n;      // from A to B, A's frame
    WVec3 point;  // midway, A's frame
    WMask proven;
};

LANEFOLD_INLINE WFloat clamp_to(WFloat h, WFloat x) { return max(min(x, h), negate(h)); }
LANEFOLD_INLINE WFloat with_sign(WMask up, WFloat h) { return select(up, h, negate(h)); }

// A point of A in B's frame, and back. B's centre is at x.t.
LANEFOLD_INLINE void place_in_b(const BoxLanes& x, const WVec3& p, WFloat* y) {
    const WVec3 d = p - x.t;
    for (int k = 0; k < 3; ++k) y[k] = dot(x.column(k), d);
}
LANEFOLD_INLINE WVec3 place_in_a(const BoxLanes& x, const WFloat* y) {
    return x.t + ((x.column(0) * y[0] + x.column(1) * y[1]) + x.column(2) * y[2]);
}

LANEFOLD_INLINE WVec3 project_on_a(const BoxLanes& x, const WVec3& q) {
    return {clamp_to(x.ha[0], q.x), clamp_to(x.ha[1], q.y), clamp_to(x.ha[2], q.z)};
}
LANEFOLD_INLINE WVec3 project_on_b(const BoxLanes& x, const WVec3& p) {
    WFloat y[3];
    place_in_b(x, p, y);
    for (int k = 0; k < 3; ++k) y[k] = clamp_to(x.hb[k], y[k]);
    return place_in_a(x, y);
}

// The coordinate of a point of a box towards `along`: the end of the box, or where `along` is small, x.
LANEFOLD_INLINE WFloat reach_towards(WFloat along, WFloat small2, WFloat h, WFloat x) {
    return select(along * along > small2, with_sign(along > splat(0.0F), h), clamp_to(h, x));
}

// Squares of the sines of the angles below which the vector counts as perpendicular, step by step.
inline constexpr float kSmallParts[2] = {0.02F, 0.0002F};

// About the vector from the closest point of A to that of B. kTurned: for boxes that are turned against each other.
template <bool kTurned>
LANEFOLD_INLINE WVec3 approach(const BoxLanes& x) {
    WVec3 p = project_on_a(x, x.t);
    WVec3 q = project_on_b(x, p);
    for (int step = 0; kTurned && step < 2; ++step) {
        const WVec3 v = q - p;
        const WFloat small2 = dot(v, v) * splat(kSmallParts[step]);
        p = {reach_towards(v.x, small2, x.ha[0], q.x), reach_towards(v.y, small2, x.ha[1], q.y),
             reach_towards(v.z, small2, x.ha[2], q.z)};
        WFloat y[3];
        place_in_b(x, p, y);
        for (int k = 0; k < 3; ++k) y[k] = reach_towards(negate(dot(x.column(k), v)), small2, x.hb[k], y[k]);
        p = project_on_a(x, place_in_a(x, y));
        q = project_on_b(x, p);
    }
    p = project_on_a(x, q);
    return project_on_b(x, p) - p;
}

// The edge of a box that reaches furthest along `out`, of those most nearly perpendicular to it.
LANEFOLD_INLINE BoxNearPoint edge_towards(const WFloat* out, const WFloat* h) {
    const WFloat size[3] = {abs(out[0]), abs(out[1]), abs(out[2])};
    const WMask second = size[1] < size[0];
    const WInt axis01 = select(second, WInt(1), WInt(0));
    BoxNearPoint r;
    r.axis = select(size[2] < min(size[0], size[1]), WInt(2), axis01);
    for (int k = 0; k < 3; ++k) {
        r.up[k] = out[k] > splat(0.0F);
        r.at[k] = select(r.axis == WInt(k), splat(0.0F), with_sign(r.up[k], h[k]));
    }
    return r;
}

// Two edges, unlike those of geometry/nearest.hpp by their middles: of unit length, mostly parallel, and a middle that
// is nearest counts before an end. A's is about the origin along one of its axes, B's about `middle` along the unit
// vector b; and the parameters of their closest points.
struct BoxEdgePair {
    BoxAxis a;
    WVec3 along_b, middle;
    WFloat reach_a, reach_b;
    WFloat s, t, distance2;

    LANEFOLD_INLINE WVec3 between(WFloat at_a, WFloat at_b) const {
        const WFloat zero(0.0F);
        const WVec3 q = middle + along_b * at_b;
        return {q.x - select(a.is0, at_a, zero), q.y - select(a.is1, at_a, zero),
                q.z - select(a.is0 | a.is1, zero, at_a)};
    }
    LANEFOLD_INLINE void offer(WFloat at_a, WFloat at_b) {
        const WVec3 w = between(at_a, at_b);
        const WFloat square = dot(w, w);
        const WMask nearer = square < distance2 * splat(1.0F - kNearerEnd);
        distance2 = select(nearer, square, distance2);
        s = select(nearer, at_a, s);
        t = select(nearer, at_b, t);
    }
};

LANEFOLD_INLINE void close_edges(BoxEdgePair& e, WFloat size_sum) {
    const WFloat cosine = e.a.choose(e.along_b.x, e.along_b.y, e.along_b.z);
    const WFloat ahead = e.a.choose(e.middle.x, e.middle.y, e.middle.z);
    const WFloat along = dot(e.middle, e.along_b);
    // The middle of the part that parallel edges have beside each other.
    const WFloat half = e.reach_b * abs(cosine);
    const WFloat low = max(negate(e.reach_a), ahead - half);
    const WFloat high = min(e.reach_a, ahead + half);
    const WMask beside = less_of(abs(cosine) > splat(kParallelCosine), size_sum * splat(kLeastOverlap), high - low);
    e.s = (low + high) * splat(0.5F);
    e.t = clamp_to(e.reach_b, (e.s - ahead) * sign_of(cosine));
    const WVec3 w = e.between(e.s, e.t);
    e.distance2 = select(beside, dot(w, w), splat(kHighest));
    const WFloat ends_a[2] = {negate(e.reach_a), e.reach_a};
    const WFloat ends_b[2] = {negate(e.reach_b), e.reach_b};
    for (const WFloat& end : ends_a) e.offer(end, clamp_to(e.reach_b, end * cosine - along));
    for (const WFloat& end : ends_b) e.offer(clamp_to(e.reach_a, ahead + end * cosine), end);
}

// Sets the coordinate of a point along its edge.
LANEFOLD_INLINE void set_along(BoxNearPoint& p, WFloat value, WFloat reach) {
    p.corner = reach <= abs(value);
    for (int k = 0; k < 3; ++k) {
        const WMask own = p.axis == WInt(k);
        p.at[k] = select(own, value, p.at[k]);
        p.up[k] = (own & (value > splat(0.0F))) | (~own & p.up[k]);
    }
}

// w without its components along the edges of points that are no corners, and without rounding that leads away from a
// corner's own side.
LANEFOLD_INLINE WVec3 without_rounding(const BoxLanes& x, const BoxNearPoint& a, const BoxNearPoint& b, const WVec3& w,
                                       WFloat size_sum) {
    const WFloat zero(0.0F);
    const WFloat rounding = size_sum * splat(kNearestRounding);
    WFloat v[3] = {w.x, w.y, w.z};
    for (int k = 0; k < 3; ++k) {
        const WMask back = (abs(v[k]) <= rounding) & (v[k] * a.at[k] < zero);
        v[k] = select(back | (~a.corner & (a.axis == WInt(k))), zero, v[k]);
    }
    WVec3 out = {v[0], v[1], v[2]};
    for (int k = 0; k < 3; ++k) {
        const WFloat along = dot(x.column(k), out);
        const WMask back = (abs(along) <= rounding) & (zero < along * b.at[k]);
        out = out - x.column(k) * select(back | (~b.corner & (b.axis == WInt(k))), along, zero);
    }
    return out;
}

// How far a box reaches beyond one of its points along a direction. Both ends of an edge count, so that no end of an
// edge that is named is further below than that.
LANEFOLD_INLINE WFloat beyond(const WFloat* n, const WFloat* h, const BoxNearPoint& p) {
    WFloat sum(0.0F);
    for (int k = 0; k < 3; ++k) {
        const WFloat reach = abs(n[k]) * h[k];
        const WMask along_edge = ~p.corner & (p.axis == WInt(k));
        sum = sum + select(along_edge, reach + reach, reach - n[k] * p.at[k]);
    }
    return sum;
}

template <bool kTurned>
inline void box_nearest(const BoxLanes& x, BoxNearest& out) {
    const WVec3 v = approach<kTurned>(x);
    const WFloat to_b[3] = {v.x, v.y, v.z};
    const WFloat to_a[3] = {negate(dot(x.column(0), v)), negate(dot(x.column(1), v)), negate(dot(x.column(2), v))};
    out.a = edge_towards(to_b, x.ha);
    out.b = edge_towards(to_a, x.hb);
    const BoxAxis of_a = BoxAxis::of(out.a.axis);
    const BoxAxis of_b = BoxAxis::of(out.b.axis);
    const WFloat size_sum = x.size_a + x.size_b;
    BoxEdgePair e;
    e.a = of_a;
    e.along_b = of_b.choose(x.column(0), x.column(1), x.column(2));
    e.middle = place_in_a(x, out.b.at) - WVec3{out.a.at[0], out.a.at[1], out.a.at[2]};
    e.reach_a = of_a.choose(x.ha[0], x.ha[1], x.ha[2]);
    e.reach_b = of_b.choose(x.hb[0], x.hb[1], x.hb[2]);
    close_edges(e, size_sum);
    set_along(out.a, e.s, e.reach_a);
    set_along(out.b, e.t, e.reach_b);
    const WVec3 between = e.between(e.s, e.t);
    const WVec3 w = without_rounding(x, out.a, out.b, between, size_sum);
    out.distance = sqrt(dot(w, w));
    out.n = {w.x / out.distance, w.y / out.distance, w.z / out.distance};
    out.point = WVec3{out.a.at[0], out.a.at[1], out.a.at[2]} + between * splat(0.5F);
    const WFloat n[3] = {out.n.x, out.n.y, out.n.z};
    const WFloat m[3] = {negate(dot(x.column(0), out.n)), negate(dot(x.column(1), out.n)),
                         negate(dot(x.column(2), out.n))};
    const WFloat deficit = beyond(n, x.ha, out.a) + beyond(m, x.hb, out.b);
    out.proven = (deficit <= size_sum * splat(kNearestDeficit)) & (size_sum * splat(kLeastNearest) < out.distance);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
