// SPDX-License-Identifier: MIT
//
// Certificates of motion, lanes = pairs: pairs that were apart and have moved so little since that they still are.
//
// Motion. Let X0 and X1 be relative poses, R and t the rotation and translation of B in A's frame. A point of B is
// within B's radius r of its centre, so in A's frame it moves from X0 to X1 by at most
//
//     muA = |t1 - t0| + |R1 - R0| r,  with the spectral norm of the difference.
//
// The difference of two rotations is a rotation times (Q - 1), whose singular values are 0 and twice 2 sin(angle / 2).
// So its spectral norm is its Frobenius norm / sqrt(2). The separation along a direction n that is fixed to A is
// min n . b - max n . a, and only b moves: it changes by at most muA. For directions fixed to B the same holds with the
// inverse pose and A's radius: muB. The distance is the largest separation, in either frame, so it changes by at most
// the lower of both. Both poses are absolute: a bound is never a sum over steps.
//
// A pair is dropped if the certificate's distance - min(muA, muB) > its margin + sigma.
//
// Rounding, in units of S = size A + size B; u = 6e-8 is half a unit in the last place of 1. Squares that vanish belong
// to motions below 1e-22, and sizes are at least 1e-6.
//
// - R: an entry is a sum of three products of rounded numbers, off by at most 2.5e-7 (2u for the inputs, 2u for
//   products and sums, by Cauchy's inequality). The Frobenius norm of the error is at most 7.5e-7 a pose. Both poses
//   over sqrt(2) are 1.1e-6, times a radius of at most two sizes: 2.2e-6.
// - t: the vector between the centres is off by u times 6 S (positions subtracted), 4 S twice (centre offsets rounded,
//   subtracted; kPreciseCentreOffset) and 2 S (sum; kPreciseSeparation): 1e-6. Rotating it adds 9e-8 * 2 S for the
//   matrix and sqrt(3) 3u * 2 S for the products: 0.8e-6. Both poses: 3.6e-6.
// - R^T t: 7.5e-7 * 2 S for the matrix, 0.6e-6 for the products, 1.8e-6 from t. Both poses: 7.8e-6.
// - The sums and roots below lose less than 1e-6 of their value; the result is enlarged by more (kMotionRoom). The
//   comparison rounds numbers of at most 2 S: 5e-7.
// - Separations, at X0 and in a search at X1: below 1e-6 each (kPruneSlack).
//
// Together muB, the worse one, is off by at most 10e-6; comparison and the certificate's distance add 1.5e-6. So with
// sigma = 4 kPruneSlack = 16e-6 a pair that is dropped has a distance that exceeds its margin by more than kPruneSlack,
// like a pair that an axis of the pair cache drops: a search would have dropped it too.
#pragma once

#include "coherence/certificate.hpp"
#include "pair/lane_rows.hpp"
#include "search/pose.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Relative; exceeds the rounding of the motion bound from its inputs (a dozen roundings of 6e-8) ten times.
inline constexpr float kMotionRoom = 1e-5F;
// sigma, in (size A + size B). A smaller one is not proven; a larger one drops fewer pairs.
inline constexpr float kMotionSlack = 4.0F * kPruneSlack;

LANEFOLD_INLINE WFloat motion_bound(const WVec3& t0, const WVec3& t1, WFloat rotation, WFloat radius) {
    const WVec3 d = t1 - t0;
    return (sqrt(dot(d, d)) + rotation * radius) * splat(1.0F + kMotionRoom);
}

// Spectral norm of the difference of two rotations.
LANEFOLD_INLINE WFloat rotation_between(const LanePose& from, const LanePose& to) {
    const WVec3 x = to.r[0] - from.r[0];
    const WVec3 y = to.r[1] - from.r[1];
    const WVec3 z = to.r[2] - from.r[2];
    return sqrt(((dot(x, x) + dot(y, y)) + dot(z, z)) * splat(0.5F));
}

// The first lines of the certificates of kWidth pairs.
struct CertificateRows {
    const CertificateTable& table;
    const std::uint32_t* pair;

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const { return table.all[table.of[pair[l]]].pose; }
};

static_assert(offsetof(Certificate, pose) == 0 && offsetof(Certificate, distance) == 48 &&
              offsetof(Certificate, hull_a) == 52 && offsetof(Certificate, hull_b) == 56 &&
              offsetof(Certificate, what) == 60);
struct LaneCertificate {
    LanePose pose;
    WFloat distance;
    WInt hull_a, hull_b, what;

    template <class Rows>
    LANEFOLD_INLINE static LaneCertificate load(const Rows& rows) {
        WFloat q[16];
        load_rows16(rows, q);
        return {pose_of(q), q[12], bit_cast_int(q[13]), bit_cast_int(q[14]), bit_cast_int(q[15])};
    }
};

static_assert(offsetof(HullRecord, radius) == offsetof(HullRecord, flags) + 32);
LANEFOLD_INLINE WFloat load_radii(const PairPlaces* places, bool of_b) {
    WFloat q[4];
    load_rows4(HullRows{places, of_b}, q, 5);  // centre, radius
    return q[3];
}

// No point of one hull has moved by more as the other one sees it, whichever of the two has moved less.
LANEFOLD_INLINE WFloat least_motion(const LanePose& from, const LanePose& to, const PairPlaces* places) {
    const WFloat rotation = rotation_between(from, to);
    const WFloat of_b = motion_bound(from.t, to.t, rotation, load_radii(places, true));
    const WFloat of_a =
        motion_bound(rotate_back(from.r, from.t), rotate_back(to.r, to.t), rotation, load_radii(places, false));
    return min(of_b, of_a);
}

LANEFOLD_INLINE Certificate& certificate_of(const ChunkJob& job, const PairRow& row) {
    return job.certificates->all[job.certificates->of[row.pair]];
}

LANEFOLD_INLINE CertifiedOptimum& certified_optimum(const ChunkJob& job, const PairRow& row) {
    return job.certificates->optima[job.certificates->of[row.pair]];
}

// Writes the certificate of a pair that is apart. `separation`: along some direction.
LANEFOLD_INLINE void certify(const ChunkJob& job, const PairRow& row, float separation) {
    Certificate& c = certificate_of(job, row);
    __builtin_memcpy(c.pose, &row.to_a, sizeof c.pose);
    c.distance = separation;
    c.hull_a = row.hull_a;
    c.hull_b = row.hull_b;
    c.what = kCertifiedApart;
}

// Bits of lanes: `known` whose certificates are of their hulls, `apart` whose certificates prove that their pairs are
// apart by more than their margins.
struct CertifiedLanes {
    std::uint32_t known;
    std::uint32_t apart;
};

LANEFOLD_INLINE CertifiedLanes ask_certificates(const ChunkJob& job, const std::uint32_t* pair,
                                                const PairPlaces* places) {
    const WFloat margin = load_margins(job, pair);
    const LaneBodiesAt at = LaneBodiesAt::load(job, pair, places);
    const LaneSizes sizes = load_sizes(places);
    const LaneReach reach = reach_of(at.to_a.t, sizes.sum);
    const LaneCertificate c = LaneCertificate::load(CertificateRows{*job.certificates, pair});
    // Beyond that reach the rounding of t exceeds the bound above.
    const WMask known = ((c.hull_a == at.a.hull) & (c.hull_b == at.b.hull)) &
                        (c.what == WInt(std::int32_t{kCertifiedApart})) & reach.near_enough;
    const WFloat motion = least_motion(c.pose, at.to_a, places);
    const WFloat sigma = splat(kMotionSlack) * sizes.sum;
    return {bits(known), bits(known & (c.distance - motion > margin + sigma))};
}

// Removes the pairs of a list that their certificates prove apart by more than their margins. The order of the others
// changes, which changes no result. `asked`: room for the pairs whose certificates are read.
inline void drop_certified(const ChunkJob& job, PairList& list, PairList& asked, Counters& counters) {
    // No branches: which pairs are asked, and which are apart, cannot be predicted.
    const std::uint32_t all = list.count;
    std::uint32_t kept = 0;
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < all; ++k) {
        const std::uint32_t pair = list.pair[k];
        const PairPlaces places = list.places[k];
        const bool ask = job.certificates->ask[pair] == CertificateTable::kAsk;
        asked.pair[count] = pair;
        asked.places[count] = places;
        list.pair[kept] = pair;
        list.places[kept] = places;
        const std::uint32_t place = job.certificates->of[pair];
        __builtin_prefetch(&job.certificates->all[place]);
        // Pairs that are not asked whether they are apart will be asked for their best faces.
        const void* const more = ask || job.certificates->optima == nullptr
                                     ? static_cast<const void*>(&job.certificates->all[place])
                                     : static_cast<const void*>(&job.certificates->optima[place]);
        __builtin_prefetch(more);
        count += ask ? 1U : 0U;
        kept += ask ? 0U : 1U;
    }
    asked.count = count;
    pad_list(asked);
    for (std::uint32_t begin = 0; begin < count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const CertifiedLanes answer = ask_certificates(job, asked.pair.data() + begin, asked.places.data() + begin);
        counters.certificates_tried += count_bits(answer.known & lane_mask(lanes));
        for (std::uint32_t l = 0; l < lanes; ++l) {
            list.pair[kept] = asked.pair[begin + l];
            list.places[kept] = asked.places[begin + l];
            kept += bit_at(answer.apart, l) ? 0U : 1U;
        }
    }
    counters.rejected_certificate += all - kept;
    list.count = kept;
    pad_list(list);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
