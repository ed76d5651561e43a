// SPDX-License-Identifier: MIT
//
// Reuse in a chunk: before its pipeline the records of the pairs that their anchors cover, after it the anchors of the
// pairs that were computed (coherence/carry.hpp, coherence/anchoring.hpp).
#pragma once

#include "chunk/chunk_scratch.hpp"
#include "coherence/anchoring.hpp"
#include "coherence/previous_records.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE void set_bit_of(std::uint64_t* words, std::uint32_t i) {
    words[i / 64] |= std::uint64_t{1} << (i % 64);
}

// Reads the states of the chunk's pairs. Lists those that have an anchor; returns how many.
LANEFOLD_INLINE std::uint32_t list_anchored(const ChunkJob& job, ReuseMemory& m, std::uint32_t* list) {
    std::uint32_t n = 0;
    for (std::uint32_t i = 0; i < job.count; ++i) {
        if (bit_of(m.standing, i)) continue;
        AnchorState& state = m.anchors.states[m.anchors.of[i]];
        const bool anchored = (state.what == kFreshAnchor) | (state.what == kCarriedAnchor);
        list[n] = i;
        n += anchored ? 1U : 0U;
        // Without a branch: a pair that rests goes on to, and one whose contact is new waits whether it stays.
        const bool willing = !anchored & (state.rest == 0) & (m.previous[i] < kNewPair);
        state.rest = static_cast<std::uint8_t>(state.rest - (state.rest != 0 && !anchored ? 1 : 0));
        state.what = anchored ? state.what : (willing ? kPlainPair : kNoAnchor);
        m.willing[i / 64] |= std::uint64_t{willing ? 1U : 0U} << (i % 64);
    }
    return n;
}

// The places of listed pairs. Pairs that get a status have none and leave the list.
LANEFOLD_INLINE void find_all_places(const ChunkJob& job, const AnchorTable& anchors, const std::uint32_t* from,
                                     std::uint32_t count, PairList& list) {
    list.count = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t i = from[k];
        if (!find_places(job, i, list.places[list.count])) {
            anchors.states[anchors.of[i]].what = kNoAnchor;
            continue;
        }
        __builtin_prefetch(&anchors.poses[anchors.of[i]]);
        list.pair[list.count++] = i;
    }
    pad_list(list);
}

// Moves the pairs that their anchors cover to `covered`; the others are computed.
LANEFOLD_INLINE void find_covered(const ChunkJob& job, ReuseMemory& m, const PairList& asked, PairList& covered) {
    covered.count = 0;
    for (std::uint32_t begin = 0; begin < asked.count; begin += kWidth) {
        const std::uint32_t* pair = asked.pair.data() + begin;
        const std::uint32_t lanes = covered_lanes(job, m.anchors, pair, asked.places.data() + begin) &
                                    lane_mask(lane_count(asked.count, begin));
        for (std::uint32_t l = 0; l < lane_count(asked.count, begin); ++l) {
            const std::uint32_t i = pair[l];
            AnchorState& state = m.anchors.states[m.anchors.of[i]];
            if (!bit_at(lanes, l)) {
                state.miss();
                state.what = state.rest == 0 ? kPlainPair : kNoAnchor;
                if (state.rest == 0) set_bit_of(m.willing, i);
                continue;
            }
            state.what = kCarriedAnchor;
            set_bit_of(m.carried, i);
            const AnchorPoints* const points = m.anchors.points + std::size_t{m.anchors.of[i]} * m.anchors.blocks;
            __builtin_prefetch(points);
            __builtin_prefetch(reinterpret_cast<const std::byte*>(points) + 64);
            covered.pair[covered.count] = i;
            covered.places[covered.count++] = asked.places[begin + l];
        }
    }
    pad_list(covered);
}

template <class Record>
inline void carry_all(const ChunkJob& job, const AnchorTable& anchors, const PairList& covered, ChunkTotals& totals) {
    for (std::uint32_t begin = 0; begin < covered.count; begin += kWidth) {
        carry_lanes<Record>(job, anchors, covered.pair.data() + begin, covered.places.data() + begin,
                            lane_mask(lane_count(covered.count, begin)), totals);
    }
}

inline void clear_words(std::uint64_t* words) {
    for (std::uint32_t w = 0; w < kChunkWords; ++w) words[w] = 0;
}

inline void carry_chunk(const ChunkJob& job, ReuseMemory& m, ChunkScratch& scratch, ChunkTotals& totals) {
    ChunkScratch::Impl& s = scratch.impl();
    for (std::uint64_t* words : {m.carried, m.willing, m.reported, m.overlapping}) clear_words(words);
    std::uint32_t list[kListRoom];
    const std::uint32_t anchored = list_anchored(job, m, list);
    find_all_places(job, m.anchors, list, anchored, s.asked);
    PairList& covered = s.paths.hulls;
    find_covered(job, m, s.asked, covered);
    m.carried_count = covered.count;
    ChunkJob carried = job;
    carried.reported = m.reported;
    carried.overlapping = m.overlapping;
    if (job.level == OutputLevel::manifold16)
        carry_all<Manifold16>(carried, m.anchors, covered, totals);
    else
        carry_all<Manifold4>(carried, m.anchors, covered, totals);
}

template <class Record>
inline std::uint32_t anchor_all(const ChunkJob& job, const ReuseMemory& m, const float* margins, const PairList& list,
                                ChunkTotals& totals) {
    std::uint32_t made = 0;
    for (std::uint32_t begin = 0; begin < list.count; begin += kWidth) {
        const std::uint32_t* pair = list.pair.data() + begin;
        WFloat margin = splat(job.margin);
        if (margins != nullptr) {
            alignas(64) float own[kWidth];
            for (std::uint32_t l = 0; l < kWidth; ++l) own[l] = margins[pair[l]];
            margin = WFloat::load(own);
        }
        made += anchor_lanes<Record>(job, m.anchors, pair, list.places.data() + begin,
                                     lane_mask(lane_count(list.count, begin)), margin, totals);
    }
    return made;
}

// `job`: as collide_chunk() had it. The margins of the call are job.margin or `m.own_margins`.
inline void anchor_chunk(const ChunkJob& job, ReuseMemory& m, ChunkScratch& scratch, ChunkTotals& totals) {
    PairList& list = scratch.impl().asked;
    std::uint32_t candidates[kListRoom];
    std::uint32_t n = 0;
    for (std::uint32_t w = 0; w < kChunkWords; ++w)
        n += list_bits(m.willing[w] & job.reported[w], 64 * w, candidates + n);
    find_all_places(job, m.anchors, candidates, n, list);
    if (job.level == OutputLevel::manifold16)
        m.anchored_count = anchor_all<Manifold16>(job, m, m.own_margins, list, totals);
    else
        m.anchored_count = anchor_all<Manifold4>(job, m, m.own_margins, list, totals);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
