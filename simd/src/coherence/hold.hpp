// SPDX-License-Identifier: MIT
//
// Hysteresis: touching pairs keep the features of their previous records where these are nearly as good.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/detail/chunk.hpp>

#include "coherence/previous_records.hpp"
#include "pair/previous_rows.hpp"

namespace lanefold::detail {

// Pairs of a chunk whose records may change, and the indices of their previous records.
struct HoldMemory {
    std::uint32_t pair[kChunkPairs] = {};
    std::size_t previous[kChunkPairs] = {};
    std::uint32_t count = 0;
    ChunkHold chunk;
};

// Begins the hysteresis of a chunk for the kernels. `first`: the index of its first pair in the call.
void begin_hold(ChunkHold& hold, const PreviousRecords& previous, std::uint64_t first, float hysteresis);

// Hysteresis on those records of a job that the kernels left to the float64 path. memory.chunk: as the kernels left it.
void hold_contacts(const ChunkJob& job, HoldMemory& memory, PreciseScratch& scratch, ChunkTotals& totals);

}  // namespace lanefold::detail
