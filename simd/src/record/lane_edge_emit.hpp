// SPDX-License-Identifier: MIT
//
// Writes contacts of edges and vertices to records, lanes = pairs. Such a contact has one point, so the second half of
// a record is its id and zeros.
#pragma once

#include "record/lane_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// What the records of kWidth contacts of edges and vertices hold.
struct LaneFeatureRecords {
    const std::uint32_t* pair;  // index of each lane's pair in the chunk
    std::uint32_t emitted;      // lanes that become records
    WFloat distance;
    WVec3 normal, point;  // in A's frame
    WInt feature_a, feature_b;
    WInt number;  // number of the pair of features
    WInt kind;    // ContactKind
};

// The vector x of A's frame in world axes.
LANEFOLD_INLINE WVec3 to_world(const WVec3* world, const WVec3& x) {
    const WFloat zero(0.0F);
    return {dot(world[0], x) + zero, dot(world[1], x) + zero, dot(world[2], x) + zero};
}

// `world`, `offset`: rotation and offset of A's frame.
inline void write_feature_lanes(const ChunkJob& job, const LaneFeatureRecords& r, const WVec3* world,
                                const WVec3& offset, Manifold4* out) {
    const WVec3 normal = to_world(world, r.normal);
    const WVec3 point = to_world(world, r.point) + offset;
    const WFloat distance = r.distance + splat(0.0F);
    const WInt counts = packed_counts(WInt(1), WInt(1), kind_bits(r.kind));
    const LaneBodies bodies = LaneBodies::load(PairRows{job.pairs, r.pair});
    Manifold4 unused;
    const RecordRows rows = {r.pair, r.emitted, out, &unused};
    const LaneRecordHead head = {bodies, normal, distance, r.feature_a, r.feature_b, counts, point, distance};
    head.store(job, rows);
    const WInt id = lane_mix32(r.number);
    // After the head a record has its point's id and zeros.
    if (job.stream) {
        WFloat tail[16] = {bit_cast_float(id)};
        for (int k = 1; k < 16; ++k) tail[k] = bit_cast_float(WInt(0));
        stream_rows16(tail, rows.second_half(), r.emitted);
        return;
    }
    alignas(64) std::int32_t ids[kWidth];
    id.storeu(ids);
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        float* half = rows.second_half()[l];
        __builtin_memset(half, 0, 64);
        __builtin_memcpy(half, ids + l, sizeof ids[l]);
    }
}

// Records of other types, one lane at a time.
template <class Record>
inline void write_feature_lanes(const ChunkJob& job, const LaneFeatureRecords& in, const WVec3* world,
                                const WVec3& offset, Record* out) {
    const WVec3 normal = to_world(world, in.normal);
    const WVec3 point = to_world(world, in.point) + offset;
    alignas(64) float n[3][kWidth], p[3][kWidth], distance[kWidth];
    alignas(64) std::int32_t feature_a[kWidth], feature_b[kWidth], id[kWidth], kind[kWidth];
    store_points(normal, n);
    store_points(point, p);
    (in.distance + splat(0.0F)).store(distance);
    in.feature_a.storeu(feature_a);
    in.feature_b.storeu(feature_b);
    in.kind.storeu(kind);
    lane_mix32(in.number).storeu(id);
    for (std::uint32_t rest = in.emitted; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        Record& r = out[in.pair[l]];
        clear_record(r);
        for (int k = 0; k < 3; ++k) r.normal[k] = n[k][l];
        r.distance = distance[l];
        r.kind = static_cast<ContactKind>(kind[l]);
        if constexpr (!__is_same(Record, PairDistance)) {
            r.pair[0] = job.pairs[in.pair[l]].a;
            r.pair[1] = job.pairs[in.pair[l]].b;
            r.feature_a = static_cast<std::uint32_t>(feature_a[l]);
            r.feature_b = static_cast<std::uint32_t>(feature_b[l]);
            r.total = 1;
            r.count = 1;
            for (int k = 0; k < 3; ++k) r.points[0].position[k] = p[k][l];
            r.points[0].separation = distance[l];
            r.points[0].feature = static_cast<std::uint32_t>(id[l]);
        }
    }
}

// Sets the bits and adds the sums of the written records. kNeighbours: the pairs of the lanes almost ascend.
template <class Record, bool kNeighbours>
inline void count_feature_lanes(const ChunkJob& job, const LaneFeatureRecords& r, ChunkTotals& totals) {
    const std::uint32_t negative = bits(r.distance < splat(0.0F)) & r.emitted;
    const std::uint32_t emitted = count_bits(r.emitted);
    if constexpr (kNeighbours)
        mark_neighbours(job, r.pair, r.emitted, negative);
    else
        mark_strangers(job, r.pair, r.emitted, negative);
    if constexpr (!__is_same(Record, PairDistance)) totals.points += emitted;
    totals.counters.edge_contacts += emitted;
    totals.touching += emitted;
    totals.overlapping += count_bits(negative);
    totals.by_status[static_cast<std::size_t>(Status::ok)] += emitted;
    for (auto k = static_cast<std::int32_t>(ContactKind::edge_edge); k < static_cast<std::int32_t>(kContactKindCount);
         ++k)
        totals.by_kind[k] += count_bits(bits(r.kind == WInt(k)) & r.emitted);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
