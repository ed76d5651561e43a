// SPDX-License-Identifier: MIT
//
// Previous records of a call of many worlds: those of each world, as the call before has left them in its output, with
// room between the worlds and, if bodies are ranged, with the indices of the world alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanefold/worlds.hpp>

#include "coherence/previous_records.hpp"

namespace lanefold::detail {

// The worlds of a call whose pairs have previous records: [first, end) of the ranges.
struct PreviousOfWorlds {
    const WorldRanges* ranges = nullptr;
    const WorldResult* results = nullptr;  // of the call before, from world `first` on
    std::size_t first = 0;
    std::size_t end = 0;
};

// Writes for each pair of world w the index of its previous record, kNoPreviousRecord, or, where the call before did
// not have all records of the world, kNewPair. `result`: of the world in the call before. Returns the first record that
// is before its predecessor, or kNoPrevious; nothing is certain of `index` then.
std::size_t index_previous(const PreviousContacts& previous, const WorldRanges& ranges, const WorldResult& result,
                           std::size_t w, std::span<const Pair> pairs, std::uint32_t* index);

}  // namespace lanefold::detail
