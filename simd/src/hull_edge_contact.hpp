// SPDX-License-Identifier: MIT
//
// Edge contacts, lanes = pairs: one point midway between the closest points of the two edges.
#pragma once

#include "emit.hpp"
#include "hull_decide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Distance, in (size A + size B), by which the closest points of the two edges may miss the axis.
inline constexpr float kWitnessTolerance = 1e-6F;

// Do the closest points lie `value` apart along n? Of nearly parallel edges the axis can be the best one (by rounding) while
// their closest points are anywhere along them: the float64 path then finds edges that do meet.
LANEFOLD_INLINE WMask edges_meet(const WVec3& from_a_to_b, const WVec3& n, WFloat value, WFloat size_sum) {
    const WVec3 miss = from_a_to_b - n * value;
    const WFloat allowed = size_sum * splat(kWitnessTolerance);
    return dot(miss, miss) <= allowed * allowed;
}

// An edge on its way into a lane.
struct alignas(64) EdgeRow {
    float p[3];   // first vertex
    float e[3];   // second minus first
    float n0[3];  // normals of face0 and face1
    float n1[3];
    float unused[4];
};

// Edge e of a hull as a row, in that hull's own frame.
LANEFOLD_INLINE void write_edge_row(const HullFloats& h, const HullTopology& topology, std::uint32_t e, EdgeRow& row) {
    const std::uint32_t v0 = topology.edge_vertex[2 * e];
    const std::uint32_t v1 = topology.edge_vertex[2 * e + 1];
    const std::uint32_t f0 = topology.edge_face0[e];
    const std::uint32_t f1 = topology.edge_face1[e];
    row.p[0] = h.vx[v0];
    row.p[1] = h.vy[v0];
    row.p[2] = h.vz[v0];
    row.e[0] = h.vx[v1] - row.p[0];
    row.e[1] = h.vy[v1] - row.p[1];
    row.e[2] = h.vz[v1] - row.p[2];
    row.n0[0] = h.nx[f0];
    row.n0[1] = h.ny[f0];
    row.n0[2] = h.nz[f0];
    row.n1[0] = h.nx[f1];
    row.n1[1] = h.ny[f1];
    row.n1[2] = h.nz[f1];
}

LANEFOLD_INLINE WFloat clamp01(WFloat x) { return max(min(x, splat(1.0F)), splat(0.0F)); }

template <class Record>
inline void stage_edge_contacts(const ChunkJob& job, ChunkScratch::Impl& s, Record* out, ChunkTotals& totals) {
    for (std::uint32_t begin = 0; begin < s.edge_count; begin += kWidth) {
        const std::uint32_t lanes = s.edge_count - begin < kWidth ? s.edge_count - begin : kWidth;
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        EdgeRow edges_a[kWidth];
        EdgeRow edges_b[kWidth];
        const float* rows_a[kWidth];
        const float* rows_b[kWidth];
        const float* poses[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const std::uint32_t slot = s.edge_list[begin + (l < lanes ? l : 0)];
            const PairRow& row = s.rows[slot];
            const HullRecord& a = job.hulls[row.hull_a];
            const HullRecord& b = job.hulls[row.hull_b];
            const PairOptimum& o = s.optimum[slot];
            const std::uint32_t at = l < lanes ? l : 0;
            if (l < lanes) {
                write_edge_row(hull_floats(a), hull_topology(a), o.edge_a, edges_a[l]);
                write_edge_row(hull_floats(b), hull_topology(b), o.edge_b, edges_b[l]);
            }
            rows_a[l] = edges_a[at].p;
            rows_b[l] = edges_b[at].p;
            poses[l] = row.r;
        }
        WFloat a[16];
        WFloat b[16];
        WFloat pose[16];
        load_rows16(rows_a, a);
        load_rows16(rows_b, b);
        load_rows16(poses, pose);
        const auto into_a = [&](const WVec3& v) {
            return WVec3{dot({pose[0], pose[1], pose[2]}, v), dot({pose[3], pose[4], pose[5]}, v),
                         dot({pose[6], pose[7], pose[8]}, v)};
        };
        const EdgeLanes lanes_a = {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}, {a[9], a[10], a[11]}};
        const EdgeLanes lanes_b = {into_a({b[0], b[1], b[2]}) + WVec3{pose[9], pose[10], pose[11]},
                                   into_a({b[3], b[4], b[5]}), into_a({b[6], b[7], b[8]}),
                                   into_a({b[9], b[10], b[11]})};
        const WVec3& pa = lanes_a.p;
        const WVec3& ea = lanes_a.e;
        const WVec3& pb = lanes_b.p;
        const WVec3& eb = lanes_b.e;
        const WVec3 d = pb - pa;
        const EdgeAxis axis = edge_axis(edge_cross(lanes_a, lanes_b).c, ea, d);
        // Closest points of two lines (C. Ericson, Real-Time Collision Detection, 2005, 5.1.8).
        const WFloat aa = dot(ea, ea);
        const WFloat ab = dot(ea, eb);
        const WFloat bb = dot(eb, eb);
        const WFloat da = dot(d, ea);
        const WFloat db = dot(d, eb);
        const WFloat det = aa * bb - ab * ab;
        const WFloat mu_a = clamp01((da * bb - db * ab) / det);
        const WFloat mu_b = clamp01((da * ab - db * aa) / det);
        const WVec3 on_a = pa + ea * mu_a;
        const WVec3 on_b = pb + eb * mu_b;
        const WVec3 mid = (on_a + on_b) * splat(0.5F);
        alignas(64) float value[kWidth], sizes[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const std::uint32_t slot = s.edge_list[begin + (l < lanes ? l : 0)];
            value[l] = s.optimum[slot].edge_value;
            sizes[l] = s.axes[slot].size_sum;
        }
        const std::uint32_t meet = bits(edges_meet(on_b - on_a, axis.n, WFloat::load(value), WFloat::load(sizes)));

        alignas(64) float n[3][kWidth];
        alignas(64) float m[3][kWidth];
        axis.n.x.store(n[0]);
        axis.n.y.store(n[1]);
        axis.n.z.store(n[2]);
        mid.x.store(m[0]);
        mid.y.store(m[1]);
        mid.z.store(m[2]);
        for (std::uint32_t l = 0; l < lanes; ++l) {
            const std::uint32_t slot = s.edge_list[begin + l];
            const PairRow& row = s.rows[slot];
            const PairOptimum& o = s.optimum[slot];
            if (((meet >> l) & 1U) == 0) {
                ++totals.counters.distance_finished;
                s.precise_list[s.precise_count++] = row.pair;
                continue;
            }
            Record& r = out[row.pair];
            const ContactHeader h = {
                {n[0][l], n[1][l], n[2][l]}, o.edge_value, ContactKind::edge_edge, o.edge_a, o.edge_b};
            write_header(job, row.pair, h, r);
            if constexpr (!__is_same(Record, PairDistance)) {
                const FeatureCounts count_a = job.hulls[row.hull_a].feature_counts();
                const FeatureCounts count_b = job.hulls[row.hull_b].feature_counts();
                r.total = 1;
                write_point(frame_a(job, row.pair), {m[0][l], m[1][l], m[2][l]}, o.edge_value,
                            feature_id(count_a.faces + o.edge_a, count_b.faces + o.edge_b, count_b.total()), r);
            }
            ++totals.counters.edge_contacts;
            count_record(job, row.pair, r, totals);
        }
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
