// SPDX-License-Identifier: MIT
//
// Bounded reuse, lanes = pairs: pairs that have moved little since their anchors get their anchors' records, carried by
// the poses of both bodies. See coherence/anchor.hpp.
//
// The rule. Let s be the smaller hull's size, e = reuse * s. An anchor at the relative pose X0 covers the pose X1 if
//
//     mu = min(muA, muB) <= e (1 - kBend * reuse) - sigma   and   mu <= W - margin - sigma,
//
// with muA, muB and sigma of coherence/certificates.hpp (motion of B's points in A's frame, of A's in B's; rounding)
// and W the margin with which the anchor was made. Its points keep their witnesses a, b; the normal n rides with the
// hull of the reference face, otherwise with A. The carried record has for each point the separation n . (b - a) and
// the middle of a and b, and the distance is the lowest separation plus the difference of both in the anchor. Points
// above the margin are left out, unless they are the deepest; a distance above the margin is not reported. Both poses
// are absolute, so nothing adds up over steps.
//
// The promise: every error is at most 2 e.
//
// - Let d = b - a, and let X be the hull's frame in which the other hull's points move by at most mu. In X d changes by
//   at most mu. At X0 d = n S with |S| <= s (kLongestGap; others have no anchor). Seen in X, n turns by the rotation
//   T = |R1 - R0| or not at all, so n . d changes by at most mu + |S| T^2 / 2, because n0 . n1 >= 1 - T^2 / 2. T times
//   the radius of the hull that moves is at most mu, and a radius is at least its size / sqrt(3) >= s / sqrt(3). So
//   T <= sqrt(3) mu / s and |S| T^2 / 2 <= 1.5 mu^2 / s. As mu <= e (1 - 1.5 reuse), the sum is at most e: each carried
//   separation and the carried distance are within e of those at X0.
// - The exact distance changes by at most mu (certificates.hpp). So the carried distance is within 2 e of the exact
//   one. A pair with an exact distance below margin - 2 e is therefore reported; one above margin + 2 e is not.
// - a and b stay on their surfaces. The record's witnesses are the middle -+ n S' / 2. They differ from a and b by half
//   of d's part across n, which is at most (mu + |S| T) / 2 <= (1 + sqrt(3)) / 2 mu < 1.4 e.
// - The direction that is n in X still separates by at least what it did at X0 minus mu, so by no less than the exact
//   distance minus the face preference minus 2 e. n is within the angle 2 asin(T / 2) of it; T <= sqrt(3) reuse.
// - A point of the features of the anchor's contact that is within the margin at X1 was within margin + mu <= W at X0,
//   so the anchor has it (before its reduction to the capacity).
// - A pair without a contact at X0 has no anchor. It is computed, and certificates of motion drop it exactly.
//
// sigma is 16e-6 (size A + size B), of which the motion needs 10e-6; the rounding of witnesses and of carrying them
// (three rotations and sums of numbers of at most 2 (size A + size B)) is below 3e-6 of it.
#pragma once

#include "coherence/anchor.hpp"
#include "coherence/certificates.hpp"
#include "coherence/widen.hpp"
#include "record/lane_contact.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// See above. Size of the second order of a turn, in mu^2 / s.
inline constexpr float kBend = 1.5F;
// The largest separation or depth of an anchor's points, in sizes of the smaller hull. The proof needs no more than 1.
inline constexpr float kLongestGap = 1.0F;

struct AnchorPoseRows {
    const AnchorTable& table;
    const std::uint32_t* pair;

    LANEFOLD_INLINE float* operator[](std::uint32_t l) const {
        return reinterpret_cast<float*>(&table.poses[table.of[pair[l]]]);
    }
};
struct AnchorStateRows {
    const AnchorTable& table;
    const std::uint32_t* pair;

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const {
        return reinterpret_cast<const float*>(&table.states[table.of[pair[l]]]);
    }
};
// Half `half` of block `block` of the points.
struct AnchorPointRows {
    const AnchorTable& table;
    const std::uint32_t* pair;
    std::uint32_t block;
    std::uint32_t half;

    LANEFOLD_INLINE float* operator[](std::uint32_t l) const {
        AnchorPoints* const points = table.points + std::size_t{table.of[pair[l]]} * table.blocks + block;
        return reinterpret_cast<float*>(points) + 16 * half;
    }
};

// The motion that an anchor covers as far as its size counts. Not positive: the pair gets no anchor.
LANEFOLD_INLINE WFloat covered_motion(float reuse, const LaneSizes& sizes) {
    return splat(reuse * (1.0F - kBend * reuse)) * sizes.smaller - splat(kMotionSlack) * sizes.sum;
}

// Lanes whose anchors cover their poses.
LANEFOLD_INLINE std::uint32_t covered_lanes(const ChunkJob& job, const AnchorTable& anchors, const std::uint32_t* pair,
                                            const PairPlaces* places) {
    const LaneBodiesAt at = LaneBodiesAt::load(job, pair, places);
    WFloat q[16];
    load_rows16(AnchorPoseRows{anchors, pair}, q);
    const LanePose from = pose_of(q);
    const LaneSizes sizes = load_sizes(places);
    const WFloat motion = least_motion(from, at.to_a, places);
    const WFloat room = (q[14] - load_margins(job, pair)) - splat(kMotionSlack) * sizes.sum;
    const WMask same = (bit_cast_int(q[12]) == at.a.hull) & (bit_cast_int(q[13]) == at.b.hull);
    const WMask near_enough = reach_of(at.to_a.t, sizes.sum).near_enough;
    return bits(same & near_enough & (motion <= min(covered_motion(anchors.reuse, sizes), room)));
}

// Word `counts` of an anchor and of a record.
LANEFOLD_INLINE WInt count_of(WInt counts) { return shift_right_logical(counts, 16) & WInt(0xFF); }
LANEFOLD_INLINE WInt kind_of(WInt counts) { return shift_right_logical(counts, 24); }
LANEFOLD_INLINE WMask reference_on_b(WInt counts) {
    return kind_of(counts) == WInt(static_cast<std::int32_t>(ContactKind::face_b));
}

// One block of carried points. A point past the end has an infinite separation, which is above every limit.
struct CarriedPoints {
    LaneRecordPoint point[kAnchorBlock];

    LANEFOLD_INLINE static CarriedPoints carry(const LaneBodiesAt& at, const WVec3& normal, const WFloat* q,
                                               WInt left) {
        CarriedPoints c;
        for (int k = 0; k < 4; ++k) {
            const WFloat* on_a = q + 8 + 3 * k;
            const WFloat* on_b = q + 20 + 3 * k;
            const WVec3 a = rotate(at.a.world.r, {on_a[0], on_a[1], on_a[2]}) + at.a.world.t;
            const WVec3 b = rotate(at.b.world.r, {on_b[0], on_b[1], on_b[2]}) + at.from_a;
            const WFloat separation = select(WInt(k) < left, dot(normal, b - a), splat(__builtin_inff()));
            c.point[k] = {(a + b) * splat(0.5F), separation, bit_cast_int(q[4 + k])};
        }
        return c;
    }
    LANEFOLD_INLINE WFloat least(WFloat so_far) const {
        for (const LaneRecordPoint& p : point) so_far = min(p.separation, so_far);
        return so_far;
    }
};

// The content of carried records besides their points.
struct CarriedHead {
    LaneContact contact;
    WFloat limit;  // points above it are left out
};

LANEFOLD_INLINE CarriedHead carried_head(const ChunkJob& job, const AnchorTable& anchors, const std::uint32_t* pair,
                                         std::uint32_t in_use, const WVec3& normal, WInt counts, WFloat least,
                                         const CarriedPoints* blocks, std::uint32_t block_count) {
    WFloat state[4];
    load_rows4(AnchorStateRows{anchors, pair}, state);
    const WFloat margin = load_margins(job, pair);
    const WFloat distance = least + state[3];
    const WFloat limit = max(margin, least);
    WInt kept(0);
    for (std::uint32_t b = 0; b < block_count; ++b) {
        for (const LaneRecordPoint& p : blocks[b].point) kept = select(p.separation <= limit, kept + WInt(1), kept);
    }
    // Points that are left out count as points that there are not.
    const WInt total = select(kept < count_of(counts), kept, counts & WInt(0xFFFF));
    return {{pair, bits(distance <= margin) & in_use, normal, distance, bit_cast_int(state[1]), bit_cast_int(state[2]),
             kind_of(counts), total},
            limit};
}

// Writes the records of the emitted lanes; returns how many points they have. Of Manifold4 whole, by transposes.
LANEFOLD_INLINE std::uint32_t write_carried(const ChunkJob& job, const CarriedHead& head, const CarriedPoints* blocks,
                                            Manifold4* out) {
    // From the last point to the first: each that is kept moves those behind it one place further.
    LaneRecordPoint p[4];
    for (LaneRecordPoint& x : p) {
        const WFloat zero(0.0F);
        x = {{zero, zero, zero}, zero, WInt(0)};
    }
    WInt count(0);
    for (int k = 3; k >= 0; --k) {
        const LaneRecordPoint& x = blocks->point[k];
        const WMask kept = x.separation <= head.limit;
        for (int j = 3; j > 0; --j) p[j].set(kept, p[j - 1]);
        p[0].set(kept, {without_sign_of_zero(x.position), x.separation + splat(0.0F), x.feature});
        count = select(kept, count + WInt(1), count);
    }
    const LaneContact& c = head.contact;
    Manifold4 unused;
    const RecordRows rows = {c.pair, c.emitted, out, &unused};
    const LaneRecordHead first = {LaneBodies::load(PairRows{job.pairs, c.pair}),
                                  without_sign_of_zero(c.normal),
                                  c.distance + splat(0.0F),
                                  c.feature_a,
                                  c.feature_b,
                                  packed_counts(c.total, count, c.kind),
                                  p[0].position,
                                  p[0].separation};
    first.store(job, rows);
    store_tail(job, p, rows.second_half());
    std::uint32_t n = 0;
    for (int k = 0; k < 4; ++k) n += count_bits(bits(WInt(k) < count) & c.emitted);
    return n;
}

// The points of a Manifold16 for write_records().
struct CarriedCandidates {
    static constexpr int used = Manifold16::kCapacity;  // NOLINT(readability-identifier-naming): as in other sources

    const CarriedPoints* blocks;
    WFloat limit;

    LANEFOLD_INLINE const LaneRecordPoint& point(int k) const { return blocks[k / 4].point[k % 4]; }
    LANEFOLD_INLINE WMask valid(int k) const { return point(k).separation <= limit; }
};

LANEFOLD_INLINE std::uint32_t write_carried(const ChunkJob& job, const CarriedHead& head, const CarriedPoints* blocks,
                                            Manifold16* out) {
    return write_records(job, head.contact, CarriedCandidates{blocks, head.limit}, out);
}

// The records of kWidth covered pairs. `job`: its bits are those of the carried pairs.
template <class Record>
inline void carry_lanes(const ChunkJob& job, const AnchorTable& anchors, const std::uint32_t* pair,
                        const PairPlaces* places, std::uint32_t in_use, ChunkTotals& totals) {
    constexpr std::uint32_t kBlocks = Record::kCapacity / kAnchorBlock;
    const LaneBodiesAt at = LaneBodiesAt::load(job, pair, places);
    CarriedPoints blocks[kBlocks];
    WVec3 normal;
    WInt counts(0);
    WFloat least = splat(__builtin_inff());
    for (std::uint32_t b = 0; b < kBlocks; ++b) {
        WFloat q[32];
        load_rows16(AnchorPointRows{anchors, pair, b, 0}, q);
        load_rows16(AnchorPointRows{anchors, pair, b, 1}, q + 16);
        if (b == 0) {
            counts = bit_cast_int(q[3]);
            WVec3 r[3];
            at.frame_of_normal(reference_on_b(counts), r);
            const WVec3 turned = rotate(r, {q[0], q[1], q[2]});
            // Two rotations of float32 may change its length by more than a record's normal may be off.
            const WFloat length = sqrt(dot(turned, turned));
            normal = {turned.x / length, turned.y / length, turned.z / length};
        }
        const WInt left = count_of(counts) + WInt(-static_cast<std::int32_t>(kAnchorBlock * b));
        blocks[b] = CarriedPoints::carry(at, normal, q, left);
        least = blocks[b].least(least);
    }
    const CarriedHead head = carried_head(job, anchors, pair, in_use, normal, counts, least, blocks, kBlocks);
    totals.points += write_carried(job, head, blocks, static_cast<Record*>(job.out));
    count_contacts<true, ContactKind::face_a, ContactKind::vertex_vertex>(job, head.contact, totals);
    const std::uint32_t beyond = count_bits(in_use & ~head.contact.emitted);
    totals.by_status[static_cast<std::size_t>(Status::ok)] += beyond;
    totals.by_kind[static_cast<std::size_t>(ContactKind::none)] += beyond;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
