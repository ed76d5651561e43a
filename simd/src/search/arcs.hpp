// SPDX-License-Identifier: MIT
//
// Pruning of edges by their Gauss arcs. Every unit normal on the arc of an edge is a non-negative combination,
// with weights that sum to at least 1, of the normals of its two faces. So if ONE witness is at least `depth`
// (>= 0) below the planes of both faces, no axis on the arc separates better than -depth, and the edge is out.
// One bit per (face, witness); an edge survives iff no witness has both its faces' bits.
//
// Two refinements, both of what is known about the best face f of either hull, with separation d:
//
// - The vertex v under f is exactly d above it, neither deeper nor less deep. Still it counts as deep for f: on the arc
//   from f to a face for which v is deep the separation falls from d, so that none of it beats f. Without this the
//   edges of f would always survive. (For this to depend on the pair only, v has to be the vertex the search reports,
//   and has to be among the witnesses: place_witness() sees to that.)
// - If d > 0, both hulls are first moved together by d along f's normal u (bring_together() moves the witnesses). A
//   witness that is deep then was at most d u . n above a face of normal n; so is every non-negative combination, and
//   u . n <= 1.
//
// The result is a mask of edges, which a later pass turns into a list: a loop over the set bits of something just
// computed mispredicts with the whole computation still in flight.
#pragma once

#include "lanes/bit_table.hpp"
#include "pair/support.hpp"
#include "search/bounds.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Sums of faces (search/bounds.hpp) below this prove that a face is at least `-threshold` above a point. `threshold` <=
// 0.
LANEFOLD_INLINE std::int32_t deep_from(float threshold, float scale) {
    // One less than the greatest whole number of steps, for rounding; one more, for "below" where "at most" is meant.
    const float sum = threshold * scale * kStepsPerScaled - kStepSlack - 1.0F;
    const float least = static_cast<float>(kLowestSum);
    return static_cast<std::int32_t>(sum > least ? sum : least) + 1;
}

// The best face of both hulls, if it is one of this hull's: `bit` is that of the witness under it. Otherwise nothing.
struct BestFace {
    std::uint32_t face;
    std::uint32_t bit;
};

// The faces and the number of edges of one hull, the witnesses of their search, and what counts as deep.
struct ArcTest {
    CoarsePlanes faces;
    std::uint32_t edges;
    const FaceSearch& search;
    WShort limit;  // sums below it: see deep_from()
    BestFace best;
};

// Is each of the faces of one vector, from i on, deep above a point?
struct DeepAbove {
    const ArcTest& test;
    CoarsePoint point;

    LANEFOLD_INLINE WShortMask operator()(std::uint32_t i) const {
        return test.limit > coarse_distance(test.faces, i, point);
    }
};

// A table with an entry for each face: bit k is set where the face is deep above witness k.
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

// Bit e of `alive` (32 to a word): edge e survives. Returns 1 if any does, otherwise 0. `face_bits`: room for a number
// per face, rounded up to 64.
LANEFOLD_INLINE std::uint32_t surviving_edges(const ArcTest& t, const HullTopology& topology, std::int16_t* face_bits,
                                              std::uint32_t* alive) {
    LANEFOLD_STAGE_LANES(t.faces.faces, shorts_up(t.faces.faces));
    const EntryPairs faces = {topology.edge_face0, topology.edge_face1, t.edges};
    return disjoint_pairs(DeepFaces{t}, faces, face_bits, alive) != 0 ? 1U : 0U;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
