// SPDX-License-Identifier: MIT
//
// Writes results: turns them from A's internal frame to world axes and stores them in the caller's record.
#pragma once

#include <lanefold/feature.hpp>

#include "pair/lane_rows.hpp"
#include "pair/point.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The part of a contact that every record holds, in A's internal frame.
struct ContactHeader {
    Point normal;  // from A to B
    float distance;
    ContactKind kind;
    std::uint32_t feature_a;
    std::uint32_t feature_b;
};

// Adds 0.0F to turn -0 into +0, so that the sign of a sum of zeros does not show in a record.
LANEFOLD_INLINE float row_times(const float* row, const Point& p) {
    return ((row[0] * p.x + row[1] * p.y) + row[2] * p.z) + 0.0F;
}

// Writes the normal in world axes, and the distance.
LANEFOLD_INLINE void write_normal(const BodyFrame& frame, const ContactHeader& h, float* normal, float& distance) {
    for (int k = 0; k < 3; ++k) normal[k] = row_times(frame.rotation + 3 * k, h.normal);
    distance = h.distance + 0.0F;
}

// Clears a record by cache lines. Where vectors are narrow, some compilers clear a whole record by a string
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

template <class Record>
LANEFOLD_INLINE void write_header(const ChunkJob& job, std::uint32_t pair, const ContactHeader& h, Record& out) {
    clear_record(out);
    write_normal(frame_a(job, pair), h, out.normal, out.distance);
    out.kind = h.kind;
    if constexpr (!__is_same(Record, PairDistance)) {
        out.pair[0] = job.pairs[pair].a;
        out.pair[1] = job.pairs[pair].b;
        out.feature_a = h.feature_a;
        out.feature_b = h.feature_b;
    }
}

// Appends a point to the record. p is in A's internal frame; the record gets its offset from body A's position, in
// world axes.
template <class Record>
LANEFOLD_INLINE void write_point(const BodyFrame& frame, const Point& p, float separation, std::uint32_t feature,
                                 Record& out) {
    ContactPoint& c = out.points[out.count];
    for (int k = 0; k < 3; ++k) c.position[k] = row_times(frame.rotation + 3 * k, p) + frame.offset[k];
    c.separation = separation + 0.0F;
    c.feature = feature;
    // Ids of large hulls can be equal within a manifold (no bijection). The later point then gets the next free value.
    for (std::uint32_t i = 0; i < out.count; ++i) {
        if (out.points[i].feature == c.feature) {
            ++c.feature;
            i = ~0U;  // start again at the first point
        }
    }
    ++out.count;
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
