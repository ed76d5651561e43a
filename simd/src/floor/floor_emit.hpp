// SPDX-License-Identifier: MIT
//
// Contacts of boxes on floors as records, lanes = pairs. They have at most four points, whose places in the world are
// known.
#pragma once

#include "pair/chunk_context.hpp"
#include "record/lane_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// One corner of every lane's incident face.
struct FloorPoint {
    WVec3 position;  // midway, from A's position, world axes
    WFloat separation;
    WInt feature;  // id
    WMask valid;
};

struct FloorBatch {
    const std::uint32_t* pair;  // index of each lane's pair in the chunk
    std::uint32_t emitted;      // lanes that become records
    WMask on_b;                 // the floor is B
    WVec3 normal;               // of the floor's face
    WFloat distance;
    WInt feature_a, feature_b;
    FloorPoint point[4];
};

// Moves the valid points of each lane to the front, in order; the others are zero.
LANEFOLD_INLINE WInt gather_floor_points(const FloorPoint* points, LaneRecordPoint* out) {
    const WFloat zero(0.0F);
    WInt count(0);
    for (int k = 0; k < 4; ++k) out[k] = {{zero, zero, zero}, zero, WInt(0)};
#pragma GCC unroll 4
    for (int c = 3; c >= 0; --c) {
        const FloorPoint& from = points[c];
        count = select(from.valid, count + WInt(1), count);
#pragma GCC unroll 4
        for (int k = 3 - c; k >= 0; --k) {
            const LaneRecordPoint& next = out[k > 0 ? k - 1 : 0];
            out[k].position = select(from.valid, k > 0 ? next.position : from.position, out[k].position);
            out[k].separation = select(from.valid, k > 0 ? next.separation : from.separation, out[k].separation);
            out[k].feature = select(from.valid, k > 0 ? next.feature : from.feature, out[k].feature);
        }
    }
    return count;
}

LANEFOLD_INLINE WVec3 floor_normal(const FloorBatch& batch) {
    const WFloat zero(0.0F);
    return select(batch.on_b, negate(batch.normal), batch.normal) + WVec3{zero, zero, zero};
}

inline void emit_floor_boxes(Chunk<Manifold4> chunk, const FloorBatch& batch) {
    const WFloat zero(0.0F);
    const WVec3 zeros = {zero, zero, zero};
    LaneWholeRecord r;
    const WInt count = gather_floor_points(batch.point, r.point);
    // Turns -0 into +0, so that the sign of a sum of zeros does not show.
    for (LaneRecordPoint& p : r.point) {
        p.position = p.position + zeros;
        p.separation = p.separation + zero;
    }
    r.bodies = LaneBodies::load(PairRows{chunk.job.pairs, batch.pair});
    r.normal = floor_normal(batch);
    r.distance = batch.distance + zero;
    r.feature_a = batch.feature_a;
    r.feature_b = batch.feature_b;
    r.counts =
        packed_counts(count, count, select(batch.on_b, kind_bits(ContactKind::face_b), kind_bits(ContactKind::face_a)));
    Manifold4 unused;
    r.store(chunk.job, RecordRows{batch.pair, batch.emitted, chunk.out, &unused});
    count_face_lanes<true>(chunk.job, {batch.pair, batch.emitted, batch.distance, count, batch.on_b}, chunk.totals);
}

// Records of other types, one lane at a time.
template <class Record>
inline void emit_floor_boxes(Chunk<Record> chunk, const FloorBatch& batch) {
    alignas(64) float normal[3][kWidth], position[4][3][kWidth], separation[4][kWidth], distance[kWidth];
    alignas(64) std::int32_t feature_a[kWidth], feature_b[kWidth], id[4][kWidth];
    std::uint32_t valid[4];
    store_points(floor_normal(batch), normal);
    (batch.distance + splat(0.0F)).store(distance);
    batch.feature_a.storeu(feature_a);
    batch.feature_b.storeu(feature_b);
    for (int q = 0; q < 4; ++q) {
        store_points(batch.point[q].position, position[q]);
        batch.point[q].separation.store(separation[q]);
        batch.point[q].feature.storeu(id[q]);
        valid[q] = bits(batch.point[q].valid);
    }
    const std::uint32_t on_b = bits(batch.on_b);
    for (std::uint32_t rest = batch.emitted; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        Record& r = chunk.out[batch.pair[l]];
        clear_record(r);
        for (int k = 0; k < 3; ++k) r.normal[k] = normal[k][l];
        r.distance = distance[l];
        r.kind = bit_at(on_b, l) ? ContactKind::face_b : ContactKind::face_a;
        if constexpr (!__is_same(Record, PairDistance)) {
            r.pair[0] = chunk.job.pairs[batch.pair[l]].a;
            r.pair[1] = chunk.job.pairs[batch.pair[l]].b;
            r.feature_a = static_cast<std::uint32_t>(feature_a[l]);
            r.feature_b = static_cast<std::uint32_t>(feature_b[l]);
            for (int q = 0; q < 4; ++q) {
                if (!bit_at(valid[q], l)) continue;
                ContactPoint& p = r.points[r.count++];
                for (int k = 0; k < 3; ++k) p.position[k] = position[q][k][l] + 0.0F;
                p.separation = separation[q][l] + 0.0F;
                p.feature = static_cast<std::uint32_t>(id[q][l]);
            }
            r.total = r.count;
        }
        count_record(chunk.job, batch.pair[l], r, chunk.totals);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
