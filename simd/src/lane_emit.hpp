// SPDX-License-Identifier: MIT
//
// Face manifolds into records, lanes = pairs. Clips (of boxes or of general faces) leave candidates in the
// coordinates of the contact plane; here they are counted, reduced, placed in the world and written.
#pragma once

#include "emit.hpp"
#include "lane_reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The contact plane in the world: a candidate's point is base + u * U + v * V + w * (separation / 2).
struct LanePlane {
    WVec3 u, v, w;  // w: outward normal of the reference face
    WVec3 base;     // from A's position, on the reference face's plane
    WMask on_b;     // the reference face is B's
};

// What else a lane's record says.
struct LaneRecord {
    std::uint32_t pair;
    float distance;
    std::uint32_t feature_a;
    std::uint32_t feature_b;
    std::uint32_t total_b;  // features of hull B, for the ids
    bool emit;              // false: this lane writes nothing
    bool ids_may_collide;   // N_a N_b > 2^32
};

// Points that a record holds (16 for those that hold none: nothing to reduce).
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

template <int kCandidates>
struct LaneStore {
    static constexpr std::size_t kCount = kCandidates;
    alignas(64) float u[kCount][kWidth];
    alignas(64) float v[kCount][kWidth];
    alignas(64) float separation[kCount][kWidth];
    alignas(64) std::int32_t kept[kWidth];   // bit c: candidate c
    alignas(64) std::int32_t total[kWidth];  // before reduction
};

// Counts and reduces the first `used` candidates and lays them out lane by lane. `capacity`: of the record; `reduce`
// chooses four in the lanes that have more.
template <int kCandidates, class Reduce>
inline void store_candidates(LanePoint* points, int used, std::uint32_t capacity, std::uint32_t lanes,
                             LaneStore<kCandidates>& out, const Reduce& reduce) {
    WInt total(0);
    for (int c = 0; c < used; ++c) total = total + select(points[c].valid, WInt(1), WInt(0));
    total.storeu(out.total);
    if (capacity == 4) {
        const WMask crowded = WInt(4) < total;
        if ((bits(crowded) & ((1U << lanes) - 1U)) != 0) reduce(points, used, crowded);
    }
    WInt kept(0);
    for (int c = 0; c < used; ++c) {
        points[c].u.store(out.u[c]);
        points[c].v.store(out.v[c]);
        points[c].separation.store(out.separation[c]);
        kept = kept + select(points[c].valid, WInt(static_cast<std::int32_t>(1U << c)), WInt(0));
    }
    kept.storeu(out.kept);
}

template <int kCandidates>
LANEFOLD_INLINE void store_candidates(LanePoint* points, int used, std::uint32_t capacity, std::uint32_t lanes,
                                      LaneStore<kCandidates>& out) {
    store_candidates<kCandidates>(points, used, capacity, lanes, out, reduce_lanes);
}

// Equal ids within a record (hulls too large for the bijection): the next free value, in order.
template <class Record>
LANEFOLD_INLINE void separate_ids(Record& r) {
    for (std::uint32_t k = 1; k < r.count; ++k) {
        for (std::uint32_t i = 0; i < k; ++i) {
            if (r.points[i].feature == r.points[k].feature) {
                ++r.points[k].feature;
                i = ~0U;  // look again from the first point
            }
        }
    }
}

// One point of every lane: places in the contact plane, and the number of its pair of features before mixing.
struct LaneManifoldPoint {
    WFloat u, v, separation;
    WInt number;
};

// Face manifolds of at most four points, one a lane. Points from `count` on are zero.
struct LaneManifolds {
    WFloat body_a, body_b;  // bits of the indices
    WFloat distance;
    WInt feature_a, feature_b;
    WInt counts;  // words 32..35 of the record, little-endian: total, count, kind
    WInt count;
    LaneManifoldPoint point[4];
};

// Four points and a header are 32 words: two transposes give whole records. `rows`: the records of the lanes, any
// writable record where a lane is not in `emitted`; left pointing at their second halves.
LANEFOLD_INLINE void store_manifolds(const ChunkJob& job, const LanePlane& plane, const LaneManifolds& m, float** rows,
                                     std::uint32_t emitted) {
    const WFloat zero(0.0F);
    WFloat p[4][5];
    for (int k = 0; k < 4; ++k) {
        const LaneManifoldPoint& b = m.point[k];
        const WVec3 at = plane.base + ((plane.u * b.u + plane.v * b.v) + plane.w * (b.separation * splat(0.5F)));
        const WMask used = WInt(k) < m.count;
        p[k][0] = select(used, at.x, zero) + zero;
        p[k][1] = select(used, at.y, zero) + zero;
        p[k][2] = select(used, at.z, zero) + zero;
        p[k][3] = b.separation + zero;
        p[k][4] = bit_cast_float(select(used, lane_mix32(b.number), WInt(0)));
    }
    const WVec3 normal = select(plane.on_b, negate(plane.w), plane.w);
    const WFloat nothing = bit_cast_float(WInt(0));
    const WFloat first[16] = {m.body_a,
                              m.body_b,
                              normal.x + zero,
                              normal.y + zero,
                              normal.z + zero,
                              m.distance + zero,
                              bit_cast_float(m.feature_a),
                              bit_cast_float(m.feature_b),
                              bit_cast_float(m.counts),
                              nothing,
                              nothing,
                              nothing,
                              p[0][0],
                              p[0][1],
                              p[0][2],
                              p[0][3]};
    const WFloat second[16] = {p[0][4], p[1][0], p[1][1], p[1][2], p[1][3], p[1][4], p[2][0], p[2][1],
                               p[2][2], p[2][3], p[2][4], p[3][0], p[3][1], p[3][2], p[3][3], p[3][4]};
    store_records(job, first, rows, emitted);
    for (std::uint32_t l = 0; l < kWidth; ++l) rows[l] += 16;
    store_records(job, second, rows, emitted);
}

// `features(lane, candidate, a, b)` names the features (numbers on hull A and B) of a kept candidate.
template <int kCandidates, class Features>
inline void emit_lanes(const ChunkJob& job, const LaneStore<kCandidates>& c, const LanePlane& plane,
                       const LaneRecord* records, std::uint32_t lanes, Manifold4* out, ChunkTotals& totals,
                       const Features& features) {
    alignas(64) float u[4][kWidth] = {};
    alignas(64) float v[4][kWidth] = {};
    alignas(64) float separation[4][kWidth] = {};
    alignas(64) std::int32_t number[4][kWidth] = {};
    alignas(64) std::int32_t header[5][kWidth] = {};  // pair a, pair b, feature a, feature b, packed counts
    alignas(64) std::int32_t count[kWidth] = {};
    alignas(64) float distance[kWidth] = {};
    const std::uint32_t on_b = bits(plane.on_b);
    Manifold4 unused;
    float* rows[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        rows[l] = reinterpret_cast<float*>(&unused);
        if (l >= lanes || !records[l].emit) continue;
        const LaneRecord& r = records[l];
        rows[l] = reinterpret_cast<float*>(out + r.pair);
        std::int32_t n = 0;
        for (auto kept = static_cast<std::uint32_t>(c.kept[l]); kept != 0; kept &= kept - 1) {
            const std::uint32_t k = lowest_bit(kept);
            u[n][l] = c.u[k][l];
            v[n][l] = c.v[k][l];
            separation[n][l] = c.separation[k][l];
            std::uint32_t a = 0;
            std::uint32_t b = 0;
            features(l, k, a, b);
            number[n][l] = static_cast<std::int32_t>(a * r.total_b + b);
            ++n;
        }
        count[l] = n;
        header[0][l] = static_cast<std::int32_t>(job.pairs[r.pair].a);
        header[1][l] = static_cast<std::int32_t>(job.pairs[r.pair].b);
        header[2][l] = static_cast<std::int32_t>(r.feature_a);
        header[3][l] = static_cast<std::int32_t>(r.feature_b);
        // Words 32..35 of the record, little-endian: total, count, kind.
        const std::uint32_t kind = ((on_b >> l) & 1U) != 0 ? static_cast<std::uint32_t>(ContactKind::face_b)
                                                           : static_cast<std::uint32_t>(ContactKind::face_a);
        header[4][l] = static_cast<std::int32_t>(static_cast<std::uint32_t>(c.total[l]) |
                                                 (static_cast<std::uint32_t>(n) << 16) | (kind << 24));
        distance[l] = r.distance;
    }
    LaneManifolds m;
    m.body_a = bit_cast_float(WInt::loadu(header[0]));
    m.body_b = bit_cast_float(WInt::loadu(header[1]));
    m.distance = WFloat::load(distance);
    m.feature_a = WInt::loadu(header[2]);
    m.feature_b = WInt::loadu(header[3]);
    m.counts = WInt::loadu(header[4]);
    m.count = WInt::loadu(count);
    for (int k = 0; k < 4; ++k)
        m.point[k] = {WFloat::load(u[k]), WFloat::load(v[k]), WFloat::load(separation[k]), WInt::loadu(number[k])};
    std::uint32_t emitted = 0;
    for (std::uint32_t l = 0; l < lanes; ++l) emitted |= (records[l].emit ? 1U : 0U) << l;
    store_manifolds(job, plane, m, rows, emitted);
    for (std::uint32_t l = 0; l < lanes; ++l) {
        if (!records[l].emit) continue;
        Manifold4& r = out[records[l].pair];
        if (records[l].ids_may_collide) separate_ids(r);
        const std::uint32_t pair = records[l].pair;
        const std::uint64_t bit = std::uint64_t{1} << (pair % 64);
        job.reported[pair / 64] |= bit;
        if (records[l].distance < 0.0F) {
            job.overlapping[pair / 64] |= bit;
            ++totals.overlapping;
        }
        ++totals.by_status[0];
        ++totals.by_kind[((on_b >> l) & 1U) != 0 ? 2 : 1];
        ++totals.touching;
        totals.points += static_cast<std::uint64_t>(count[l]);
    }
}

// The other records, one lane at a time.
template <class Record, int kCandidates, class Features>
inline void emit_lanes(const ChunkJob& job, const LaneStore<kCandidates>& c, const LanePlane& plane,
                       const LaneRecord* records, std::uint32_t lanes, Record* out, ChunkTotals& totals,
                       const Features& features) {
    alignas(64) float axes[4][3][kWidth];
    const WVec3* source[4] = {&plane.u, &plane.v, &plane.w, &plane.base};
    for (int k = 0; k < 4; ++k) {
        source[k]->x.store(axes[k][0]);
        source[k]->y.store(axes[k][1]);
        source[k]->z.store(axes[k][2]);
    }
    const std::uint32_t on_b = bits(plane.on_b);
    for (std::uint32_t l = 0; l < lanes; ++l) {
        if (!records[l].emit) continue;
        const LaneRecord& in = records[l];
        const bool b_side = ((on_b >> l) & 1U) != 0;
        Record& r = out[in.pair];
        r = Record{};
        for (int k = 0; k < 3; ++k) r.normal[k] = (b_side ? -axes[2][k][l] : axes[2][k][l]) + 0.0F;
        r.distance = in.distance + 0.0F;
        r.kind = b_side ? ContactKind::face_b : ContactKind::face_a;
        if constexpr (!__is_same(Record, PairDistance)) {
            r.pair[0] = job.pairs[in.pair].a;
            r.pair[1] = job.pairs[in.pair].b;
            r.feature_a = in.feature_a;
            r.feature_b = in.feature_b;
            r.total = static_cast<std::uint16_t>(c.total[l]);
            for (auto kept = static_cast<std::uint32_t>(c.kept[l]); kept != 0; kept &= kept - 1) {
                const std::uint32_t k = lowest_bit(kept);
                ContactPoint& p = r.points[r.count++];
                const float s = c.separation[k][l];
                for (int i = 0; i < 3; ++i) {
                    p.position[i] = (axes[3][i][l] + ((axes[0][i][l] * c.u[k][l] + axes[1][i][l] * c.v[k][l]) +
                                                      axes[2][i][l] * (s * 0.5F))) +
                                    0.0F;
                }
                p.separation = s + 0.0F;
                std::uint32_t number_a = 0;
                std::uint32_t number_b = 0;
                features(l, k, number_a, number_b);
                p.feature = feature_id(number_a, number_b, in.total_b);
            }
            if (in.ids_may_collide) separate_ids(r);
        }
        count_record(job, in.pair, r, totals);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
