// SPDX-License-Identifier: MIT
//
// The two writers of the contacts of kWidth pairs: whole Manifold4 by transposes, without a branch per lane, and any
// record lane by lane. A contact comes with the source of its points:
//
//   kPoints, kept(k, total)   of a Manifold4: 1 or 4 points, zero from `total` on
//   used, valid(c), point(c)  of another record: candidates, of which it takes the valid ones
#pragma once

#include "record/emit.hpp"
#include "record/lane_record.hpp"
#include "record/lane_reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The content of the records of kWidth contacts besides their points.
struct LaneContact {
    const std::uint32_t* pair;  // index of each lane's pair in the chunk
    std::uint32_t emitted;      // lanes that become records
    WVec3 normal;               // from A to B, world axes
    WFloat distance;
    WInt feature_a, feature_b;
    WInt kind;   // ContactKind
    WInt total;  // points before reduction
};

// Number of points that a record holds. It is 16 for records without points, which need no reduction.
template <class Record>
constexpr std::uint32_t record_capacity() {
    return __is_same(Record, Manifold4) ? 4 : 16;
}

// Turns -0 into +0, so that the sign of a sum of zeros does not show in a record.
LANEFOLD_INLINE WVec3 without_sign_of_zero(const WVec3& x) {
    const WFloat zero(0.0F);
    return x + WVec3{zero, zero, zero};
}
LANEFOLD_INLINE LaneRecordPoint without_sign_of_zero(const LaneRecordPoint& p) {
    return {without_sign_of_zero(p.position), p.separation + splat(0.0F), p.feature};
}

// Sets the bits of the emitted lanes. Consecutive lanes mostly share a word, which stays in registers until another
// word begins. Through memory each lane would wait for the one before.
inline void mark_neighbours(const ChunkJob& job, const std::uint32_t* pair, std::uint32_t emitted,
                            std::uint32_t negative) {
    std::uint64_t reported = 0;
    std::uint64_t overlapping = 0;
    std::uint32_t word = 0;
    for (std::uint32_t rest = emitted; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        const std::uint32_t i = pair[l];
        if (i / 64 != word) {
            job.reported[word] |= reported;
            job.overlapping[word] |= overlapping;
            reported = 0;
            overlapping = 0;
            word = i / 64;
        }
        reported |= std::uint64_t{1} << (i % 64);
        overlapping |= std::uint64_t{bit_at(negative, l)} << (i % 64);
    }
    job.reported[word] |= reported;
    job.overlapping[word] |= overlapping;
}

// Sets the bits of the emitted lanes if their pairs are in no order. A branch on whether another word begins would be
// mispredicted.
inline void mark_strangers(const ChunkJob& job, const std::uint32_t* pair, std::uint32_t emitted,
                           std::uint32_t negative) {
    std::uint64_t* reported = job.reported;
    std::uint64_t* overlapping = job.overlapping;
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const std::uint32_t i = pair[l];
        reported[i / 64] |= std::uint64_t{bit_at(emitted, l)} << (i % 64);
        overlapping[i / 64] |= std::uint64_t{bit_at(negative, l)} << (i % 64);
    }
}

// Sets the bits and adds the sums of the emitted lanes, but for the number of points. kNeighbours: the pairs of the
// lanes almost ascend. The kinds are kFirst to kLast.
template <bool kNeighbours, ContactKind kFirst, ContactKind kLast>
LANEFOLD_INLINE void count_contacts(const ChunkJob& job, const LaneContact& c, ChunkTotals& totals) {
    const std::uint32_t negative = bits(c.distance < splat(0.0F)) & c.emitted;
    const std::uint32_t emitted = count_bits(c.emitted);
    if constexpr (kNeighbours)
        mark_neighbours(job, c.pair, c.emitted, negative);
    else
        mark_strangers(job, c.pair, c.emitted, negative);
    totals.touching += emitted;
    totals.overlapping += count_bits(negative);
    totals.by_status[static_cast<std::size_t>(Status::ok)] += emitted;
    std::uint32_t rest = emitted;
    for (auto k = static_cast<std::int32_t>(kFirst); k < static_cast<std::int32_t>(kLast); ++k) {
        const std::uint32_t n = count_bits(bits(c.kind == WInt(k)) & c.emitted);
        totals.by_kind[k] += n;
        rest -= n;
    }
    totals.by_kind[static_cast<std::size_t>(kLast)] += rest;
}

// Writes whole records of the emitted lanes. Returns how many points they have. It is a function of its own, because
// the stages that call it need the registers.
template <class Points>
__attribute__((noinline)) std::uint32_t write_records(const ChunkJob& job, const LaneContact& c, const Points& points,
                                                      Manifold4* out) {
    LaneRecordPoint p[Points::kPoints];
#pragma GCC unroll 4
    for (int k = 0; k < Points::kPoints; ++k) p[k] = without_sign_of_zero(points.kept(k, c.total));
    const WInt count = Points::kPoints == 1 ? c.total : select(WInt(4) < c.total, WInt(4), c.total);
    const LaneBodies bodies = LaneBodies::load(PairRows{job.pairs, c.pair});
    const LaneRecordHead head = {bodies,
                                 without_sign_of_zero(c.normal),
                                 c.distance + splat(0.0F),
                                 c.feature_a,
                                 c.feature_b,
                                 packed_counts(c.total, count, c.kind),
                                 p[0].position,
                                 p[0].separation};
    Manifold4 unused;
    const RecordRows rows = {c.pair, c.emitted, out, &unused};
    head.store(job, rows);
    store_tail(job, p, rows.second_half());
    if constexpr (Points::kPoints == 1) return count_bits(c.emitted);
    // Counted in registers: a load would wait for the stores of the records, which may miss the caches.
    std::uint32_t n = 0;
    for (int k = 0; k < 4; ++k) n += count_bits(bits(WInt(k) < count) & c.emitted);
    return n;
}

// The candidates of kWidth contacts in memory.
struct StoredPoints {
    alignas(64) float position[kMostCandidates][3][kWidth], separation[kMostCandidates][kWidth];
    alignas(64) std::int32_t feature[kMostCandidates][kWidth];
    std::uint32_t valid[kMostCandidates];

    LANEFOLD_INLINE void set(int c, const LaneRecordPoint& p) {
        store_points(p.position, position[c]);
        p.separation.store(separation[c]);
        p.feature.storeu(feature[c]);
    }
    // Appends the valid candidates of lane l to a record.
    template <class Record>
    LANEFOLD_INLINE void write(int used, std::uint32_t l, Record& r) const {
        for (int c = 0; c < used && r.count < record_capacity<Record>(); ++c) {
            if (!bit_at(valid[c], l)) continue;
            append_point(position[c][0][l], position[c][1][l], position[c][2][l], separation[c][l],
                         static_cast<std::uint32_t>(feature[c][l]), r);
        }
    }
};

// Writes records of other types, one lane at a time.
template <class Points, class Record>
__attribute__((noinline)) std::uint32_t write_records(const ChunkJob& job, const LaneContact& c, const Points& points,
                                                      Record* out) {
    constexpr bool kHasPoints = !__is_same(Record, PairDistance);
    StoredPoints stored;
    if constexpr (kHasPoints) {
        for (int k = 0; k < points.used; ++k) {
            stored.valid[k] = bits(points.valid(k)) & c.emitted;
            if (stored.valid[k] != 0) stored.set(k, without_sign_of_zero(points.point(k)));
        }
    }
    alignas(64) float normal[3][kWidth], distance[kWidth];
    alignas(64) std::int32_t feature_a[kWidth], feature_b[kWidth], kind[kWidth], total[kWidth];
    store_points(without_sign_of_zero(c.normal), normal);
    (c.distance + splat(0.0F)).store(distance);
    c.feature_a.storeu(feature_a);
    c.feature_b.storeu(feature_b);
    c.kind.storeu(kind);
    c.total.storeu(total);
    std::uint32_t n = 0;
    for (std::uint32_t rest = c.emitted; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        Record& r = out[c.pair[l]];
        begin_record(job, c.pair[l],
                     {{normal[0][l], normal[1][l], normal[2][l]},
                      distance[l],
                      static_cast<ContactKind>(kind[l]),
                      static_cast<std::uint32_t>(feature_a[l]),
                      static_cast<std::uint32_t>(feature_b[l])},
                     r);
        if constexpr (kHasPoints) {
            r.total = static_cast<std::uint16_t>(total[l]);
            stored.write(points.used, l, r);
            n += r.count;
        }
    }
    return n;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
