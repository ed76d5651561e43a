// SPDX-License-Identifier: MIT
//
// Hysteresis of one chunk as the stages in lanes see it: where the previous records of its pairs are, and for which
// pairs the float64 path decides. No SIMD types.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/detail/chunk.hpp>
#include <lanefold/export.hpp>
#include <lanefold/manifold.hpp>

#include "coherence/previous_records.hpp"

namespace lanefold::detail {

// Part of the area of the usual reduction that the previous points must span. The float64 path has the same
// (core/src/precise/hold.cpp).
inline constexpr float kHeldSpread = 0.9F;

struct ChunkHold {
    const PreviousRecords* previous = nullptr;
    std::uint64_t first = 0;        // index of the chunk's first pair in the call
    float hysteresis = 0;           // Options::hysteresis
    std::uint32_t most_points = 4;  // capacity of a previous record
    // Per pair, for those that were asked for: the head (RecordHead) and the whole of its previous record. A pair
    // without one has a record of zeros.
    const std::byte* head[kChunkPairs] = {};
    const std::byte* record[kChunkPairs] = {};
    // Pairs that are left to the float64 path (coherence/hold.cpp). The lanes decide the others.
    std::uint64_t left[kChunkWords] = {};

    void leave(std::uint32_t pair) { left[pair / 64] |= std::uint64_t{1} << (pair % 64); }
};

// Looks up the previous records of the pairs in `bits`.
LANEFOLD_EXPORT void find_previous(ChunkHold& hold, const std::uint64_t* bits);

}  // namespace lanefold::detail
