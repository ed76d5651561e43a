// SPDX-License-Identifier: MIT
//
// The hint that a batch call stores about a pair for the next frame: where to search first. Whatever its eight bytes
// hold (zero, last frame's, another pair's, garbage), the results have the same bits. Only time and some counters
// differ.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>

namespace lanefold {

// A call's findings about a pair, for the next call. Zeros are an empty entry; any content is safe.
struct PairCache {
    std::uint32_t opaque[2] = {};
};
static_assert(sizeof(PairCache) == 8);

// Moves the entries of one frame's pairs to those of the next when the candidate pairs have changed. An entry moves
// with its pair; new pairs get empty entries. Both lists of pairs should ascend; where one does not, entries are lost.
// `to` must not overlap `from`. If the number of entries and of pairs differ, the smaller one counts.
LANEFOLD_EXPORT void carry_over(std::span<const Pair> from_pairs, std::span<const PairCache> from,
                                std::span<const Pair> to_pairs, std::span<PairCache> to);

}  // namespace lanefold
