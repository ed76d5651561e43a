// SPDX-License-Identifier: MIT
//
// A chunk takes over this from the step before, and leaves it to the next: the interface of this folder to the order of
// the stages (chunk/pipeline.hpp). Without certificates it does nothing.
#pragma once

#include "coherence/certify_optima.hpp"
#include "search/best_face.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

class Coherence {
public:
    LANEFOLD_INLINE Coherence(const ChunkJob& job, HullPairs& pairs, Counters& counters)
        : job_(job), pairs_(pairs), counters_(counters) {
        pairs.separated.count = 0;
        pairs.separated.wanted = job.certificates != nullptr;
        pairs.looks_below = job.certificates != nullptr && job.certificates->optima != nullptr;
    }

    // Before the poses: drops the pairs of a list that are apart for certain. `asked`: room for as many.
    LANEFOLD_INLINE void drop_apart(PairList& list, PairList& asked) {
        if (pairs_.separated.wanted) drop_certified(job_, list, asked, counters_);
    }

    // Before the search: settles pairs whose best face and edges are known.
    LANEFOLD_INLINE void settle(SearchScratch& s) { settle_certified(job_, pairs_, s, counters_); }

    // An event of a search, see stage_search().
    LANEFOLD_INLINE void faces_found(const SearchGroup& group, const std::uint32_t* members, std::uint32_t count) {
        if (!pairs_.looks_below) return;
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint32_t g = members[k];
            // Without a reach only the pose is certified.
            if (pairs_.reach[group.slot[g]].of_a > 0.0F)
                gaps_[g] = gaps_of_faces(job_, pairs_, group, g, best_is_on_b(group, g));
        }
    }

    // An event of a search, see stage_search().
    LANEFOLD_INLINE bool fold_edges(const SearchGroup& group, EdgeScratch& edges, std::uint64_t near,
                                    const std::uint32_t* members, std::uint32_t count) {
        if (pairs_.looks_below) certify_group(job_, pairs_, group, edges, gaps_, near, members, count, counters_);
        return pairs_.looks_below;
    }

    // After the decision: certifies that the separated pairs are apart.
    LANEFOLD_INLINE void keep_separated() {
        const SeparatedPairs& separated = pairs_.separated;
        for (std::uint32_t k = 0; k < separated.count; ++k)
            certify(job_, pairs_.rows[separated.slot[k]], separated.separation[k]);
    }

private:
    const ChunkJob& job_;
    HullPairs& pairs_;
    Counters& counters_;
    FaceGaps gaps_[kSearchGroup];
};

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
