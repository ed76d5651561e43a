// SPDX-License-Identifier: MIT
//
// Writes one record in the caller's memory: what every record holds, then its points.
#pragma once

#include <lanefold/feature.hpp>

#include "pair/lane_rows.hpp"
#include "pair/point.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The part of a contact that every record holds.
struct ContactHeader {
    float normal[3];  // from A to B, world axes
    float distance;
    ContactKind kind;
    std::uint32_t feature_a;
    std::uint32_t feature_b;
};

// Adds 0.0F to turn -0 into +0, so that the sign of a sum of zeros does not show in a record.
LANEFOLD_INLINE float row_times(const float* row, const Point& p) {
    return ((row[0] * p.x + row[1] * p.y) + row[2] * p.z) + 0.0F;
}

// Clears a record by cache lines. If vectors are narrow, some compilers clear a whole record by a string
// instruction, which takes longer to start than these stores take.
template <class Record>
LANEFOLD_INLINE void clear_record(Record& r) {
    if constexpr (__is_same(Record, PairDistance)) {
        r = Record{};
    } else {
        static_assert(sizeof(Record) % 64 == 0);
        auto* bytes = reinterpret_cast<std::byte*>(&r);
        for (std::size_t k = 0; k < sizeof(Record); k += 64) __builtin_memset(bytes + k, 0, 64);
    }
}

// Writes a record without points.
template <class Record>
LANEFOLD_INLINE void begin_record(const ChunkJob& job, std::uint32_t pair, const ContactHeader& h, Record& out) {
    clear_record(out);
    for (int k = 0; k < 3; ++k) out.normal[k] = h.normal[k];
    out.distance = h.distance + 0.0F;
    out.kind = h.kind;
    if constexpr (!__is_same(Record, PairDistance)) {
        out.pair[0] = job.pairs[pair].a;
        out.pair[1] = job.pairs[pair].b;
        out.feature_a = h.feature_a;
        out.feature_b = h.feature_b;
    }
}

// Appends a point whose position has no negative zeros.
template <class Record>
LANEFOLD_INLINE ContactPoint& append_point(float x, float y, float z, float separation, std::uint32_t feature,
                                           Record& out) {
    ContactPoint& c = out.points[out.count++];
    c = {{x, y, z}, separation + 0.0F, feature};
    return c;
}

// Ids of large hulls can be equal within a manifold (no bijection). The last point then gets the next free value.
template <class Record>
LANEFOLD_INLINE void make_id_unique(Record& out) {
    const std::uint32_t last = out.count - 1U;
    for (std::uint32_t i = 0; i < last; ++i) {
        if (out.points[i].feature == out.points[last].feature) {
            ++out.points[last].feature;
            i = ~0U;  // start again at the first point
        }
    }
}

// Counts a finished record and sets its bits.
template <class Record>
LANEFOLD_INLINE void count_record(const ChunkJob& job, std::uint32_t pair, const Record& r, ChunkTotals& totals) {
    const std::uint64_t bit = std::uint64_t{1} << (pair % 64);
    job.reported[pair / 64] |= bit;
    ++totals.by_status[static_cast<std::size_t>(r.status)];
    ++totals.by_kind[static_cast<std::size_t>(r.kind)];
    if (r.kind == ContactKind::none) return;
    ++totals.touching;
    if (r.distance < 0.0F) {
        job.overlapping[pair / 64] |= bit;
        ++totals.overlapping;
    }
    if constexpr (!__is_same(Record, PairDistance)) totals.points += r.count;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
