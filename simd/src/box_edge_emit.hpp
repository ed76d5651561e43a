// SPDX-License-Identifier: MIT
//
// Edge contacts of boxes into records, lanes = pairs: one point each, so the second half of a record is its id and zeros.
#pragma once

#include "box_edge_contact.hpp"
#include "box_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct BoxEdgeBatch {
    BoxRowsOf rows;
    std::uint32_t emitted;                    // lanes that become records
    alignas(64) std::int32_t edge_a[kWidth];  // canonical
    alignas(64) std::int32_t edge_b[kWidth];
    WFloat distance;
    BoxEdgeContact contact;
};

inline void emit_box_edges(const ChunkJob& job, const BoxLanes& x, const BoxEdgeBatch& batch, Manifold4* out) {
    const WFloat zero(0.0F);
    const WVec3 n = batch.contact.n;
    const WVec3 m = batch.contact.point;
    WFloat normal[3];
    WFloat point[3];
    const WFloat offset[3] = {x.offset_a.x, x.offset_a.y, x.offset_a.z};
    for (int k = 0; k < 3; ++k) {
        const WVec3 row = {x.world_a[3 * k], x.world_a[3 * k + 1], x.world_a[3 * k + 2]};
        normal[k] = dot(row, n) + zero;
        point[k] = (dot(row, m) + offset[k]) + zero;
    }
    const WInt edge_a = WInt::loadu(batch.edge_a);
    const WInt edge_b = WInt::loadu(batch.edge_b);
    const WInt number = (edge_a + WInt(6)) * WInt(static_cast<std::int32_t>(kBoxFeatures)) + (edge_b + WInt(6));
    WFloat body_a, body_b;
    record_bodies(job, batch.rows.pair, body_a, body_b);
    const WFloat nothing = bit_cast_float(WInt(0));
    // Words 32..35: total 1, count 1, kind.
    const WInt counts(
        static_cast<std::int32_t>(1U | 1U << 16 | static_cast<std::uint32_t>(ContactKind::edge_edge) << 24));
    const WFloat first[16] = {body_a,
                              body_b,
                              normal[0],
                              normal[1],
                              normal[2],
                              batch.distance + zero,
                              bit_cast_float(edge_a),
                              bit_cast_float(edge_b),
                              bit_cast_float(counts),
                              nothing,
                              nothing,
                              nothing,
                              point[0],
                              point[1],
                              point[2],
                              batch.distance + zero};
    Manifold4 unused;
    float* rows[kWidth];
    record_rows(batch.rows.pair, batch.emitted, out, &unused, rows);
    store_records(job, first, rows, batch.emitted);
    const WInt id = lane_mix32(number);
    if (job.stream) {
        WFloat second[16] = {bit_cast_float(id)};
        for (int k = 1; k < 16; ++k) second[k] = nothing;
        for (std::uint32_t l = 0; l < kWidth; ++l) rows[l] += 16;
        stream_rows16(second, rows, batch.emitted);
        return;
    }
    alignas(64) std::int32_t ids[kWidth];
    id.storeu(ids);
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        __builtin_memset(rows[l] + 16, 0, 64);
        __builtin_memcpy(rows[l] + 16, ids + l, sizeof ids[l]);
    }
}

// The other records.
template <class Record>
inline void emit_box_edges(const ChunkJob& job, const BoxLanes& /*x*/, const BoxEdgeBatch& batch, Record* out) {
    alignas(64) float n[3][kWidth], m[3][kWidth], distance[kWidth];
    batch.contact.n.x.store(n[0]);
    batch.contact.n.y.store(n[1]);
    batch.contact.n.z.store(n[2]);
    batch.contact.point.x.store(m[0]);
    batch.contact.point.y.store(m[1]);
    batch.contact.point.z.store(m[2]);
    batch.distance.store(distance);
    for (std::uint32_t rest = batch.emitted; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        const std::uint32_t i = batch.rows.pair[l];
        const auto edge_a = static_cast<std::uint32_t>(batch.edge_a[l]);
        const auto edge_b = static_cast<std::uint32_t>(batch.edge_b[l]);
        Record& r = out[i];
        write_header(job, i, {{n[0][l], n[1][l], n[2][l]}, distance[l], ContactKind::edge_edge, edge_a, edge_b}, r);
        if constexpr (!__is_same(Record, PairDistance)) {
            r.total = 1;
            write_point(frame_a(job, i), {m[0][l], m[1][l], m[2][l]}, distance[l],
                        feature_id(6 + edge_a, 6 + edge_b, kBoxFeatures), r);
        }
    }
}

template <class Record>
inline void count_box_edges(const ChunkJob& job, const BoxEdgeBatch& batch, ChunkTotals& totals) {
    alignas(64) std::int32_t ones[kWidth];
    WInt(1).storeu(ones);
    const std::uint32_t negative = bits(batch.distance < splat(0.0F)) & batch.emitted;
    const std::uint32_t emitted = count_bits(batch.emitted);
    const std::uint64_t points = mark_lanes(job, batch.rows.pair, batch.emitted, negative, ones);
    if constexpr (!__is_same(Record, PairDistance)) totals.points += points;
    totals.counters.edge_contacts += emitted;
    totals.touching += emitted;
    totals.overlapping += count_bits(negative);
    totals.by_status[static_cast<std::size_t>(Status::ok)] += emitted;
    totals.by_kind[static_cast<std::size_t>(ContactKind::edge_edge)] += emitted;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
