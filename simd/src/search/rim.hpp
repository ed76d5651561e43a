// SPDX-License-Identifier: MIT
//
// Edges of the best face of a pair. The arc test (search/arcs.hpp) decides about them by one witness, the support of
// that face: it counts as deep for the face, so the edge is out if it is deep below the face on the edge's other side.
// No other vertex is deep for the best face.
//
// A certificate of that face must know about which of these edges the test may decide otherwise before it ends: their
// axis is the face's normal up to rounding, and might win by its last bit.
#pragma once

#include "search/arcs.hpp"
#include "search/best_face.hpp"
#include "search/face_group.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The best face with the search that has its support as a witness.
struct Rim {
    const FaceSearch& search;
    const Witness& support;
    std::uint32_t face;
    std::int32_t limit;  // sums below it are deep

    // The sum of the face on the other side of an edge, as coarse_distance() computes it.
    LANEFOLD_INLINE std::int32_t sum_beside(const HullTopology& t, std::uint32_t edge) const {
        const std::uint32_t f = t.edge_face0[edge] == face ? t.edge_face1[edge] : t.edge_face0[edge];
        const CoarsePlanes h = searched_coarse_planes(search);
        const auto product = [](std::int32_t a, std::int32_t b) {
            return (a * static_cast<std::int16_t>(b & 0xFFFF) + 0x4000) >> 15;
        };
        return (product(h.nx[f], support.x) + product(h.ny[f], support.y)) +
               (product(h.nz[f], support.z) + product(h.d[f], search.offset));
    }
};

// In steps of fixed point: the rounding of a sum and of a limit (4.19 and 1; search/bounds.hpp, deep_from()), at X0 and
// at X1, where a step is longer by a twenty-fifth at most, because centres and separation move by four claims
// (search/claims.hpp) and a step belongs to two sizes of the smaller hull at least. Together 10.6; a larger number asks
// more edges at each step.
inline constexpr float kRimSteps = 2.0F * (kStepSlack + 1.0F);

LANEFOLD_INLINE float reach_of_hull(const HullPairs& pairs, std::uint32_t slot, bool of_b) {
    return of_b ? pairs.reach[slot].of_b : pairs.reach[slot].of_a;
}

// How far a sum beside the best face may be from the limit for the test to be unsure, in steps.
LANEFOLD_INLINE std::int32_t rim_band(const HullPairs& pairs, const SearchGroup& group, std::uint32_t g) {
    const std::uint32_t slot = group.slot[g];
    const std::uint32_t on = pairs.optima[slot].face_on_b;
    const float reach = reach_of_hull(pairs, slot, on != 0) * group.faces[on].scale[g] * kStepsPerScaled;
    return static_cast<std::int32_t>(reach + kRimSteps) + 1;
}

// The rim after a search of member g.
LANEFOLD_INLINE Rim searched_rim(const HullPairs& pairs, const SearchGroup& group, std::uint32_t g) {
    const std::uint32_t slot = group.slot[g];
    const PairOptimum& o = pairs.optima[slot];
    const FaceSearches& all = group.faces[o.face_on_b];
    const float threshold = (o.face_value < 0.0F ? o.face_value : 0.0F) - pairs.axes[slot].slack;
    return {all.search[g], all.search[g].witness[all.under[g]], o.face, deep_from(threshold, all.scale[g])};
}

// The rim of member g, whose optimum was found without a search. Its search is begun with the support, and hulls that
// are apart are brought together, as they would be after a search.
LANEFOLD_INLINE Rim begin_rim(const ChunkJob& job, const HullPairs& pairs, SearchGroup& group, std::uint32_t g) {
    const std::uint32_t slot = group.slot[g];
    const PairOptimum& o = pairs.optima[slot];
    if (o.face_on_b != 0)
        begin_member<true>(job, pairs, group, g, kLowest);
    else
        begin_member<false>(job, pairs, group, g, kLowest);
    FaceSearches& all = group.faces[o.face_on_b];
    add_witness(all.search[g], o.support);
    all.under[g] = 0;
    if (o.face_value > 0.0F) {
        const Approach approach = approach_of(pairs, slot, searched_plane(all.search[g], o.face), o.face_value);
        const float size = face_hulls(job, pairs.rows[slot], o.face_on_b).own->size;
        move_witnesses(all, g, size, approach.scale, approach.own);
    }
    return searched_rim(pairs, group, g);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
