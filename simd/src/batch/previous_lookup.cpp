// SPDX-License-Identifier: MIT
//
// Checks the order of previous records, and copies together what the chunks read of them.
#include "batch/previous_lookup.hpp"

namespace lanefold::detail {

std::size_t first_descent(const PreviousContacts& previous, std::size_t first, std::size_t last, std::uint64_t* keys,
                          RecordHead* heads) {
    std::uint64_t before = first == 0 ? 0 : key_of(pair_of_record(previous, first - 1));
    for (std::size_t i = first; i < last; ++i) {
        const std::uint64_t key = key_of(pair_of_record(previous, i));
        if (key < before) return i;
        keys[i] = before = key;
        std::memcpy(heads + i, previous.records + i * previous.stride + kHeadOffset, sizeof heads[i]);
    }
    return last;
}

}  // namespace lanefold::detail
