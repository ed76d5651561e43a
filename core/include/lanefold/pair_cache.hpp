// SPDX-License-Identifier: MIT
//
// What a batch call may remember of a pair until the next frame: where to look first. A hint: whatever its eight bytes
// hold (zero, last frame's, another pair's, garbage), the results have the same bits. Only the time and some counters
// differ.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/body.hpp>

namespace lanefold {

struct PairCache {
    std::uint32_t opaque[2] = {};
};
static_assert(sizeof(PairCache) == 8);

// The entries of one frame's pairs for those of the next, where the candidate pairs changed: an entry goes with its
// pair, new pairs start empty. Both lists ascend; what does not ascend only loses entries. `to` may not overlap `from`.
// Lengths that differ from their pairs' leave the rest alone.
void carry_over(std::span<const Pair> from_pairs, std::span<const PairCache> from, std::span<const Pair> to_pairs,
                std::span<PairCache> to);

}  // namespace lanefold
