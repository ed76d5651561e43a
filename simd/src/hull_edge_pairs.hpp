// SPDX-License-Identifier: MIT
//
// Edge pairs: lanes = combinations of a surviving edge of A with one of B, whatever pairs they belong to.
//
// Two edges build a face of the Minkowski difference iff their arcs cross on the Gauss map (D. Gregorius, "The
// Separating Axis Test between Convex Polyhedra", GDC 2013). The axis is then the normalised cross product.
#pragma once

#include "chunk_scratch_impl.hpp"
#include "hull_arcs.hpp"
#include "support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// sin^2 of the angle between two edges below which their cross product is not a usable axis. At sin = 1e-6 the
// separation varies by less than 1e-6 of size along the whole stretch that is given up.
inline constexpr float kParallelSine2 = 1e-12F;

// An axis is evaluated with full supports instead of being trusted when (length of the shorter edge) * sin is below
// a tenth of the hulls' size: the ends of the edges are known to 1e-7 of size, so the axis may lean by ten times that.
inline constexpr float kDoubtfulReach2 = 1e-2F;

// B's new rows into A's frame.
inline void transform_edge_rows(ChunkScratch::Impl& s) {
    const std::uint32_t first = s.transformed;
    const std::uint32_t last = s.edge_row_b_count;
    s.transformed = last;
    for (std::uint32_t i = first; i < last; i += kWidth) {
        const float* rows[kWidth];
        const float* poses[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const EdgeRow& row = s.edge_rows_b[i + l < last ? i + l : i];
            rows[l] = row.p;
            poses[l] = s.rows[row.slot].r;
        }
        WFloat e[16];
        WFloat p[16];
        load_rows16(rows, e);
        load_rows16(poses, p);
        const WVec3 row0 = {p[0], p[1], p[2]};
        const WVec3 row1 = {p[3], p[4], p[5]};
        const WVec3 row2 = {p[6], p[7], p[8]};
        WFloat out[16];
        for (int v = 0; v < 4; ++v) {
            const WVec3 x = {e[3 * v], e[3 * v + 1], e[3 * v + 2]};
            out[3 * v] = dot(row0, x);
            out[3 * v + 1] = dot(row1, x);
            out[3 * v + 2] = dot(row2, x);
        }
        for (int k = 0; k < 3; ++k) out[k] = out[k] + p[9 + k];
        for (int k = 12; k < 16; ++k) out[k] = e[k];
        if (i + kWidth <= last) {
            store_rows16(out, s.edge_rows_b[i].p);
        } else {
            alignas(64) float tail[16 * kWidth];
            store_rows16(out, tail);
            __builtin_memcpy(&s.edge_rows_b[i], tail, (last - i) * sizeof(EdgeRow));
        }
    }
}

struct EdgeAxis {
    WVec3 n;         // unit, from A to B
    WFloat value;    // separation of the two lines along n
    WMask crossing;  // the arcs cross and the edges are not parallel
    WMask doubtful;
};

// Both edges in A's frame. `lever`: mean size of the hulls.
LANEFOLD_INLINE EdgeAxis edge_axis(WFloat lever, const WVec3& pa, const WVec3& ea, const WVec3& a0, const WVec3& a1,
                                   const WVec3& pb, const WVec3& eb, const WVec3& b0, const WVec3& b1) {
    const WFloat zero(0.0F);
    const WFloat x0 = dot(b0, ea);
    const WFloat x1 = dot(b1, ea);
    const WFloat y0 = dot(a0, eb);
    const WFloat y1 = dot(a1, eb);
    const WMask up = (x0 < zero) & (x1 > zero) & (y0 < zero) & (y1 > zero);
    const WMask down = (x0 > zero) & (x1 < zero) & (y0 > zero) & (y1 < zero);
    const WFloat ea2 = dot(ea, ea);
    const WFloat eb2 = dot(eb, eb);
    const WVec3 c = cross(ea, eb);
    const WFloat product = ea2 * eb2;
    const WFloat c2 = dot(c, c);
    const WMask usable = c2 > product * splat(kParallelSine2);
    // Rounding tilts c towards the edges by about 1e-7 / sin; take that out against one edge, which (the other
    // being nearly parallel where it matters) takes it out against both.
    const WVec3 u = c - ea * (dot(c, ea) / ea2);
    const WFloat length = sqrt(dot(u, u));
    EdgeAxis r;
    r.crossing = (up | down) & usable;
    r.doubtful = c2 < max(ea2, eb2) * (lever * lever * splat(kDoubtfulReach2));
    // n = y1 n0 - y0 n1 (up to a positive factor) lies on A's arc, and ea x eb is its opposite when y0 < 0 < y1.
    const WVec3 n = {u.x / length, u.y / length, u.z / length};
    r.n = select(up, negate(n), n);
    r.value = dot(r.n, pb - pa);
    return r;
}

// Separation of the pair in `slot` along n (unit, A's frame) by full supports.
inline float full_support_separation(const ChunkJob& job, const PairRow& row, float nx, float ny, float nz) {
    const HullFloats a = hull_floats(job.hulls[row.hull_a]);
    const HullFloats b = hull_floats(job.hulls[row.hull_b]);
    const float* r = row.r;
    const Best top = support(a, nx, ny, nz);
    const Best low = support(b, -((r[0] * nx + r[3] * ny) + r[6] * nz), -((r[1] * nx + r[4] * ny) + r[7] * nz),
                             -((r[2] * nx + r[5] * ny) + r[8] * nz));
    return (((nx * row.t[0] + ny * row.t[1]) + nz * row.t[2]) - low.value) - top.value;
}

// Evaluates all waiting combinations and folds them into their pairs' optimum, in order: the first (lowest
// edge of A, then of B) keeps a tie.
inline void flush_edge_pairs(const ChunkJob& job, ChunkScratch::Impl& s) {
    LANEFOLD_STAGE_DONE(arcs);
    transform_edge_rows(s);
    const std::uint32_t count = s.edge_pair_count;
    LANEFOLD_STAGE_LANES(count, lanes_up(count));
    float* value = s.pair_value.data();
    float* normal_x = s.pair_normal.data();
    float* normal_y = normal_x + kEdgePairBatch + kBlockLanes;
    float* normal_z = normal_y + kEdgePairBatch + kBlockLanes;
    for (std::uint32_t i = 0; i < count; i += kWidth) {
        const float* rows_a[kWidth];
        const float* rows_b[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const EdgePair& p = s.edge_pairs[i + l < count ? i + l : i];
            rows_a[l] = s.edge_rows_a[p.row_a].p;
            rows_b[l] = s.edge_rows_b[p.row_b].p;
        }
        WFloat a[16];
        WFloat b[16];
        load_rows16(rows_a, a);
        load_rows16(rows_b, b);
        const EdgeAxis axis =
            edge_axis(a[14], {a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}, {a[9], a[10], a[11]},
                      {b[0], b[1], b[2]}, {b[3], b[4], b[5]}, {b[6], b[7], b[8]}, {b[9], b[10], b[11]});
        select(axis.crossing, axis.value, splat(-3.402823466e+38F)).store(value + i);
        axis.n.x.store(normal_x + i);
        axis.n.y.store(normal_y + i);
        axis.n.z.store(normal_z + i);
        const std::uint32_t doubtful = bits(axis.doubtful & axis.crossing);
        for (std::uint32_t l = 0; l < kWidth; ++l) s.pair_check[i + l] = (doubtful >> l) & 1U;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const EdgePair& p = s.edge_pairs[i];
        const EdgeRow& row_a = s.edge_rows_a[p.row_a];
        PairOptimum& best = s.optimum[row_a.slot];
        float v = value[i];
        if (!(v > best.edge_value)) continue;
        if (s.pair_check[i] != 0) {
            const float full = full_support_separation(job, s.rows[row_a.slot], normal_x[i], normal_y[i], normal_z[i]);
            v = full < v ? full : v;
            if (!(v > best.edge_value)) continue;
        }
        best.edge_value = v;
        best.edge_a = row_a.edge;
        best.edge_b = s.edge_rows_b[p.row_b].edge;
        best.has_edge = 1;
    }
    s.edge_pair_count = 0;
    LANEFOLD_STAGE_DONE(edge_pairs);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
