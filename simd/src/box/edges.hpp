// SPDX-License-Identifier: MIT
//
// Edge contacts of boxes, lanes = pairs; and, for boxes apart, whether the best edge axis is the distance.
#pragma once

#include "box/axes.hpp"
#include "box/features.hpp"
#include "pair/edge_axis.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct BoxEdgeContact {
    WVec3 n;        // from A to B, A's frame
    WVec3 point;    // midway, A's frame
    WMask inside;   // both closest points lie on their edges, beyond doubt
    WMask meet;     // they are as far apart along n as the axis says
    WMask up_a[3];  // signs of A's support along n, and of B's along -n, per own axis
    WMask up_b[3];
};

// `value`: the separation along the axis.
inline void box_edge_contact(const BoxLanes& x, WInt axis_a, WInt axis_b, WFloat value, BoxEdgeContact& out) {
    const WFloat zero(0.0F);
    const WMask a0 = axis_a == WInt(0);
    const WMask a1 = axis_a == WInt(1);
    const WMask b0 = axis_b == WInt(0);
    const WMask b1 = axis_b == WInt(1);
    const WVec3 along_b = {choose(b0, b1, x.r[0][0], x.r[0][1], x.r[0][2]),
                           choose(b0, b1, x.r[1][0], x.r[1][1], x.r[1][2]),
                           choose(b0, b1, x.r[2][0], x.r[2][1], x.r[2][2])};
    const WVec3 c = {choose(a0, a1, zero, along_b.z, negate(along_b.y)),
                     choose(a0, a1, negate(along_b.z), zero, along_b.x),
                     choose(a0, a1, along_b.y, negate(along_b.x), zero)};
    const WFloat length2 = dot(c, c);
    const WFloat length = sqrt(length2);
    const WVec3 u = {c.x / length, c.y / length, c.z / length};
    const WVec3 n = select(dot(c, x.t) < zero, negate(u), u);

    // Midpoints of the two edges: supports along n and -n with the edge's own axis left out.
    const WFloat n_axis[3] = {n.x, n.y, n.z};
    WFloat pa[3];
    for (int k = 0; k < 3; ++k) {
        out.up_a[k] = n_axis[k] > zero;
        pa[k] = select(out.up_a[k], x.ha[k], negate(x.ha[k]));
        pa[k] = select(axis_a == WInt(k), zero, pa[k]);
    }
    WVec3 pb = x.t;
    for (int k = 0; k < 3; ++k) {
        const WVec3 axis = {x.r[0][k], x.r[1][k], x.r[2][k]};
        out.up_b[k] = dot(axis, n) < zero;
        WFloat h = select(out.up_b[k], x.hb[k], negate(x.hb[k]));
        h = select(axis_b == WInt(k), zero, h);
        pb = pb + axis * h;
    }
    // Closest points of two lines with unit directions e_i and R_j; 1 - (e_i . R_j)^2 = |c|^2.
    const WVec3 d = pb - WVec3{pa[0], pa[1], pa[2]};
    const WFloat da = choose(a0, a1, d.x, d.y, d.z);
    const WFloat db = dot(d, along_b);
    const WFloat ab = choose(a0, a1, along_b.x, along_b.y, along_b.z);
    const WFloat along_edge_a = da - ab * db;
    const WFloat along_edge_b = ab * da - db;
    const WFloat mu_a = along_edge_a / length2;
    const WFloat mu_b = along_edge_b / length2;
    const WFloat reach_a = choose(a0, a1, x.ha[0], x.ha[1], x.ha[2]);
    const WFloat reach_b = choose(b0, b1, x.hb[0], x.hb[1], x.hb[2]);
    const WFloat sizes = x.size_a + x.size_b;
    const WFloat doubt = splat(kParameterError) * sizes;  // the directions are unit vectors
    out.inside = (abs(along_edge_a) <= reach_a * length2 - doubt) & (abs(along_edge_b) <= reach_b * length2 - doubt);
    const WFloat sa = max(min(mu_a, reach_a), negate(reach_a));
    const WFloat sb = max(min(mu_b, reach_b), negate(reach_b));
    const WVec3 on_a = {pa[0] + select(a0, sa, zero), pa[1] + select(a1, sa, zero),
                        pa[2] + select(axis_a == WInt(2), sa, zero)};
    const WVec3 on_b = pb + along_b * sb;
    out.meet = edges_meet(on_b - on_a, n, value, sizes);
    out.n = n;
    out.point = (on_a + on_b) * splat(0.5F);
}

// Edge 4 axis + s_(axis + 1) + 2 s_(axis + 2) of each lane, s from the signs of its support.
LANEFOLD_INLINE WInt edge_of_signs(WInt axis, const WMask* up) {
    const WMask is0 = axis == WInt(0);
    const WMask is1 = axis == WInt(1);
    const WInt zero(0);
    const WInt one[3] = {select(up[0], WInt(1), zero), select(up[1], WInt(1), zero), select(up[2], WInt(1), zero)};
    const WInt first = select(is0, one[1], select(is1, one[2], one[0]));
    const WInt second = select(is0, one[2], select(is1, one[0], one[1]));
    return (axis * WInt(4) + first) + (second + second);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
