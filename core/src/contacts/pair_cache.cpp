// SPDX-License-Identifier: MIT
//
// Moves cache entries from one list of pairs to the next, in one merge.

#include <lanefold/pair_cache.hpp>

#include <algorithm>

namespace lanefold {

void carry_over(std::span<const Pair> from_pairs, std::span<const PairCache> from, std::span<const Pair> to_pairs,
                std::span<PairCache> to) {
    const std::size_t old_count = std::min(from_pairs.size(), from.size());
    const std::size_t new_count = std::min(to_pairs.size(), to.size());
    std::size_t k = 0;
    for (std::size_t i = 0; i < new_count; ++i) {
        while (k < old_count && from_pairs[k] < to_pairs[i]) ++k;
        to[i] = k < old_count && from_pairs[k] == to_pairs[i] ? from[k] : PairCache{};
    }
}

}  // namespace lanefold
