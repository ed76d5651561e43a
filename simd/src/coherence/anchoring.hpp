// SPDX-License-Identifier: MIT
//
// Makes the anchors of pairs from their exact records, lanes = pairs (coherence/carry.hpp has the rule), and takes from
// these records what only their wider margins let in.
#pragma once

#include "coherence/carry.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The records of kWidth pairs from float 16 * part on.
template <class Record>
struct ExactRows {
    const Record* out;
    const std::uint32_t* pair;
    std::size_t at;

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const {
        return reinterpret_cast<const float*>(out + pair[l]) + at;
    }
};

// The places of the lanes that are stored; others write to `unused`.
template <class Rows>
struct StoredRows {
    const Rows& rows;
    std::uint32_t stored;
    float* unused;

    LANEFOLD_INLINE float* operator[](std::uint32_t l) const { return bit_at(stored, l) ? rows[l] : unused; }
};

template <class Rows>
LANEFOLD_INLINE void store_line(const WFloat* q, const Rows& rows, std::uint32_t stored) {
    alignas(64) float unused[16];
    scatter_quads<4>(q, StoredRows<Rows>{rows, stored, unused});
}

// The exact records of kWidth pairs while their anchors are made.
struct ExactHead {
    WVec3 normal;
    WFloat distance;
    WInt feature_a, feature_b, counts;
    WFloat least;    // separations of the points
    WFloat longest;  // the largest of them, and the deepest one's depth

    LANEFOLD_INLINE WInt left(std::uint32_t block) const {
        return count_of(counts) + WInt(-static_cast<std::int32_t>(kAnchorBlock * block));
    }
};

// Point k of a record, of its columns from float 12 on.
static_assert(offsetof(Manifold4, points) == 48 && offsetof(Manifold16, points) == 48 && sizeof(ContactPoint) == 20);
LANEFOLD_INLINE LaneRecordPoint exact_point(const WFloat* q, std::size_t k) {
    const WFloat* p = q + kPointWords * k;
    return {{p[0], p[1], p[2]}, p[3], bit_cast_int(p[4])};
}

// Stores the witnesses of four points.
LANEFOLD_INLINE void store_block(const AnchorTable& anchors, const std::uint32_t* pair, const LaneBodiesAt& at,
                                 const ExactHead& head, const WFloat* points, std::uint32_t block,
                                 std::uint32_t stored) {
    WVec3 r[3];
    at.frame_of_normal(reference_on_b(head.counts), r);
    const WVec3 normal = rotate_back(r, head.normal);
    WFloat q[32];
    q[0] = normal.x;
    q[1] = normal.y;
    q[2] = normal.z;
    q[3] = bit_cast_float(head.counts);
    for (std::size_t k = 0; k < kAnchorBlock; ++k) {
        const LaneRecordPoint p = exact_point(points, k);
        const WVec3 half = head.normal * (p.separation * splat(0.5F));
        const WVec3 a = rotate_back(at.a.world.r, (p.position - half) - at.a.world.t);
        const WVec3 b = rotate_back(at.b.world.r, (p.position + half) - at.from_a);
        q[4 + k] = bit_cast_float(p.feature);
        WFloat* on_a = q + 8 + 3 * k;
        WFloat* on_b = q + 20 + 3 * k;
        on_a[0] = a.x;
        on_a[1] = a.y;
        on_a[2] = a.z;
        on_b[0] = b.x;
        on_b[1] = b.y;
        on_b[2] = b.z;
    }
    store_line(q, AnchorPointRows{anchors, pair, block, 0}, stored);
    store_line(q + 16, AnchorPointRows{anchors, pair, block, 1}, stored);
}

// Takes from a record the points above the margin, unless they are the deepest; the whole record if its distance is
// above it. Sums and bits follow.
template <class Record>
inline void take_beyond(const ChunkJob& job, std::uint32_t i, float margin, ChunkTotals& totals) {
    Record& r = static_cast<Record*>(job.out)[i];
    const auto kind = static_cast<std::size_t>(r.kind);
    const std::uint32_t before = r.count;
    if (!(r.distance <= margin)) {
        const std::uint64_t bit = std::uint64_t{1} << (i % 64);
        job.reported[i / 64] &= ~bit;
        // A pair that overlaps is within every margin.
        --totals.touching;
        --totals.by_kind[kind];
        ++totals.by_kind[static_cast<std::size_t>(ContactKind::none)];
        totals.points -= before;
        return;
    }
    float limit = r.points[0].separation;
    for (std::uint32_t k = 1; k < before; ++k) limit = r.points[k].separation < limit ? r.points[k].separation : limit;
    limit = margin > limit ? margin : limit;
    std::uint32_t kept = 0;
    for (std::uint32_t k = 0; k < before; ++k) {
        if (r.points[k].separation <= limit) r.points[kept++] = r.points[k];
    }
    for (std::uint32_t k = kept; k < before; ++k) r.points[k] = ContactPoint{};
    if (kept < before) r.total = static_cast<std::uint16_t>(kept);
    r.count = static_cast<std::uint8_t>(kept);
    totals.points -= before - kept;
}

// Makes the anchors of kWidth pairs whose exact records stand in the output. `job`: its margins are the wide ones;
// `margins`: those of the call. Returns how many.
template <class Record>
inline std::uint32_t anchor_lanes(const ChunkJob& job, const AnchorTable& anchors, const std::uint32_t* pair,
                                  const PairPlaces* places, std::uint32_t in_use, const WFloat& margin,
                                  ChunkTotals& totals) {
    constexpr std::uint32_t kBlocks = Record::kCapacity / kAnchorBlock;
    const auto* const out = static_cast<const Record*>(job.out);
    const LaneBodiesAt at = LaneBodiesAt::load(job, pair, places);
    // Floats 0 to 11 are the head, 20 follow for each block of four points.
    WFloat q[12 + 20 * kBlocks];
    for (std::size_t k = 0; k < 12 + 20 * kBlocks; k += 4) load_rows4(ExactRows<Record>{out, pair, 0}, q + k, k);
    ExactHead head = {{q[2], q[3], q[4]},      q[5],       bit_cast_int(q[6]), bit_cast_int(q[7]), bit_cast_int(q[8]),
                      splat(__builtin_inff()), splat(0.0F)};
    for (std::uint32_t k = 0; k < Record::kCapacity; ++k) {
        const WMask there = WInt(static_cast<std::int32_t>(k)) < count_of(head.counts);
        const WFloat separation = q[12 + kPointWords * k + 3];
        head.least = select(there, min(separation, head.least), head.least);
        head.longest = select(there, max(abs(separation), head.longest), head.longest);
    }
    const LaneSizes sizes = load_sizes(places);
    const WMask carried = carryable(LaneSize::load({places, false}), LaneSize::load({places, true})) &
                          reach_of(at.to_a.t, sizes.sum).near_enough &
                          (head.longest <= splat(kLongestGap) * sizes.smaller) &
                          (splat(0.0F) < covered_motion(anchors.reuse, sizes)) & (WInt(0) < count_of(head.counts));
    const std::uint32_t stored = bits(carried) & in_use;
    const WFloat wide = load_margins(job, pair);
    WFloat line[16];
    put_pose(at.to_a, line);
    line[12] = bit_cast_float(at.a.hull);
    line[13] = bit_cast_float(at.b.hull);
    line[14] = wide;
    line[15] = splat(0.0F);
    store_line(line, AnchorPoseRows{anchors, pair}, stored);
    for (std::uint32_t b = 0; b < kBlocks; ++b) store_block(anchors, pair, at, head, q + 12 + 20 * b, b, stored);
    alignas(64) float offset[kWidth];
    (head.distance - head.least).store(offset);
    alignas(64) std::int32_t feature_a[kWidth], feature_b[kWidth];
    head.feature_a.storeu(feature_a);
    head.feature_b.storeu(feature_b);
    for (std::uint32_t rest = stored; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        AnchorState& state = anchors.states[anchors.of[pair[l]]];
        state.what = kFreshAnchor;
        state.feature_a = static_cast<std::uint32_t>(feature_a[l]);
        state.feature_b = static_cast<std::uint32_t>(feature_b[l]);
        state.offset = offset[l];
    }
    // The deepest point is within the distance; only a longest separation above the margin may be beyond.
    const std::uint32_t beyond = bits((margin < head.longest) | (margin < head.distance)) & in_use;
    alignas(64) float limits[kWidth];
    margin.store(limits);
    for (std::uint32_t rest = beyond; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        take_beyond<Record>(job, pair[l], limits[l], totals);
    }
    return count_bits(stored);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
