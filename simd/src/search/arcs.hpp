// SPDX-License-Identifier: MIT
//
// Prunes edges by their arcs on the Gauss map. Every unit normal on the arc of an edge is a non-negative combination of
// the normals of its two faces, with weights that sum to at least 1. If one witness is at least `depth` (>= 0) below
// the planes of both faces, then no axis on the arc has a separation above -depth, and the edge is out. Each face has
// one bit per witness; an edge survives iff no witness has its bit set for both faces.
//
// Two refinements use the best face f of both hulls, with separation d and normal u:
//
// - The support vertex v of f is exactly at distance d. It counts as deep for f, because the separation falls from d
//   along the arc from f to any face for which v is deep: no axis of that arc beats f. Without this rule the edges of f
//   would always survive. place_witness() keeps v among the witnesses. The same rule holds for the best face of the
//   other hull with its support, because that is not better than f. If it is level with f, as in flat contacts, all
//   of its edges would survive. Edges that the rule leaves out must not win by rounding: search/rim.hpp.
// - If d > 0, bring_together() first moves the witnesses of both hulls together by d along u. A witness that is deep
//   after that was at most d u . n above a face of normal n before. The same holds for every non-negative combination
//   of normals, and u . n <= 1.
//
// The result is a mask of edges. A later pass turns it into a list, because a loop over the set bits of a value that
// has just been computed mispredicts while the whole computation is still in flight.
#pragma once

#include "lanes/bit_table.hpp"
#include "pair/support.hpp"
#include "search/bounds.hpp"
#include "search/exhaustive.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Sums of faces (search/bounds.hpp) below the result prove that a point is at least `-threshold` below the face.
// `threshold` <= 0.
LANEFOLD_INLINE std::int32_t deep_from(float threshold, float scale) {
    // Minus one for the rounding to whole steps; plus one because the test is "below", not "at most".
    const float sum = threshold * scale * kStepsPerScaled - kStepSlack - 1.0F;
    const float least = static_cast<float>(kLowestSum);
    return static_cast<std::int32_t>(sum > least ? sum : least) + 1;
}

// The face that counts as deep for its own support; `bit` is that of the support among the witnesses. Zeros: none.
struct BestFace {
    std::uint32_t face;
    std::uint32_t bit;
};

// One hull's faces and number of edges, the witnesses of its search, and the limit of depth.
struct ArcTest {
    CoarsePlanes faces;
    std::uint32_t edges;
    const FaceSearch& search;
    WShort limit;  // sums below it are deep, see deep_from()
    BestFace best;
};

// For each face of the vector that begins at face i: whether the point is deep below it.
struct DeepAbove {
    const ArcTest& test;
    CoarsePoint point;

    LANEFOLD_INLINE WShortMask operator()(std::uint32_t i) const {
        return test.limit > coarse_distance(test.faces, i, point);
    }
};

// A table with an entry for each face. Bit k is set where witness k is deep below the face.
struct DeepFaces {
    const ArcTest& test;

    LANEFOLD_INLINE std::uint32_t entries() const { return test.faces.faces; }
    LANEFOLD_INLINE std::uint32_t bits() const { return test.search.witness_count; }
    LANEFOLD_INLINE DeepAbove bit(std::uint32_t k) const {
        return {test, coarse_point(test.search.witness[k], test.search)};
    }
    LANEFOLD_INLINE EntryBits extra() const { return {test.best.face, test.best.bit}; }
};
static_assert(kMaxWitnesses <= kMaxTableBits);

// Sets bit e of `alive` (32 to a word) if edge e survives. Returns 1 if any edge does, otherwise 0. `face_bits`: room
// for a number per face, rounded up to 64.
LANEFOLD_INLINE std::uint32_t surviving_edges(const ArcTest& t, const HullTopology& topology, std::int16_t* face_bits,
                                              std::uint32_t* alive) {
    if (kExhaustive) {
        for (std::uint32_t e = 0; e < t.edges; e += 32) alive[e / 32] = t.edges - e < 32 ? lane_mask(t.edges - e) : ~0U;
        return 1;
    }
    LANEFOLD_STAGE_LANES(t.faces.faces, shorts_up(t.faces.faces));
    const EntryPairs faces = {topology.edge_face0, topology.edge_face1, t.edges};
    return disjoint_pairs(DeepFaces{t}, faces, face_bits, alive) != 0 ? 1U : 0U;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
