// SPDX-License-Identifier: MIT
//
// Finds the edges of a group's hulls that may beat the best faces. Hull by hull, the arc test writes a mask, and the
// edges of the mask are appended to the lists of edges to combine.
#pragma once

#include "search/arcs.hpp"
#include "search/edge_pairs.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The mask of the edges of A or of B of member g.
LANEFOLD_INLINE std::uint32_t* edge_mask(EdgeScratch& edges, std::uint32_t g, bool of_b) {
    return edges.masks.data() + (2 * std::size_t{g} + (of_b ? 1 : 0)) * edges.mask_stride;
}

// In (size A + size B): where the best face of the other hull is further below the best one of the pair, fixed point
// knows that its support is deep.
inline constexpr float kKnownBelow = 1e-3F;

// The face of one hull that counts as deep for its own support: the best face of the pair, or the best one of the other
// hull if it is not above the limit (search/rim.hpp). It is not known how the other hull's supports change when
// the hulls move, so a search that looks below its best face leaves that face out.
LANEFOLD_INLINE BestFace face_for_arcs(const HullPairs& pairs, const SearchGroup& group, std::uint32_t g, bool of_b) {
    const std::uint32_t slot = group.slot[g];
    const PairOptimum& o = pairs.optima[slot];
    const FaceSearches& all = group.faces[of_b ? 1 : 0];
    const BestFace found = {static_cast<std::uint32_t>(all.face[g]), 1U << all.under[g]};
    if ((o.face_on_b != 0) == of_b) return found;
    const float size_sum = pairs.axes[slot].size_sum;
    if (!(all.value[g] > o.face_value - kKnownBelow * size_sum)) return {0, 0};
    if (pairs.looks_below && pairs.reach[slot].of_a > 0.0F) return {0, 0};
    const FaceSearch& s = group.faces[of_b ? 0 : 1].search[g];
    const float* n = searched_plane(s, o.face);
    const Quad normal = transposed_times(s.to_faces->r, n[0], n[1], n[2]);
    const Quad plane = load_quad(searched_plane(all.search[g], found.face));
    return is_within_level(all.value[g], plane, o.face_value, normal, size_sum) ? found : BestFace{0, 0};
}

// Writes the mask of the edges of one hull of member g that may beat the best face. Returns 1 if there are any,
// otherwise 0.
LANEFOLD_INLINE std::uint32_t test_arcs(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                        EdgeScratch& edges, std::uint32_t g, bool of_b) {
    const std::uint32_t slot = group.slot[g];
    const PairRow& row = pairs.rows[slot];
    const PairOptimum& optimum = pairs.optima[slot];
    const float value = optimum.face_value;
    const HullRecord& hull = job.hulls[of_b ? row.hull_b : row.hull_a];
    const HullFloats floats = hull_floats(hull);
    const HullTopology topology = hull_topology(hull);
    const FaceSearches& all = group.faces[of_b ? 1 : 0];
    const BestFace best = face_for_arcs(pairs, group, g, of_b);
    edges.source[of_b ? 1 : 0][g] = edge_source(floats, topology, of_b ? 0.5F * pairs.axes[slot].size_sum : value);
    float threshold = (value < 0.0F ? value : 0.0F) - pairs.axes[slot].slack;
    if (pairs.looks_below) threshold -= of_b ? pairs.reach[slot].of_b : pairs.reach[slot].of_a;
    const ArcTest test = {searched_coarse_planes(all.search[g]), floats.edges, all.search[g],
                          WShort(deep_from(threshold, all.scale[g])), best};
    return surviving_edges(test, topology, edges.face_bits.data(), edge_mask(edges, g, of_b));
}

// Tests the edges of both hulls of the members, whose best faces are chosen: `on` A or on B. `list` receives the
// members that have surviving edges on both hulls; returns how many. `other`: room for as many members.
LANEFOLD_INLINE std::uint32_t test_group_arcs(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                              EdgeScratch& edges, const std::uint64_t* on, std::uint32_t* list,
                                              std::uint32_t* other) {
    // An axis needs an edge of each hull. The hull with the best face is tested first, because in half of the pairs
    // none of its edges survives. Members with the best face on A come before those with it on B. Within both the
    // members are in order of class, so that branches predict well.
    std::uint64_t left[2] = {0, 0};
    for (std::uint32_t h = 0; h < 2; ++h) {
        const std::uint32_t n = list_bits(on[h], 0, list);
        for (std::uint32_t k = 0; k < n; ++k)
            left[h] |= std::uint64_t{test_arcs(job, pairs, group, edges, list[k], h == 1)} << list[k];
    }
    std::uint32_t both = 0;
    for (std::uint32_t h = 0; h < 2; ++h) {
        const std::uint32_t n = list_bits(left[h], 0, other);
        for (std::uint32_t k = 0; k < n; ++k) {
            list[both] = other[k];
            both += test_arcs(job, pairs, group, edges, other[k], h == 0);
        }
    }
    return both;
}

// Appends the edges of both masks of member g to the lists.
LANEFOLD_INLINE EdgeJob list_masked_edges(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                          EdgeScratch& edges, std::uint32_t g) {
    const PairRow& row = pairs.rows[group.slot[g]];
    std::uint32_t* words = edges.mask_words.data();
    EdgeJob e = {edges.a.count, 0, edges.b.count, 0};
    e.count_a = list_edges(edges.a, g, job.hulls[row.hull_a].edge_count, edge_mask(edges, g, false), words);
    e.count_b = list_edges(edges.b, g, job.hulls[row.hull_b].edge_count, edge_mask(edges, g, true), words);
    return e;
}

// Appends the surviving edges of member g, which has some on both hulls, to the lists of edges to combine.
LANEFOLD_INLINE void list_pair_edges(const ChunkJob& job, HullPairs& pairs, const SearchGroup& group,
                                     EdgeScratch& edges, std::uint32_t g, Counters& counters) {
    if (edges.a.count >= kEdgeBatch || edges.b.count >= kEdgeBatch) fold_edge_pairs(job, pairs, group.slot, edges);
    add_job(edges, list_masked_edges(job, pairs, group, edges, g), counters);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
