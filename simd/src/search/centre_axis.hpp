// SPDX-License-Identifier: MIT
//
// The first test of every pair of general hulls: the axis between their centres. It drops most pairs that are apart,
// and its supports are the first witnesses of the face searches. The pair cache is tried before it.
#pragma once

#include "search/cache.hpp"
#include "search/pose.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The slots that are searched where all are.
struct AllSlots {
    LANEFOLD_INLINE std::uint32_t operator[](std::uint32_t k) const { return k; }
};

// Drops the pairs of `slots` that their centre axis separates by more than the margin; s.candidates receives the slots
// of the others. The slack ensures that this test drops only pairs that the canonical values would drop too.
template <class Slots>
LANEFOLD_INLINE void test_centre_axes(const ChunkJob& job, HullPairs& pairs, const Slots& slots, std::uint32_t count,
                                      SearchScratch& s, Counters& counters) {
    float* gap = s.gap.data();
    std::uint32_t cached_apart = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t slot = slots[k];
        const PairRow& row = pairs.rows[slot];
        AxisRow& axis = pairs.axes[slot];
        const CacheAnswer cached = ask_cache(job, row, pairs.inverses[slot], axis, gap[slot], counters);
        if (cached != CacheAnswer::nothing) {
            cached_apart += cached == CacheAnswer::apart ? 1U : 0U;
            continue;
        }
        const Best top = support(hull_floats(job.hulls[row.hull_a]), axis.n[0], axis.n[1], axis.n[2]);
        const Best low = support(hull_floats(job.hulls[row.hull_b]), axis.m[0], axis.m[1], axis.m[2]);
        axis.support_a = top.index;
        axis.support_b = low.index;
        gap[slot] = ((axis.tn - low.value) - top.value) - (row.margin + axis.slack);
    }
    // A separate loop without a branch: about half of the pairs are dropped, in no predictable order.
    std::uint32_t kept = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t slot = slots[k];
        s.candidates.slot[kept] = slot;
        kept += static_cast<std::uint32_t>(!(gap[slot] > 0.0F));
    }
    s.candidates.count = kept;
    counters.rejected_centre += count - kept - cached_apart;
    if (!pairs.separated.wanted) return;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t slot = slots[k];
        if (gap[slot] > 0.0F) pairs.separated.push(slot, gap[slot] + pairs.rows[slot].margin);
    }
}

inline void stage_centre_axis(const ChunkJob& job, HullPairs& pairs, SearchScratch& s, Counters& counters) {
    if (s.searches_all)
        test_centre_axes(job, pairs, AllSlots{}, pairs.count, s, counters);
    else
        test_centre_axes(job, pairs, s.searched.slot.data(), s.searched.count, s, counters);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
