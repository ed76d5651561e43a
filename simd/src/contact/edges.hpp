// SPDX-License-Identifier: MIT
//
// Edge contacts, lanes = pairs: one point midway between the closest points of the two edges.
#pragma once

#include "contact/gather.hpp"
#include "pair/edge_axis.hpp"
#include "record/lane_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// An edge of A with the plane of its first face, as a row to load.
struct alignas(16) EdgeOfA {
    EdgeEnds ends;
    float plane[4];
};
static_assert(offsetof(EdgeOfA, plane) == 32 && sizeof(EdgeOfA) == 48);
struct LaneEdgeOfA {
    WVec3 from, to, normal;

    LANEFOLD_INLINE static LaneEdgeOfA load(const float* const* rows) {
        WFloat q[12];
        load_quads<3>(rows, q);
        return {{q[0], q[1], q[2]}, {q[4], q[5], q[6]}, {q[8], q[9], q[10]}};
    }
};

// Rows of kWidth edge contacts.
struct EdgeContactRows {
    alignas(64) EdgeOfA edge_a[kWidth];
    alignas(64) EdgeEnds edge_b[kWidth];
    const float* at_a[kWidth];
    const float* at_b[kWidth];
    const float* pose[kWidth];
    const float* axis[kWidth];
    const float* optimum[kWidth];
    const float* counts_a[kWidth];
    const float* counts_b[kWidth];
    const float* frame[kWidth];
};

LANEFOLD_INLINE void find_edge_rows(const ChunkJob& job, const HullPairs& pairs, const std::uint32_t* slots,
                                    std::uint32_t lanes, std::uint32_t* pair, EdgeContactRows& rows) {
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const std::uint32_t slot = slots[l < lanes ? l : 0];
        const PairRow& row = pairs.rows[slot];
        const HullRecord& a = job.hulls[row.hull_a];
        const HullRecord& b = job.hulls[row.hull_b];
        const PairOptimum& o = pairs.optima[slot];
        write_edge_ends(a, o.edge_a, rows.edge_a[l].ends.from);
        write_edge_ends(b, o.edge_b, rows.edge_b[l].from);
        const HullFloats f = hull_floats(a);
        const std::uint32_t face = hull_topology(a).edge_face0[o.edge_a];
        store_quad(load_quad(plane_of(f, face)), rows.edge_a[l].plane);
        rows.at_a[l] = rows.edge_a[l].ends.from;
        rows.at_b[l] = rows.edge_b[l].from;
        rows.pose[l] = row.to_a.r;
        rows.axis[l] = &pairs.axes[slot].face_band;
        rows.optimum[l] = floats_of(&o);
        rows.counts_a[l] = floats_of(&a.vertex_count);
        rows.counts_b[l] = floats_of(&b.vertex_count);
        rows.frame[l] = frame_a(job, row.pair).rotation;
        pair[l] = row.pair;
    }
}

// The axis of two edges and their closest points, in A's frame.
struct ClosestPoints {
    WVec3 n;
    WVec3 on_a, on_b;
};

LANEFOLD_INLINE ClosestPoints closest_points(const LaneEdgeOfA& a, const LaneEdgeEnds& b, const LanePose& to_a) {
    const WVec3 along_a = a.to - a.from;
    const WVec3 from_b = transform(to_a, b.from);
    const WVec3 along_b = rotate(to_a.r, b.to - b.from);
    const WVec3 d = from_b - a.from;
    const ClosestParameters at = closest_parameters(along_a, along_b, d);
    return {edge_axis(cross_towards_b(along_a, a.normal, along_b), along_a, d).n,
            a.from + along_a * clamp01(at.a / at.det), from_b + along_b * clamp01(at.b / at.det)};
}

template <class Record>
inline void stage_edge_contacts(const ChunkJob& job, const HullPairs& pairs, PreciseList& precise, Record* out,
                                ChunkTotals& totals) {
    const SlotList& list = pairs.edges;
    for (std::uint32_t begin = 0; begin < list.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(list.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        EdgeContactRows rows;
        std::uint32_t pair[kWidth];
        find_edge_rows(job, pairs, list.slot.data() + begin, lanes, pair, rows);
        const ClosestPoints closest =
            closest_points(LaneEdgeOfA::load(rows.at_a), LaneEdgeEnds::load(rows.at_b), load_pose(rows.pose));
        const LaneOptimum optimum = LaneOptimum::load(rows.optimum);
        const WFloat size_sum = LaneTolerances::load(rows.axis).size_sum;
        const std::uint32_t in_use = lane_mask(lanes);
        LaneFeatureContact records;
        records.pair = pair;
        records.distance = optimum.value;
        records.emitted = bits(edges_meet(closest.on_b - closest.on_a, closest.n, optimum.value, size_sum)) & in_use;
        alignas(64) float decided[kWidth];
        records.distance.store(decided);
        for (std::uint32_t rest = in_use & ~records.emitted; rest != 0; rest &= rest - 1) {
            ++totals.counters.distance_finished;
            precise.push(pair[lowest_bit(rest)], decided[lowest_bit(rest)]);
        }
        records.normal = closest.n;
        records.point = (closest.on_a + closest.on_b) * splat(0.5F);
        records.feature_a = optimum.edge_a;
        records.feature_b = optimum.edge_b;
        const LaneNumbers numbers_a = load_numbers(rows.counts_a);
        const LaneNumbers numbers_b = load_numbers(rows.counts_b);
        records.number =
            (numbers_a.first_edge + optimum.edge_a) * numbers_b.total + (numbers_b.first_edge + optimum.edge_b);
        records.kind = WInt(static_cast<std::int32_t>(ContactKind::edge_edge));
        const LanePose world = load_pose(rows.frame);
        write_features<false>(job, records, world.r, world.t, out, totals);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
