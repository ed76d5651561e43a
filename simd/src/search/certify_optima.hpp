// SPDX-License-Identifier: MIT
//
// Makes the certificates of best faces (search/certified_optima.hpp) of pairs that a search leaves.
//
// Such a search looked below the best face by the pair's reach: its face searches went on until no bound reached the
// best face less the reach, and its arc tests left the edges that reach as high. So m and n are the reach of either
// hull, or less where another face is nearer. A pair without a reach gets a certificate of its pose only, from which
// the next step learns how fast its bodies move.
//
// The arc test left more edges than it would have without a reach. Those beside the best face must not be combined if
// the test rules them out by the support alone (search/arcs.hpp), because their axis, the face's normal up to rounding,
// might win by its last bit. settle_rim() takes them away, and says whether the test will decide so for a while.
#pragma once

#include "search/certified_optima.hpp"
#include "search/edge_lists.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// In steps of fixed point: the rounding of a sum and of a limit (kStepSlack and 1 each), at X0 and at X1.
inline constexpr float kRimSteps = 4.0F * (kStepSlack + 1.0F);
// Edges of A times edges of B in a certificate. More combinations cost about as much as a search.
inline constexpr std::uint32_t kMostCertifiedPairs = 24;

LANEFOLD_INLINE float reach_of_hull(const HullPairs& pairs, std::uint32_t slot, bool of_b) {
    return of_b ? pairs.reach[slot].of_b : pairs.reach[slot].of_a;
}

// The sum of one face (search/bounds.hpp), as coarse_distance() computes it.
LANEFOLD_INLINE std::int32_t coarse_sum(const FaceSearch& s, std::uint32_t face, const Witness& w) {
    const CoarsePlanes h = searched_coarse_planes(s);
    const auto product = [](std::int32_t a, std::int32_t b) {
        return (a * static_cast<std::int16_t>(b & 0xFFFF) + 0x4000) >> 15;
    };
    return (product(h.nx[face], w.x) + product(h.ny[face], w.y)) +
           (product(h.nz[face], w.z) + product(h.d[face], s.offset));
}

// The highest separation that a face other than the best one of the pair may have, on one hull. `best`: this hull has
// that face. `scale`: of the search.
LANEFOLD_INLINE float other_faces_below(const FaceSearches& all, std::uint32_t g, bool best, float scale) {
    const float evaluated = best ? all.second[g] : all.value[g];
    const float bound = (static_cast<float>(all.top_sum[g]) + kStepSlack) / (scale * kStepsPerScaled);
    return evaluated > bound ? evaluated : bound;
}

// m and n in the halves of a float's bits, both rounded down. 0 if one is not positive.
LANEFOLD_INLINE std::uint32_t pack_claims(float own, float other) {
    if (!(own > 0.0F && other > 0.0F)) return 0;
    std::uint32_t m;
    std::uint32_t n;
    __builtin_memcpy(&m, &own, sizeof m);
    __builtin_memcpy(&n, &other, sizeof n);
    return (m & 0xFFFF0000U) | n >> 16;
}

// What a search of member g proves about the faces, before hulls that are apart are moved together: packed claims, or 0
// if they are not worth a certificate. `on_b`: the best face is B's.
LANEFOLD_INLINE std::uint32_t claims_of_faces(const HullPairs& pairs, const SearchGroup& group, std::uint32_t g,
                                              bool on_b) {
    const std::uint32_t slot = group.slot[g];
    const FaceSearches& own = group.faces[on_b ? 1 : 0];
    const FaceSearches& other = group.faces[on_b ? 0 : 1];
    const float scale = pairs.inverses[slot].scale;
    const float above_own = own.value[g] - other_faces_below(own, g, true, scale);
    const float above_other = own.value[g] - other_faces_below(other, g, false, scale);
    const float m = reach_of_hull(pairs, slot, on_b);
    const float n = reach_of_hull(pairs, slot, !on_b);
    const float sigma = kOptimumSlack * pairs.axes[slot].size_sum;
    const std::uint32_t face = static_cast<std::uint32_t>(own.face[g]);
    const std::uint32_t support = static_cast<std::uint32_t>(own.support[g]);
    if (face > kMostCertifiedFace || support > kMostCertifiedSupport) return 0;
    const float least_m = m < above_own ? m : above_own;
    const float least_n = n < above_other ? n : above_other;
    return least_m > sigma && least_n > sigma ? pack_claims(least_m, least_n) : 0;
}

// Takes the edges of the best face of member g away that the arc test without a reach rules out. Returns whether that
// test decides about all of them with certainty, also after motions within the certificate's claims.
inline bool settle_rim(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group, EdgeScratch& edges,
                       std::uint32_t g) {
    const std::uint32_t slot = group.slot[g];
    const PairOptimum& o = pairs.optima[slot];
    const bool on_b = o.face_on_b != 0;
    const FaceSearches& all = group.faces[o.face_on_b];
    const FaceSearch& s = all.search[g];
    const HullTopology t = hull_topology(*face_hulls(job, pairs.rows[slot], o.face_on_b).own);
    const float threshold = (o.face_value < 0.0F ? o.face_value : 0.0F) - pairs.axes[slot].slack;
    const std::int32_t limit = deep_from(threshold, all.scale[g]);
    const auto band =
        static_cast<std::int32_t>(reach_of_hull(pairs, slot, on_b) * all.scale[g] * kStepsPerScaled + kRimSteps) + 1;
    std::uint32_t* mask = edge_mask(edges, g, on_b);
    bool certain = true;
    for (std::uint32_t k = t.face_first[o.face]; k < t.face_first[o.face + 1]; ++k) {
        const std::uint32_t e = t.face_edge[k];
        const std::uint32_t beside = t.edge_face0[e] == o.face ? t.edge_face1[e] : t.edge_face0[e];
        const std::int32_t sum = coarse_sum(s, beside, s.witness[all.under[g]]);
        certain &= (sum < limit - band) | (sum >= limit + band);
        if (sum < limit) mask[e / 32] &= ~(1U << (e % 32));
    }
    return certain;
}

LANEFOLD_INLINE std::uint32_t count_edges(const std::uint32_t* mask, std::uint32_t edges) {
    std::uint32_t n = 0;
    for (std::uint32_t i = 0; 32 * i < edges; ++i) n += count_bits(mask[i]);
    return n;
}

LANEFOLD_INLINE std::uint16_t* copy_edges(const std::uint32_t* mask, std::uint32_t edges, std::uint16_t* to) {
    for (std::uint32_t i = 0; 32 * i < edges; ++i) {
        for (std::uint32_t rest = mask[i]; rest != 0; rest &= rest - 1)
            *to++ = static_cast<std::uint16_t>(32 * i + lowest_bit(rest));
    }
    return to;
}

// How many edges of either hull of member g are left.
struct EdgeCounts {
    std::uint32_t of_a;
    std::uint32_t of_b;
};

LANEFOLD_INLINE EdgeCounts count_left(const ChunkJob& job, const PairRow& row, EdgeScratch& edges, std::uint32_t g) {
    return {count_edges(edge_mask(edges, g, false), job.hulls[row.hull_a].edge_count),
            count_edges(edge_mask(edges, g, true), job.hulls[row.hull_b].edge_count)};
}

LANEFOLD_INLINE void certify_pose(const ChunkJob& job, const PairRow& row) {
    certify(job, row, 0.0F);
    certificate_of(job, row).what = kCertifiedPose;
}

// Whether all other vertices are above the best face's support by more than the claim about the face's hull.
inline bool support_is_lone(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group, std::uint32_t g,
                            std::uint32_t claims) {
    const std::uint32_t slot = group.slot[g];
    const PairOptimum& o = pairs.optima[slot];
    const FaceSearch& s = group.faces[o.face_on_b].search[g];
    const float* n = searched_plane(s, o.face);
    alignas(16) float m[4];
    store_quad(-transposed_times(s.to_faces->r, n[0], n[1], n[2]), m);
    const HullFloats other = hull_floats(*face_hulls(job, pairs.rows[slot], o.face_on_b).other);
    const WFloat x(m[0]), y(m[1]), z(m[2]);
    const float top = (m[0] * other.vx[o.support] + m[1] * other.vy[o.support]) + m[2] * other.vz[o.support];
    const std::uint32_t bits_of_claim = claims & 0xFFFF0000U;
    float claim;
    __builtin_memcpy(&claim, &bits_of_claim, sizeof claim);
    const WFloat near(top - claim);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < other.vertices; i += kWidth) {
        std::uint32_t above = bits(vertex_dot(other, i, x, y, z) >= near);
        if (other.vertices - i < kWidth) above &= lane_mask(other.vertices - i);
        count += count_bits(above);
    }
    return count <= 1;
}

// Writes the certificate of member g. `claims`: packed. `counts`: of its edges, or zeros if they do not compete.
inline void certify_face(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group, EdgeScratch& edges,
                         std::uint32_t g, std::uint32_t claims, const EdgeCounts& counts) {
    const std::uint32_t slot = group.slot[g];
    const PairRow& row = pairs.rows[slot];
    const PairOptimum& o = pairs.optima[slot];
    float distance;
    __builtin_memcpy(&distance, &claims, sizeof distance);
    certify(job, row, distance);
    const bool compete = counts.of_a != 0;
    const bool lone = support_is_lone(job, pairs, group, g, claims);
    certificate_of(job, row).what = kCertifiedFace | (o.face_on_b != 0 ? kCertifiedOnB : 0U) |
                                    (compete ? kCertifiedEdges : 0U) | (lone ? kCertifiedLone : 0U) |
                                    o.face << kCertifiedFaceShift | o.support;
    if (!compete) return;
    CertificateEdges& to = job.certificates.edges[job.certificates.of[row.pair]];
    to.count_a = static_cast<std::uint16_t>(counts.of_a);
    to.count_b = static_cast<std::uint16_t>(counts.of_b);
    std::uint16_t* at = copy_edges(edge_mask(edges, g, false), job.hulls[row.hull_a].edge_count, to.edge);
    copy_edges(edge_mask(edges, g, true), job.hulls[row.hull_b].edge_count, at);
}

// Certifies the members whose bits are set. `both`: those of them that have edges left on both hulls; returns those
// that have some after settle_rim(). `claims`: of every member, see claims_of_faces().
inline std::uint64_t certify_optima(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                    EdgeScratch& edges, const std::uint32_t* claims, std::uint64_t members,
                                    std::uint64_t both, Counters& counters) {
    for (std::uint64_t rest = members; rest != 0; rest &= rest - 1) {
        const auto g = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        const std::uint32_t slot = group.slot[g];
        const PairRow& row = pairs.rows[slot];
        const bool reaches = pairs.reach[slot].of_a > 0.0F;
        bool certain = reaches;
        EdgeCounts counts = {0, 0};
        if (reaches && bit_of(&both, g)) {
            certain = settle_rim(job, pairs, group, edges, g);
            counts = count_left(job, row, edges, g);
            if (counts.of_a == 0 || counts.of_b == 0) {
                both &= ~(std::uint64_t{1} << g);
                counts = {0, 0};
            }
            certain &= counts.of_a <= kMostCertifiedEdges && counts.of_b <= kMostCertifiedEdges &&
                       counts.of_a * counts.of_b <= kMostCertifiedPairs;
        }
        if (certain && claims[g] != 0) {
            certify_face(job, pairs, group, edges, g, claims[g], counts);
            ++counters.certificates_made;
        } else {
            certify_pose(job, row);
        }
    }
    return both;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
