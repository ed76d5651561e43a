// SPDX-License-Identifier: MIT
//
// Writes face manifolds to records, lanes = pairs. The clips of boxes and of general faces give candidates in
// coordinates of the contact plane. Here candidates are counted, reduced, placed in the world and written.
#pragma once

#include "record/emit.hpp"
#include "record/lane_record.hpp"
#include "record/lane_reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The contact plane in world axes. A candidate's point is base + u * U + v * V + w * (separation / 2).
struct LanePlane {
    WVec3 u, v, w;  // w: outward normal of the reference face
    WVec3 base;     // from A's position, on the reference face's plane
    WMask on_b;     // the reference face is B's
};

// The other members of the records of kWidth contacts.
struct LaneRecords {
    const std::uint32_t* pair;  // index of each lane's pair in the chunk
    std::uint32_t emitted;      // lanes that become records
    WFloat distance;
    WInt total;  // points before reduction
    WInt feature_a, feature_b;
};

// Number of points that a record holds. It is 16 for records without points, which need no reduction.
template <class Record>
constexpr std::uint32_t record_capacity() {
    return __is_same(Record, Manifold4) ? 4 : 16;
}

LANEFOLD_INLINE WInt lane_mix32(WInt x) {
    x = x ^ shift_right_logical(x, 16);
    x = x * WInt(static_cast<std::int32_t>(0x7feb352dU));
    x = x ^ shift_right_logical(x, 15);
    x = x * WInt(static_cast<std::int32_t>(0x846ca68bU));
    return x ^ shift_right_logical(x, 16);
}

LANEFOLD_INLINE WInt count_valid(const LanePoint* points, int used) {
    WInt n(0);
    for (int c = 0; c < used; ++c) n = select(points[c].valid, n + WInt(1), n);
    return n;
}

// PointSelection::impact: makes candidates above `limit` invalid.
LANEFOLD_INLINE void keep_impact(LanePoint* points, int used, WFloat limit) {
    for (int c = 0; c < used; ++c) points[c].valid = points[c].valid & (points[c].separation <= limit);
}

// Returns how many candidates of each lane are valid. For records of four points `reduce` leaves four of them valid in
// the lanes that have more. Records of 16 points need no reduction: two faces of at most eight sides overlap in a
// polygon of at most 16 corners, and write_candidates() leaves out what rounding may add. `in_use`: lanes that count.
template <class Reduce>
LANEFOLD_INLINE WInt reduce_candidates(LanePoint* points, int used, std::uint32_t capacity, std::uint32_t in_use,
                                       const Reduce& reduce) {
    const WInt total = count_valid(points, used);
    if (capacity == 4) {
        const WMask crowded = WInt(4) < total;
        if ((bits(crowded) & in_use) != 0) reduce(points, used, crowded);
    }
    return total;
}

// One point of every lane: its coordinates in the contact plane and the number of its pair of features before mixing.
struct LaneManifoldPoint {
    WFloat u, v, separation;
    WInt number;
};

// Face manifolds of at most four points, one per lane. Points from `count` on are zero.
struct LaneManifolds {
    LaneBodies bodies;
    WFloat distance;
    WInt feature_a, feature_b;
    WInt counts;  // as in LaneRecordHead
    WInt count;
    LaneManifoldPoint point[4];
};

LANEFOLD_INLINE void store_manifolds(const ChunkJob& job, const LanePlane& plane, const LaneManifolds& m,
                                     const RecordRows& rows) {
    const WFloat zero(0.0F);
    const WVec3 zeros = {zero, zero, zero};
    LaneWholeRecord r;
    for (int k = 0; k < 4; ++k) {
        const LaneManifoldPoint& b = m.point[k];
        const WVec3 at = plane.base + ((plane.u * b.u + plane.v * b.v) + plane.w * (b.separation * splat(0.5F)));
        const WMask used = WInt(k) < m.count;
        r.point[k] = {select(used, at, zeros) + zeros, b.separation + zero,
                      select(used, lane_mix32(b.number), WInt(0))};
    }
    r.bodies = m.bodies;
    r.normal = select(plane.on_b, negate(plane.w), plane.w) + zeros;
    r.distance = m.distance + zero;
    r.feature_a = m.feature_a;
    r.feature_b = m.feature_b;
    r.counts = m.counts;
    r.store(job, rows);
}

// Gathers the valid candidates of each lane, at most four, in order. Unused places are zero. The loop runs from the
// last candidate to the first; each valid one moves those behind it one place further. This takes one mask per
// candidate and no counts.
LANEFOLD_INLINE void gather_points(const LanePoint* points, const WInt* number, int used, LaneManifoldPoint* out) {
    const WFloat zero(0.0F);
    LaneManifoldPoint p[4];
    for (LaneManifoldPoint& x : p) x = {zero, zero, zero, WInt(0)};
    for (int c = used - 1; c >= 0; --c) {
        const LanePoint& from = points[c];
#pragma GCC unroll 4
        for (int k = 3; k >= 0; --k) {
            const LaneManifoldPoint& next = p[k > 0 ? k - 1 : 0];
            p[k].u = select(from.valid, k > 0 ? next.u : from.u, p[k].u);
            p[k].v = select(from.valid, k > 0 ? next.v : from.v, p[k].v);
            p[k].separation = select(from.valid, k > 0 ? next.separation : from.separation, p[k].separation);
            p[k].number = select(from.valid, k > 0 ? next.number : number[c], p[k].number);
        }
    }
    for (int k = 0; k < 4; ++k) out[k] = p[k];
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

// Face contacts of kWidth pairs, to be counted.
struct LaneFaceCounts {
    const std::uint32_t* pair;  // index of each lane's pair in the chunk
    std::uint32_t emitted;      // lanes that become records
    WFloat distance;
    WInt count;  // points of the record, at most four
    WMask on_b;  // the reference face is B's
};

// Sets the bits and adds the sums of the emitted lanes. kNeighbours: the pairs of the lanes almost ascend.
template <bool kNeighbours>
LANEFOLD_INLINE void count_face_lanes(const ChunkJob& job, const LaneFaceCounts& r, ChunkTotals& totals) {
    const std::uint32_t negative = bits(r.distance < splat(0.0F)) & r.emitted;
    const std::uint32_t emitted = count_bits(r.emitted);
    const std::uint32_t on_b = count_bits(bits(r.on_b) & r.emitted);
    if constexpr (kNeighbours)
        mark_neighbours(job, r.pair, r.emitted, negative);
    else
        mark_strangers(job, r.pair, r.emitted, negative);
    // Counted in registers: a load would wait for the stores of the records, which may miss the caches.
    for (int k = 0; k < 4; ++k) totals.points += count_bits(bits(WInt(k) < r.count) & r.emitted);
    totals.touching += emitted;
    totals.overlapping += count_bits(negative);
    totals.by_status[static_cast<std::size_t>(Status::ok)] += emitted;
    totals.by_kind[static_cast<std::size_t>(ContactKind::face_b)] += on_b;
    totals.by_kind[static_cast<std::size_t>(ContactKind::face_a)] += emitted - on_b;
}

// Writes whole records of the emitted lanes without a branch per lane. m.point must be set: all r.total points, or four
// if there are more. kNeighbours: the pairs of the lanes almost ascend.
template <bool kNeighbours>
inline void write_lanes(const ChunkJob& job, const LaneRecords& r, const LanePlane& plane, LaneManifolds& m,
                        Manifold4* out, ChunkTotals& totals) {
    m.bodies = LaneBodies::load(PairRows{job.pairs, r.pair});
    m.distance = r.distance;
    m.feature_a = r.feature_a;
    m.feature_b = r.feature_b;
    const WInt kind = select(plane.on_b, kind_bits(ContactKind::face_b), kind_bits(ContactKind::face_a));
    m.count = select(WInt(4) < r.total, WInt(4), r.total);
    m.counts = packed_counts(r.total, m.count, kind);
    Manifold4 unused;
    store_manifolds(job, plane, m, RecordRows{r.pair, r.emitted, out, &unused});

    count_face_lanes<kNeighbours>(job, {r.pair, r.emitted, r.distance, m.count, plane.on_b}, totals);
}

// Writes the valid candidates, at most four per lane. `number`: the number of each candidate's pair of features, before
// mixing.
inline void emit_lanes(const ChunkJob& job, const LaneRecords& r, const LanePlane& plane, const LanePoint* points,
                       const WInt* number, int used, Manifold4* out, ChunkTotals& totals) {
    LaneManifolds m;
    gather_points(points, number, used, m.point);
    write_lanes<false>(job, r, plane, m, out, totals);
}

// Contact planes and candidates of kWidth pairs in memory, for code that reads one lane at a time.
struct StoredPlane {
    alignas(64) float u[3][kWidth], v[3][kWidth], w[3][kWidth], base[3][kWidth];
    std::uint32_t on_b;
};

LANEFOLD_INLINE void store_plane(const LanePlane& plane, StoredPlane& out) {
    store_points(plane.u, out.u);
    store_points(plane.v, out.v);
    store_points(plane.w, out.w);
    store_points(plane.base, out.base);
    out.on_b = bits(plane.on_b);
}

struct StoredCandidates {
    alignas(64) float u[kMostCandidates][kWidth], v[kMostCandidates][kWidth], separation[kMostCandidates][kWidth];
    alignas(64) std::int32_t id[kMostCandidates][kWidth];
    std::uint32_t valid[kMostCandidates];
    int used;
};

LANEFOLD_INLINE void store_candidates(const LanePoint* points, const WInt* number, int used, StoredCandidates& out) {
    for (int c = 0; c < used; ++c) {
        points[c].u.store(out.u[c]);
        points[c].v.store(out.v[c]);
        points[c].separation.store(out.separation[c]);
        lane_mix32(number[c]).storeu(out.id[c]);
        out.valid[c] = bits(points[c].valid);
    }
    out.used = used;
}

// Writes the valid candidates of lane l to a cleared record.
template <class Record>
LANEFOLD_INLINE void write_candidates(const StoredPlane& plane, const StoredCandidates& from, std::uint32_t l,
                                      Record& r) {
    for (int c = 0; c < from.used && r.count < record_capacity<Record>(); ++c) {
        if (!bit_at(from.valid[c], l)) continue;
        ContactPoint& p = r.points[r.count++];
        const float s = from.separation[c][l];
        for (int i = 0; i < 3; ++i) {
            p.position[i] = (plane.base[i][l] + ((plane.u[i][l] * from.u[c][l] + plane.v[i][l] * from.v[c][l]) +
                                                 plane.w[i][l] * (s * 0.5F))) +
                            0.0F;
        }
        p.separation = s + 0.0F;
        p.feature = static_cast<std::uint32_t>(from.id[c][l]);
    }
}

// Records of other types, one lane at a time.
template <class Record>
inline void emit_lanes(const ChunkJob& job, const LaneRecords& in, const LanePlane& lane_plane, const LanePoint* points,
                       const WInt* number, int used, Record* out, ChunkTotals& totals) {
    StoredPlane plane;
    store_plane(lane_plane, plane);
    StoredCandidates candidates;
    store_candidates(points, number, used, candidates);
    alignas(64) float distance[kWidth];
    alignas(64) std::int32_t feature_a[kWidth], feature_b[kWidth], total[kWidth];
    in.distance.store(distance);
    in.feature_a.storeu(feature_a);
    in.feature_b.storeu(feature_b);
    in.total.storeu(total);
    for (std::uint32_t rest = in.emitted; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        const bool on_b = bit_at(plane.on_b, l);
        Record& r = out[in.pair[l]];
        clear_record(r);
        for (int k = 0; k < 3; ++k) r.normal[k] = (on_b ? -plane.w[k][l] : plane.w[k][l]) + 0.0F;
        r.distance = distance[l] + 0.0F;
        r.kind = on_b ? ContactKind::face_b : ContactKind::face_a;
        if constexpr (!__is_same(Record, PairDistance)) {
            r.pair[0] = job.pairs[in.pair[l]].a;
            r.pair[1] = job.pairs[in.pair[l]].b;
            r.feature_a = static_cast<std::uint32_t>(feature_a[l]);
            r.feature_b = static_cast<std::uint32_t>(feature_b[l]);
            r.total = static_cast<std::uint16_t>(total[l]);
            write_candidates(plane, candidates, l, r);
        }
        count_record(job, in.pair[l], r, totals);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
