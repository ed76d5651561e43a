// SPDX-License-Identifier: MIT
//
// Edge contacts of boxes, lanes = pairs. For boxes that are apart it also tests whether the separation along the best
// edge axis is the distance.
#pragma once

#include "box/axes.hpp"
#include "box/features.hpp"
#include "pair/edge_axis.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct BoxEdgeContact {
    WVec3 n;        // from A to B, A's frame
    WVec3 point;    // midway between the edges, A's frame
    WMask inside;   // both closest points lie on their edges, rounding allowed for
    WMask meet;     // the closest points differ by the separation along n
    WMask up_a[3];  // signs of A's support along n, and of B's along -n, per own axis
    WMask up_b[3];
};

// The common normal of the two edges.
struct BoxEdgeAxis {
    WVec3 along_b;   // direction of B's edge
    WFloat length2;  // |e_a x along_b|^2
    WVec3 n;         // from A to B
};

LANEFOLD_INLINE BoxEdgeAxis box_edge_axis(const BoxLanes& x, const BoxAxis& a, const BoxAxis& b) {
    const WFloat zero(0.0F);
    BoxEdgeAxis e;
    e.along_b = b.choose(x.column(0), x.column(1), x.column(2));
    const WVec3& d = e.along_b;
    const WVec3 c =
        a.choose(WVec3{zero, negate(d.z), d.y}, WVec3{d.z, zero, negate(d.x)}, WVec3{negate(d.y), d.x, zero});
    e.length2 = dot(c, c);
    const WFloat length = sqrt(e.length2);
    const WVec3 u = {c.x / length, c.y / length, c.z / length};
    e.n = select(dot(c, x.t) < zero, negate(u), u);
    return e;
}

// The middles of the two edges in A's frame: the supports along n and -n without the edge's own axis.
struct BoxEdgeMiddles {
    WFloat a[3];
    WVec3 b;
};

LANEFOLD_INLINE BoxEdgeMiddles edge_middles(const BoxLanes& x, WInt axis_a, WInt axis_b, BoxEdgeContact& out) {
    const WFloat zero(0.0F);
    const WFloat n[3] = {out.n.x, out.n.y, out.n.z};
    BoxEdgeMiddles middle;
    for (int k = 0; k < 3; ++k) {
        out.up_a[k] = n[k] > zero;
        const WFloat h = select(out.up_a[k], x.ha[k], negate(x.ha[k]));
        middle.a[k] = select(axis_a == WInt(k), zero, h);
    }
    middle.b = x.t;
    for (int k = 0; k < 3; ++k) {
        const WVec3 axis = x.column(k);
        out.up_b[k] = dot(axis, out.n) < zero;
        const WFloat h = select(out.up_b[k], x.hb[k], negate(x.hb[k]));
        middle.b = middle.b + axis * select(axis_b == WInt(k), zero, h);
    }
    return middle;
}

// `value`: the separation along the axis.
inline void box_edge_contact(const BoxLanes& x, WInt axis_a, WInt axis_b, WFloat value, BoxEdgeContact& out) {
    const WFloat zero(0.0F);
    const BoxAxis a = BoxAxis::of(axis_a);
    const BoxAxis b = BoxAxis::of(axis_b);
    const BoxEdgeAxis axis = box_edge_axis(x, a, b);
    out.n = axis.n;
    const BoxEdgeMiddles middle = edge_middles(x, axis_a, axis_b, out);
    // Closest points of two lines with unit directions e_i and R_j; 1 - (e_i . R_j)^2 = |c|^2 (C. Ericson, Real-Time
    // Collision Detection, 2005, 5.1.8).
    const WVec3 d = middle.b - WVec3{middle.a[0], middle.a[1], middle.a[2]};
    const WFloat da = a.choose(d.x, d.y, d.z);
    const WFloat db = dot(d, axis.along_b);
    const WFloat ab = a.choose(axis.along_b.x, axis.along_b.y, axis.along_b.z);
    const WFloat along_edge_a = da - ab * db;
    const WFloat along_edge_b = ab * da - db;
    const WFloat mu_a = along_edge_a / axis.length2;
    const WFloat mu_b = along_edge_b / axis.length2;
    const WFloat reach_a = a.choose(x.ha[0], x.ha[1], x.ha[2]);
    const WFloat reach_b = b.choose(x.hb[0], x.hb[1], x.hb[2]);
    const WFloat sizes = x.size_a + x.size_b;
    const WFloat doubt = splat(kParameterError) * sizes;  // the directions are unit vectors
    out.inside =
        (abs(along_edge_a) <= reach_a * axis.length2 - doubt) & (abs(along_edge_b) <= reach_b * axis.length2 - doubt);
    const WFloat sa = max(min(mu_a, reach_a), negate(reach_a));
    const WFloat sb = max(min(mu_b, reach_b), negate(reach_b));
    const WVec3 on_a = {middle.a[0] + select(a.is0, sa, zero), middle.a[1] + select(a.is1, sa, zero),
                        middle.a[2] + select(axis_a == WInt(2), sa, zero)};
    const WVec3 on_b = middle.b + axis.along_b * sb;
    out.meet = edges_meet(on_b - on_a, out.n, value, sizes);
    out.point = (on_a + on_b) * splat(0.5F);
}

// The number of each lane's edge: 4 axis + s_(axis + 1) + 2 s_(axis + 2), where s are the signs of its support, 0 or 1.
LANEFOLD_INLINE WInt edge_of_signs(WInt index, const WMask* up) {
    const BoxAxis axis = BoxAxis::of(index);
    const WInt zero(0);
    const WInt one[3] = {select(up[0], WInt(1), zero), select(up[1], WInt(1), zero), select(up[2], WInt(1), zero)};
    const WInt first = axis.choose(one[1], one[2], one[0]);
    const WInt second = axis.choose(one[2], one[0], one[1]);
    return (index * WInt(4) + first) + (second + second);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
