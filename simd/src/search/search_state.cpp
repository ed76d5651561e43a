// SPDX-License-Identifier: MIT
//
// Sizes the searches' memory.

#include "search/search_state.hpp"

#include <algorithm>

namespace lanefold::detail {

void SearchScratch::reserve(std::size_t most_faces, std::size_t most_edges) {
    const std::size_t f = round_up(most_faces, 4 * std::size_t{kBlockLanes});
    const std::size_t e = round_up(most_edges, kBlockLanes);
    for (AlignedBuffer<std::uint32_t>* b : {&scan_a, &scan_b, &searched.slot, &candidates.slot}) b->reserve(kListRoom);
    gap.reserve(kListRoom);
    group.bound_stride = std::max(group.bound_stride, static_cast<std::uint32_t>(f));
    group.bound.reserve(kSearchGroup * f);

    edges.face_bits.reserve(f);
    edges.mask_stride = std::max(edges.mask_stride, static_cast<std::uint32_t>(e / 32 + 1));
    edges.masks.reserve(std::size_t{2} * kSearchGroup * edges.mask_stride);
    edges.mask_words.reserve(edges.mask_stride);
    // Room beyond the end of a list: whole vectors are written there, and masked combinations refer to it.
    const std::size_t rows = kEdgeBatch + e + 4 * std::size_t{kBlockLanes};
    for (EdgeList* list : {static_cast<EdgeList*>(&edges.a), static_cast<EdgeList*>(&edges.b)}) {
        list->edge.reserve(rows);
        list->member.reserve(rows);
    }
    edges.a.rows.reserve(rows);
    edges.b.rows.reserve(rows);
    edges.jobs.reserve(kSearchGroup);
    for (EdgePairList* list : {&edges.combinations, &edges.crossings}) {
        for (AlignedBuffer<std::uint32_t>* b : {&list->a, &list->b})
            b->reserve(kCombinations + 4 * std::size_t{kBlockLanes});
    }
}

}  // namespace lanefold::detail
