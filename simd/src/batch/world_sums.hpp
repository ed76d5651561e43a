// SPDX-License-Identifier: MIT
//
// The sums of a world in a call of many: those of a call of its own, whose pairs are counted once each, by the deepest
// record of those that give several.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <lanefold/hash.hpp>
#include <lanefold/worlds.hpp>

#include "batch/batch.hpp"

namespace lanefold::detail {

template <class Record>
inline constexpr bool kNamesPair = !std::same_as<Record, PairDistance>;

// Adds a record that is written to the points and the hash of its world.
template <class Record>
void add_written(const Record& record, bool hash, WorldResult& to) {
    if constexpr (kNamesPair<Record>) {
        if (hash) to.hash += hash_record(record);
        to.points += record.count;
    }
}

// Adds a pair with this record, or this deepest one, to the sums of its world.
template <class Record>
void count_pair(const Record& record, WorldResult& to) {
    ++to.by_status[static_cast<std::size_t>(record.status)];
    ++to.by_kind[static_cast<std::size_t>(record.kind)];
    if (record.kind == ContactKind::none) return;
    to.deepest = to.touching == 0 ? record.distance : std::min(to.deepest, record.distance);
    ++to.touching;
    to.overlapping += record.distance < 0 ? 1U : 0U;
}

// The sums of a world whose records are counted; those of the pairs without a record follow from their number.
inline void end_world(const PairRange& pairs, WorldResult& to) {
    const std::uint64_t n = to.next_pair - pairs.begin;
    std::uint64_t bad = 0;
    std::uint64_t contacts = 0;
    for (std::size_t s = 0; s < kStatusCount; ++s)
        bad += s == static_cast<std::size_t>(Status::ok) ? 0 : to.by_status[s];
    for (std::size_t k = 0; k < kContactKindCount; ++k)
        contacts += k == static_cast<std::size_t>(ContactKind::none) ? 0 : to.by_kind[k];
    to.by_status[static_cast<std::size_t>(Status::ok)] = n - bad;
    to.by_kind[static_cast<std::size_t>(ContactKind::none)] = n - contacts;
}

}  // namespace lanefold::detail
