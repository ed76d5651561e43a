// SPDX-License-Identifier: MIT
//
// A chunk of a stream with reuse: pairs that their anchors cover are written first, the kernels compute the others with
// wider margins, and the records give new anchors (coherence/carry.hpp).
#include <algorithm>

#include <lanefold/fp_environment.hpp>

#include "batch/batch.hpp"

namespace lanefold::detail {
namespace {

// Keeps those pairs of unmoved bodies that would get the bits of their previous records again: after an exact record
// comes a carried one, a contact that is new gets an anchor next, and a pair that rests later.
void keep_steady(const AnchorTable& anchors, const std::uint32_t* previous, std::uint64_t* bits) {
    for (std::uint32_t w = 0; w < kChunkWords; ++w) {
        for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
            const std::uint32_t i = 64 * w + static_cast<std::uint32_t>(std::countr_zero(rest));
            const AnchorState& state = anchors.states[anchors.of[i]];
            const bool apart = state.what == kNoAnchor && state.rest == 0 && previous[i] == kNoPreviousRecord;
            if (state.what != kCarriedAnchor && state.what != kPlainPair && !apart) clear_bit(bits, i);
        }
    }
}

}  // namespace

void Batch::collide_reusing(const PairRange& range, WorkSlot& slot, const ChunkOutput& to, ChunkTotals& totals) const {
    const FpEnvironmentGuard environment;
    ReuseMemory& memory = *slot.reuse;
    memory.anchors = arguments_.anchors.from(range.begin);
    ChunkJob job = job_of(range, slot, to);
    memory.previous = arguments_.previous_index + range.begin;
    keep_steady(memory.anchors, memory.previous, slot.skip);
    std::copy_n(slot.skip, kChunkWords, memory.standing);
    ChunkTotals mine;
    mine.counters.unmoved_pairs = count_bits(memory.standing);
    prepare_own_frames(job, slot);
    table_->carry_chunk(job, memory, slot.scratch, mine);
    for (std::uint32_t w = 0; w < kChunkWords; ++w) memory.skip[w] = memory.standing[w] | memory.carried[w];
    job.skip = memory.skip;
    job.skip_count = count_bits(memory.skip);
    memory.own_margins = job.pair_margins;
    if (job.pair_margins != nullptr)
        std::copy_n(job.pair_margins, job.count, memory.margins);
    else
        std::fill_n(memory.margins, job.count, job.margin);
    job.pair_margins = job.core_margins = job.wide_margins = memory.margins;
    job.widened = memory.willing;
    job.reuse = memory.anchors.reuse;
    memory.anchored_count = 0;
    if (job.skip_count == job.count) {
        std::fill_n(to.reported, kChunkWords, std::uint64_t{0});
        std::fill_n(to.overlapping, kChunkWords, std::uint64_t{0});
    } else {
        compute(job, slot, mine);
        table_->anchor_chunk(job, memory, slot.scratch, mine);
    }
    for (std::uint32_t w = 0; w < kChunkWords; ++w) {
        to.reported[w] |= memory.reported[w];
        to.overlapping[w] |= memory.overlapping[w];
    }
    if (mine.counters.unmoved_pairs != 0) add_standing(range, memory.standing, to, mine);
    slot.carried += memory.carried_count;
    slot.anchored += memory.anchored_count;
    add_totals(totals, mine);
}

}  // namespace lanefold::detail
