// SPDX-License-Identifier: MIT
//
// Face manifolds of boxes into records, lanes = pairs, without a branch per lane: the kept candidates of every lane are
// moved to its first four places by selects, and whole records leave through two transposes.
#pragma once

#include "box_clip.hpp"
#include "lane_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct BoxFaceBatch {
    BoxRowsOf rows;
    std::uint32_t emitted;  // lanes that become records
    WFloat distance;
    WInt total;  // points before reduction
    BoxClip clip;
};

// The number of a pair of features, before mixing; see feature_id().
LANEFOLD_INLINE WInt box_pair_number(WInt features, WMask on_b) {
    const WInt incident = features & WInt(31);
    const WInt reference = shift_right_logical(features, 5);
    return select(on_b, incident, reference) * WInt(static_cast<std::int32_t>(kBoxFeatures)) +
           select(on_b, reference, incident);
}

LANEFOLD_INLINE WInt count_valid(const BoxClip& clip) {
    WInt n(0);
    for (const LanePoint& p : clip.points) n = select(p.valid, n + WInt(1), n);
    return n;
}

// The valid candidates of each lane, at most four, in order; unused places are zero. `number` is still the packed pair
// of features.
LANEFOLD_INLINE WInt gather_box_points(const BoxClip& clip, LaneManifoldPoint* point) {
    const WFloat zero(0.0F);
    for (int k = 0; k < 4; ++k) point[k] = {zero, zero, zero, WInt(0)};
    WInt count(0);
#pragma GCC unroll 16
    for (int c = 0; c < kBoxCandidates; ++c) {
        const LanePoint& p = clip.points[c];
#pragma GCC unroll 4
        for (int k = 0; k < 4 && k <= c; ++k) {
            const WMask here = (count == WInt(k)) & p.valid;
            point[k].u = select(here, p.u, point[k].u);
            point[k].v = select(here, p.v, point[k].v);
            point[k].separation = select(here, p.separation, point[k].separation);
            point[k].number = select(here, clip.features[c], point[k].number);
        }
        count = select(p.valid, count + WInt(1), count);
    }
    return count;
}

// Sets the bits of the emitted lanes; returns the sum of their points. Neighbours mostly share a word, which stays in
// registers until another comes: through memory every lane would wait for the one before.
inline std::uint64_t mark_lanes(const ChunkJob& job, const std::uint32_t* pair, std::uint32_t emitted,
                                std::uint32_t negative, const std::int32_t* points) {
    std::uint64_t sum = 0;
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
        overlapping |= std::uint64_t{(negative >> l) & 1U} << (i % 64);
        sum += static_cast<std::uint64_t>(points[l]);
    }
    job.reported[word] |= reported;
    job.overlapping[word] |= overlapping;
    return sum;
}

// Where each lane's record goes; lanes that are not emitted go to `unused`.
LANEFOLD_INLINE void record_rows(const std::uint32_t* pair, std::uint32_t emitted, Manifold4* out, Manifold4* unused,
                                 float** rows) {
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        Manifold4* record = ((emitted >> l) & 1U) != 0 ? out + pair[l] : unused;
        rows[l] = reinterpret_cast<float*>(record);
    }
}

// Body indices of each lane, as the record has them: bits, only ever moved.
LANEFOLD_INLINE void record_bodies(const ChunkJob& job, const std::uint32_t* pair, WFloat& a, WFloat& b) {
    static_assert(sizeof(Pair) == 8);
    alignas(64) std::int32_t at[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) at[l] = static_cast<std::int32_t>(2 * pair[l]);
    const auto* pairs = reinterpret_cast<const float*>(job.pairs);
    const WInt first = WInt::loadu(at);
    a = gather(pairs, first);
    b = gather(pairs, first + WInt(1));
}

inline void emit_box_faces(const ChunkJob& job, BoxFaceBatch& batch, Manifold4* out, ChunkTotals& totals) {
    const BoxClip& clip = batch.clip;
    const LanePlane& plane = clip.plane;
    LaneManifolds m;
    m.count = gather_box_points(clip, m.point);
    for (LaneManifoldPoint& p : m.point) p.number = box_pair_number(p.number, plane.on_b);
    record_bodies(job, batch.rows.pair, m.body_a, m.body_b);
    m.distance = batch.distance;
    m.feature_a = select(plane.on_b, clip.incident_face, clip.reference_face);
    m.feature_b = select(plane.on_b, clip.reference_face, clip.incident_face);
    const WInt kind = select(plane.on_b, WInt(static_cast<std::int32_t>(ContactKind::face_b) << 24),
                             WInt(static_cast<std::int32_t>(ContactKind::face_a) << 24));
    m.counts = (batch.total | (m.count * WInt(1 << 16))) | kind;
    Manifold4 unused;
    float* rows[kWidth];
    record_rows(batch.rows.pair, batch.emitted, out, &unused, rows);
    store_manifolds(job, plane, m, rows, batch.emitted);

    alignas(64) std::int32_t points[kWidth];
    m.count.storeu(points);
    const std::uint32_t negative = bits(batch.distance < splat(0.0F)) & batch.emitted;
    const std::uint32_t emitted = count_bits(batch.emitted);
    const std::uint32_t on_b = count_bits(bits(plane.on_b) & batch.emitted);
    totals.points += mark_lanes(job, batch.rows.pair, batch.emitted, negative, points);
    totals.touching += emitted;
    totals.overlapping += count_bits(negative);
    totals.by_status[static_cast<std::size_t>(Status::ok)] += emitted;
    totals.by_kind[static_cast<std::size_t>(ContactKind::face_b)] += on_b;
    totals.by_kind[static_cast<std::size_t>(ContactKind::face_a)] += emitted - on_b;
}

// The other records, through the code of the general path.
template <class Record>
inline void emit_box_faces(const ChunkJob& job, BoxFaceBatch& batch, Record* out, ChunkTotals& totals) {
    BoxClip& clip = batch.clip;
    LaneStore<kBoxCandidates> stored;
    store_candidates<kBoxCandidates>(clip.points, kBoxCandidates, record_capacity<Record>(), kWidth, stored);
    alignas(64) float distance[kWidth];
    alignas(64) std::int32_t reference[kWidth], incident[kWidth];
    alignas(64) std::int32_t features[kBoxCandidates][kWidth];
    batch.distance.store(distance);
    clip.reference_face.storeu(reference);
    clip.incident_face.storeu(incident);
    for (int c = 0; c < kBoxCandidates; ++c) clip.features[c].storeu(features[c]);
    const std::uint32_t on_b = bits(clip.plane.on_b);
    LaneRecord records[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const bool swapped = ((on_b >> l) & 1U) != 0;
        records[l] = {batch.rows.pair[l],
                      distance[l],
                      static_cast<std::uint32_t>(swapped ? incident[l] : reference[l]),
                      static_cast<std::uint32_t>(swapped ? reference[l] : incident[l]),
                      kBoxFeatures,
                      ((batch.emitted >> l) & 1U) != 0,
                      false};
    }
    const auto name = [&](std::uint32_t l, std::uint32_t c, std::uint32_t& a, std::uint32_t& b) {
        const auto both = static_cast<std::uint32_t>(features[c][l]);
        const bool swapped = ((on_b >> l) & 1U) != 0;
        a = swapped ? both & 31U : both >> 5;
        b = swapped ? both >> 5 : both & 31U;
    };
    emit_lanes(job, stored, clip.plane, records, kWidth, out, totals, name);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
