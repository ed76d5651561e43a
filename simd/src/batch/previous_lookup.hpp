// SPDX-License-Identifier: MIT
//
// Which previous record belongs to a pair: directly for dense records, by search for records that ascend by pair. A
// pair's answer depends on nothing but the pair and the records, however a batch is split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/detail/precise.hpp>
#include <lanefold/previous_contacts.hpp>

namespace lanefold::detail {

// What every capacity's record begins with.
struct RecordHead {
    std::uint32_t pair[2];
    float normal[3];
    float distance;
    std::uint32_t feature_a;
    std::uint32_t feature_b;
    std::uint16_t total;
    std::uint8_t count;
    std::uint8_t kind;    // any byte
    std::uint8_t status;  // any byte
    std::uint8_t reserved[11];
};
static_assert(sizeof(RecordHead) == offsetof(Manifold4, points));
static_assert(offsetof(RecordHead, kind) == offsetof(Manifold4, kind));
static_assert(offsetof(RecordHead, feature_a) == offsetof(Manifold4, feature_a));

inline constexpr std::size_t kNoPrevious = ~std::size_t{0};

// Finds records for a run of pairs, fastest when they ascend.
class PreviousLookup {
public:
    // `first_pair`: index in the call of the first pair that find() will be asked for.
    PreviousLookup(const PreviousContacts& previous, std::uint64_t first_pair)
        : previous_(previous), next_(static_cast<std::size_t>(first_pair)) {}

    // Index of the record of the next pair of the call, or kNoPrevious.
    std::size_t find(const Pair& pair);

private:
    std::size_t find_sorted(const Pair& pair);

    const PreviousContacts& previous_;
    std::size_t next_;              // dense: index of the pair
    std::size_t at_ = kNoPrevious;  // sorted: first record that is not before last_
    Pair last_{};
};

// A record as hysteresis uses it; kind none when it has nothing that could stay.
PreviousChoice choice_of(const PreviousContacts& previous, std::size_t i);

// Index of the first record in [first, last) that is before its predecessor; last when there is none.
std::size_t first_descent(const PreviousContacts& previous, std::size_t first, std::size_t last);

}  // namespace lanefold::detail
