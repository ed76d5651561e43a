// SPDX-License-Identifier: MIT
//
// Finds previous records by pair.
#include "batch/previous_lookup.hpp"

#include <algorithm>
#include <cstring>

namespace lanefold::detail {
namespace {

Pair pair_at(const PreviousContacts& previous, std::size_t i) {
    Pair pair;
    std::memcpy(&pair, previous.records + i * previous.stride, sizeof pair);
    return pair;
}

}  // namespace

void walk_previous(const std::uint64_t* keys, std::size_t count, std::span<const Pair> pairs, std::size_t* found) {
    std::size_t at = 0;  // the first key that is not below that of the last pair
    std::uint64_t last = kLastKey;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::uint64_t key = key_of(pairs[i]);
        if (key < last) {  // the first pair, or one out of order
            at = static_cast<std::size_t>(std::lower_bound(keys, keys + count, key) - keys);
        } else {
            // Most pairs are that of the record at hand or of the next one, or lie between both. This is not a branch,
            // because it could not be predicted.
            at += keys[at] < key ? 1 : 0;
            // Steps that double, then a binary search.
            for (std::size_t step = 1; keys[at] < key; step *= 2) {
                const std::size_t end = std::min(at + step, count);
                at = static_cast<std::size_t>(std::lower_bound(keys + at, keys + end, key) - keys);
            }
        }
        last = key;
        found[i] = ((keys[at] == key) & (at < count)) ? at : kNoPrevious;
    }
}

void match_previous(const PreviousContacts& previous, std::size_t first, std::span<const Pair> pairs,
                    std::size_t* found) {
    for (std::size_t i = 0; i < pairs.size(); ++i)
        found[i] = pair_at(previous, first + i) == pairs[i] ? first + i : kNoPrevious;
}

std::size_t first_descent(const PreviousContacts& previous, std::size_t first, std::size_t last, std::uint64_t* keys) {
    std::uint64_t before = first == 0 ? 0 : key_of(pair_at(previous, first - 1));
    for (std::size_t i = first; i < last; ++i) {
        const std::uint64_t key = key_of(pair_at(previous, i));
        if (key < before) return i;
        keys[i] = before = key;
    }
    return last;
}

}  // namespace lanefold::detail
