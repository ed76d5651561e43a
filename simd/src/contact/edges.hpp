// SPDX-License-Identifier: MIT
//
// Edge contacts, lanes = pairs: one point midway between the closest points of the two edges.
#pragma once

#include "contact/gather.hpp"
#include "pair/edge_axis.hpp"
#include "record/lane_edge_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Rows of kWidth edge contacts.
struct EdgeContactRows {
    // The ends of each edge, then the plane of its first face.
    alignas(64) float edge_a[kWidth][12];
    alignas(64) float edge_b[kWidth][12];
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
        write_edge_ends(a, o.edge_a, rows.edge_a[l]);
        write_edge_ends(b, o.edge_b, rows.edge_b[l]);
        const HullFloats f = hull_floats(a);
        const std::uint32_t face = hull_topology(a).edge_face0[o.edge_a];
        store_quad(load_quad(plane_of(f, face)), rows.edge_a[l] + 8);
        rows.at_a[l] = rows.edge_a[l];
        rows.at_b[l] = rows.edge_b[l];
        rows.pose[l] = row.to_a.r;
        rows.axis[l] = &pairs.axes[slot].face_band;
        rows.optimum[l] = floats_of(&o.edge_value);
        rows.counts_a[l] = floats_of(&a.vertex_count);
        rows.counts_b[l] = floats_of(&b.vertex_count);
        rows.frame[l] = frame_a(job, row.pair).rotation;
        pair[l] = row.pair;
    }
}

template <class Record>
inline void stage_edge_contacts(const ChunkJob& job, const HullPairs& pairs, PreciseList& precise, Record* out,
                                ChunkTotals& totals) {
    const SlotList& list = pairs.edges;
    for (std::uint32_t begin = 0; begin < list.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(list.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const std::uint32_t* slots = list.slot.data() + begin;
        EdgeContactRows rows;
        std::uint32_t pair[kWidth];
        find_edge_rows(job, pairs, slots, lanes, pair, rows);
        WFloat a[12];
        WFloat b[8];
        WFloat pose[12];
        WFloat optimum[4];
        WFloat axis_row[4];
        load_quads<3>(rows.at_a, a);
        load_quads<2>(rows.at_b, b);
        load_quads<3>(rows.pose, pose);
        load_rows4(rows.optimum, optimum);
        load_rows4(rows.axis, axis_row);
        const WVec3 to_a[3] = {{pose[0], pose[1], pose[2]}, {pose[3], pose[4], pose[5]}, {pose[6], pose[7], pose[8]}};
        const WVec3 pa = {a[0], a[1], a[2]};
        const WVec3 ea = WVec3{a[4], a[5], a[6]} - pa;
        const WVec3 b0 = {b[0], b[1], b[2]};
        const WVec3 pb = times(to_a, b0) + WVec3{pose[9], pose[10], pose[11]};
        const WVec3 eb = times(to_a, WVec3{b[4], b[5], b[6]} - b0);
        const WVec3 d = pb - pa;
        const EdgeAxis axis = edge_axis(cross_towards_b(ea, {a[8], a[9], a[10]}, eb), ea, d);
        const ClosestParameters at = closest_parameters(ea, eb, d);
        const WVec3 on_a = pa + ea * clamp01(at.a / at.det);
        const WVec3 on_b = pb + eb * clamp01(at.b / at.det);

        const std::uint32_t in_use = lane_mask(lanes);
        LaneEdgeRecords records;
        records.pair = pair;
        records.distance = optimum[0];
        records.emitted = bits(edges_meet(on_b - on_a, axis.n, records.distance, axis_row[1])) & in_use;
        alignas(64) float decided[kWidth];
        records.distance.store(decided);
        for (std::uint32_t rest = in_use & ~records.emitted; rest != 0; rest &= rest - 1) {
            ++totals.counters.distance_finished;
            precise.push(pair[lowest_bit(rest)], decided[lowest_bit(rest)]);
        }
        records.normal = axis.n;
        records.point = (on_a + on_b) * splat(0.5F);
        records.edge_a = bit_cast_int(optimum[1]);
        records.edge_b = bit_cast_int(optimum[2]);
        const LaneNumbers numbers_a = load_numbers(rows.counts_a);
        const LaneNumbers numbers_b = load_numbers(rows.counts_b);
        records.number =
            (numbers_a.first_edge + records.edge_a) * numbers_b.total + (numbers_b.first_edge + records.edge_b);
        WFloat frame[12];
        load_quads<3>(rows.frame, frame);
        const WVec3 world[3] = {
            {frame[0], frame[1], frame[2]}, {frame[3], frame[4], frame[5]}, {frame[6], frame[7], frame[8]}};
        write_edge_lanes(job, records, world, {frame[9], frame[10], frame[11]}, out);
        count_edge_lanes<Record, false>(job, records, totals);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
