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

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The best face's hull and support in the fixed point of a search.
struct Rim {
    CoarsePlanes planes;
    Witness support;
    std::int32_t offset;  // as in FaceSearch
    std::uint32_t face;
    std::int32_t limit;  // sums below it are deep

    // The sum of the face on the other side of an edge, as coarse_distance() computes it.
    LANEFOLD_INLINE std::int32_t sum_beside(const HullTopology& t, std::uint32_t edge) const {
        const std::uint32_t f = t.edge_face0[edge] == face ? t.edge_face1[edge] : t.edge_face0[edge];
        const auto product = [](std::int32_t a, std::int32_t b) {
            return (a * static_cast<std::int16_t>(b & 0xFFFF) + 0x4000) >> 15;
        };
        return (product(planes.nx[f], support.x) + product(planes.ny[f], support.y)) +
               (product(planes.nz[f], support.z) + product(planes.d[f], offset));
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

// The limit of the arc test of a pair with this optimum.
LANEFOLD_INLINE std::int32_t rim_limit(const HullPairs& pairs, std::uint32_t slot, const PairOptimum& o, float scale) {
    return deep_from((o.face_value < 0.0F ? o.face_value : 0.0F) - pairs.axes[slot].slack, scale);
}

// The rim after a search of member g.
LANEFOLD_INLINE Rim searched_rim(const HullPairs& pairs, const SearchGroup& group, std::uint32_t g) {
    const std::uint32_t slot = group.slot[g];
    const PairOptimum& o = pairs.optima[slot];
    const FaceSearches& all = group.faces[o.face_on_b];
    const FaceSearch& s = all.search[g];
    return {searched_coarse_planes(s), s.witness[all.under[g]], s.offset, o.face,
            rim_limit(pairs, slot, o, all.scale[g])};
}

// The rim of a pair whose optimum was found without a search: the same numbers. Hulls that are apart are brought
// together.
LANEFOLD_INLINE Rim certified_rim(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot) {
    const PairOptimum& o = pairs.optima[slot];
    const PairRow& row = pairs.rows[slot];
    const InverseRow& inverse = pairs.inverses[slot];
    const bool on_b = o.face_on_b != 0;
    const FaceHulls hulls = face_hulls(job, row, o.face_on_b);
    const HullFloats own = hull_floats(*hulls.own);
    Quad support = vertex_between(hull_floats(*hulls.other), o.support, on_b ? inverse.to_b : row.to_a,
                                  on_b ? row.to_a : inverse.to_b);
    float scale = inverse.scale;
    std::int32_t offset = on_b ? inverse.offset_b : inverse.offset_a;
    if (o.face_value > 0.0F) {
        const Approach approach = approach_of(pairs, slot, plane_of(own, o.face), o.face_value);
        scale = approach.scale;
        offset = coarse_offset(hulls.own->size * scale);
        support = support + approach.own;
    }
    return {coarse_planes_of(own.planes, own.faces), coarse_witness(support, scale, o.support), offset, o.face,
            rim_limit(pairs, slot, o, scale)};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
