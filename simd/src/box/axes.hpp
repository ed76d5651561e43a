// SPDX-License-Identifier: MIT
//
// The 15 separating axes of two boxes, lanes = pairs (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", 1996). Every axis
// is evaluated with full supports, here the projection radii of the boxes, so no axis gives a separation that does not
// exist.
//
// Edge axes stay unnormalised while they are compared: s / |c| > s' / |c'| is decided as s |s| c'^2 > s' |s'| c^2. The
// projection of B onto c = e_i x R_j is computed from c itself, not from the entry of R that equals it in exact
// arithmetic. R is orthogonal only up to rounding, and a short c would magnify that error.
#pragma once

#include "box/box_pose.hpp"
#include "pair/tolerances.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct BoxOptimum {
    WFloat face_value;
    WInt face_code;  // 0..2: axes of A, 3..5: of B
    WFloat edge_value;
    WInt edge_code;  // 3 i + j
};

LANEFOLD_INLINE void take_face(WFloat value, std::int32_t code, BoxOptimum& o) {
    // Six of these form one chain through the maximum only, not through a mask and a select.
    o.face_code = select(value > o.face_value, WInt(code), o.face_code);
    o.face_value = max(value, o.face_value);
}

// Half extents of both boxes along axis i of A, and along axis j of B. `r_abs`: the magnitudes of x.r.
LANEFOLD_INLINE WFloat reach_along_a(const BoxLanes& x, const WFloat (&r_abs)[3][3], int i) {
    return x.ha[i] + ((r_abs[i][0] * x.hb[0] + r_abs[i][1] * x.hb[1]) + r_abs[i][2] * x.hb[2]);
}
LANEFOLD_INLINE WFloat reach_along_b(const BoxLanes& x, const WFloat (&r_abs)[3][3], int j) {
    return x.hb[j] + ((r_abs[0][j] * x.ha[0] + r_abs[1][j] * x.ha[1]) + r_abs[2][j] * x.ha[2]);
}
// From A's centre to B's along axis j of B.
LANEFOLD_INLINE WFloat along_b(const BoxLanes& x, int j) {
    return (x.r[0][j] * x.t.x + x.r[1][j] * x.t.y) + x.r[2][j] * x.t.z;
}

LANEFOLD_INLINE void box_faces(const BoxLanes& x, BoxOptimum& o) {
    const WFloat t[3] = {x.t.x, x.t.y, x.t.z};
    WFloat r_abs[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r_abs[i][j] = abs(x.r[i][j]);
    o.face_value = splat(kLowest);
    o.face_code = WInt(0);
    for (int i = 0; i < 3; ++i) take_face(abs(t[i]) - reach_along_a(x, r_abs, i), i, o);
    for (int j = 0; j < 3; ++j) take_face(abs(along_b(x, j)) - reach_along_b(x, r_abs, j), 3 + j, o);
}

LANEFOLD_INLINE void box_edges(const BoxLanes& x, BoxOptimum& o) {
    const WFloat t[3] = {x.t.x, x.t.y, x.t.z};
    WFloat best(kLowest);         // s
    WFloat best_square(kLowest);  // s |s|
    WFloat best_length2(1.0F);
    WInt code(0);
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
        const int u = (i + 1) % 3;
        const int v = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int k = (j + 1) % 3;
            const int l = (j + 2) % 3;
            // c = e_i x R_j: c_u = -R_vj, c_v = R_uj.
            const WFloat cu = negate(x.r[v][j]);
            const WFloat cv = x.r[u][j];
            const WFloat length2 = cu * cu + cv * cv;
            const WFloat along = abs(cu * t[u] + cv * t[v]);
            const WFloat reach_a = x.ha[u] * abs(cu) + x.ha[v] * abs(cv);
            const WFloat reach_b =
                x.hb[k] * abs(cu * x.r[u][k] + cv * x.r[v][k]) + x.hb[l] * abs(cu * x.r[u][l] + cv * x.r[v][l]);
            const WFloat s = along - (reach_a + reach_b);
            const WFloat square = s * abs(s);
            // In this order, because nine of these form one chain. The mask `usable` does not depend on it.
            const WMask usable = length2 > splat(kParallelSine2);
            const WMask better = less_of(usable, best_square * length2, square * best_length2);
            best = select(better, s, best);
            best_square = select(better, square, best_square);
            best_length2 = select(better, length2, best_length2);
            code = select(better, WInt(3 * i + j), code);
        }
    }
    o.edge_value = best / sqrt(best_length2);
    o.edge_code = code;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
