// SPDX-License-Identifier: MIT
//
// Chooses the best face of either hull after both face searches. Hulls that are apart are then moved together along its
// normal, for the arc test.
#pragma once

#include "search/cache.hpp"
#include "search/faces.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Moves all witnesses of a search by `by`, and sets the unit of fixed point for the new distance.
LANEFOLD_INLINE void move_witnesses(FaceSearches& all, std::uint32_t g, float size, float scale, Quad by) {
    FaceSearch& s = all.search[g];
    set_unit(all, g, scale, coarse_offset(size * scale));
    for (std::uint32_t k = 0; k < s.witness_count; ++k) {
        const std::uint32_t vertex = s.witness[k].vertex;
        set_witness(s, k, witness_at(s, vertex) + by, vertex);
    }
}

// How two hulls that are apart come together: by the separation of the best face along its normal.
struct Approach {
    float scale;  // the unit of fixed point at the new distance
    Quad own;     // what is added to points of the other hull, in the frame of the face's hull
};

// `n`: the normal of the face.
LANEFOLD_INLINE Approach approach_of(const HullPairs& pairs, std::uint32_t slot, const float* n, float separation) {
    const float scale = kCoarseOne / (pairs.axes[slot].tn + pairs.axes[slot].size_sum + separation);
    const float back[4] = {-(separation * n[0]), -(separation * n[1]), -(separation * n[2]), 0.0F};
    return {scale, load_quad(back)};
}

// Moves two hulls that are apart together. It moves the witnesses of both searches. A point that the arc test then
// finds deep was no further apart than the best face.
LANEFOLD_INLINE void bring_together(const ChunkJob& job, const HullPairs& pairs, SearchGroup& group, std::uint32_t g,
                                    bool on_b, std::uint32_t face, float separation) {
    const std::uint32_t slot = group.slot[g];
    const float size_a = job.hulls[pairs.rows[slot].hull_a].size;
    const float size_b = job.hulls[pairs.rows[slot].hull_b].size;
    FaceSearches& of_best = group.faces[on_b ? 1 : 0];
    const float* n = searched_plane(of_best.search[g], face);
    const Approach approach = approach_of(pairs, slot, n, separation);
    const Quad turned =
        transposed_times(of_best.search[g].to_faces->r, separation * n[0], separation * n[1], separation * n[2]);
    move_witnesses(group.faces[0], g, size_a, approach.scale, on_b ? turned : approach.own);
    move_witnesses(group.faces[1], g, size_b, approach.scale, on_b ? approach.own : turned);
}

// Whether the best face of member g is B's.
LANEFOLD_INLINE bool best_is_on_b(const SearchGroup& group, std::uint32_t g) {
    return group.faces[1].value[g] > group.faces[0].value[g];  // ties: A
}

// Writes the best face of member g to the optimum of its pair. Its separation is that of the pair unless
// fold_edge_pairs() finds better edges. Returns whether the face is B's.
LANEFOLD_INLINE bool choose_face(const ChunkJob& job, HullPairs& pairs, SearchGroup& group, std::uint32_t g) {
    const bool on_b = best_is_on_b(group, g);
    FaceSearches& best = group.faces[on_b ? 1 : 0];
    FaceSearches& other = group.faces[on_b ? 0 : 1];
    const float value = best.value[g] + 0.0F;
    const auto face = static_cast<std::uint32_t>(best.face[g]);
    const std::uint32_t slot = group.slot[g];
    pairs.optima[slot] = {value, face, static_cast<std::uint32_t>(best.support[g]), on_b ? 1U : 0U, value, 0, 0, 0};
    remember_best(job, pairs.rows[slot], on_b, face, best.search[g], static_cast<std::uint32_t>(best.under[g]),
                  other.search[g]);
    if (value > 0.0F) bring_together(job, pairs, group, g, on_b, face, value);
    return on_b;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
