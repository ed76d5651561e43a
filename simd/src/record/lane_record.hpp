// SPDX-License-Identifier: MIT
//
// Lane mirrors of Manifold4: the records of kWidth contacts as lanes = pairs, with the names of the members in memory,
// and where they are stored.
#pragma once

#include <cstddef>

#include "record/emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Rows of the chunk's pairs, for load_rows2().
struct PairRows {
    const Pair* pairs;
    const std::uint32_t* at;

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const {
        return reinterpret_cast<const float*>(pairs + at[l]);
    }
};

// Words of half a Manifold4, which is what one transpose writes.
inline constexpr std::size_t kHalfRecord = sizeof(Manifold4) / sizeof(float) / 2;

// The place of each lane's record, from its float `at` on. Lanes that are not emitted write to `unused`.
struct RecordRows {
    const std::uint32_t* pair;
    std::uint32_t emitted;
    Manifold4* out;
    Manifold4* unused;
    std::size_t at = 0;

    LANEFOLD_INLINE float* operator[](std::uint32_t l) const {
        Manifold4* record = bit_at(emitted, l) ? out + pair[l] : unused;
        return reinterpret_cast<float*>(record) + at;
    }
    LANEFOLD_INLINE RecordRows second_half() const { return {pair, emitted, out, unused, kHalfRecord}; }
};

// Stores 16 columns to one half of the records.
LANEFOLD_INLINE void store_records(const ChunkJob& job, const WFloat* columns, const RecordRows& rows) {
    if (job.stream)
        stream_rows16(columns, rows, rows.emitted);
    else
        scatter_quads<4>(columns, rows);
}

// The bodies of a pair as in the record. They are bits that are only moved.
static_assert(sizeof(Pair) == 8 && offsetof(Pair, a) == 0 && offsetof(Pair, b) == 4);
struct LaneBodies {
    WFloat a, b;

    template <class Rows>
    LANEFOLD_INLINE static LaneBodies load(const Rows& rows) {
        WFloat q[2];
        load_rows2(rows, q);
        return {q[0], q[1]};
    }
};

// A point of kWidth records.
struct LaneRecordPoint {
    WVec3 position;  // from A's position, world axes
    WFloat separation;
    WInt feature;  // id

    LANEFOLD_INLINE void set(WMask m, const LaneRecordPoint& p) {
        position = select(m, p.position, position);
        separation = select(m, p.separation, separation);
        feature = select(m, p.feature, feature);
    }
};

// The word of a record that holds total, count and kind.
static_assert(offsetof(Manifold4, total) == 32 && offsetof(Manifold4, count) == 34 && offsetof(Manifold4, kind) == 35);
LANEFOLD_INLINE WInt packed_counts(WInt total, WInt count, WInt kind) {
    return total | ((count + kind * WInt(1 << 8)) * WInt(1 << 16));
}

// Manifold4 in two halves of 16 words, with one transpose each: up to the separation of the first point, and from its
// feature on. Bytes 32 to 35, little-endian, are total, count and kind; bytes 36 to 47 are zero.
static_assert(offsetof(Manifold4, pair) == 0 && offsetof(Manifold4, normal) == 8 &&
              offsetof(Manifold4, distance) == 20 && offsetof(Manifold4, feature_a) == 24 &&
              offsetof(Manifold4, feature_b) == 28 && offsetof(Manifold4, total) == 32 &&
              offsetof(Manifold4, points) == 48 && sizeof(ContactPoint) == 20 && sizeof(Manifold4) == 128);
struct LaneRecordHead {
    LaneBodies bodies;
    WVec3 normal;
    WFloat distance;
    WInt feature_a, feature_b, counts;
    WVec3 position;
    WFloat separation;

    LANEFOLD_INLINE void store(const ChunkJob& job, const RecordRows& rows) const {
        const WFloat none = bit_cast_float(WInt(0));
        const WFloat a = bit_cast_float(feature_a);
        const WFloat b = bit_cast_float(feature_b);
        const WFloat q[16] = {
            bodies.a, bodies.b, normal.x, normal.y,   normal.z,   distance,   a,         b, bit_cast_float(counts),
            none,     none,     none,     position.x, position.y, position.z, separation};
        store_records(job, q, rows);
    }
};

// Words of a point, and the word of a Manifold4 at which the first point begins.
inline constexpr std::size_t kPointWords = sizeof(ContactPoint) / sizeof(float);
inline constexpr std::size_t kFirstPoint = offsetof(Manifold4, points) / sizeof(float);

// Stores the second half of records of four points.
LANEFOLD_INLINE void store_tail(const ChunkJob& job, const LaneRecordPoint (&point)[4], const RecordRows& rows) {
    WFloat q[16];
    q[0] = bit_cast_float(point[0].feature);
    for (std::size_t k = 1; k < 4; ++k) {
        WFloat* to = q + kFirstPoint + kPointWords * k - kHalfRecord;
        to[0] = point[k].position.x;
        to[1] = point[k].position.y;
        to[2] = point[k].position.z;
        to[3] = point[k].separation;
        to[4] = bit_cast_float(point[k].feature);
    }
    store_records(job, q, rows);
}

// The same for records of one point: its id and zeros.
LANEFOLD_INLINE void store_tail(const ChunkJob& job, const LaneRecordPoint (&point)[1], const RecordRows& rows) {
    if (job.stream) {
        WFloat q[16] = {bit_cast_float(point[0].feature)};
        for (int k = 1; k < 16; ++k) q[k] = bit_cast_float(WInt(0));
        stream_rows16(q, rows, rows.emitted);
        return;
    }
    alignas(64) std::int32_t ids[kWidth];
    point[0].feature.storeu(ids);
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        float* half = rows[l];
        __builtin_memset(half, 0, 64);
        __builtin_memcpy(half, ids + l, sizeof ids[l]);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
