// SPDX-License-Identifier: MIT
//
// Finds the previous record of a pair: by index for dense records, by search for records that ascend by pair. The
// answer depends only on the pair and the records, not on how the batch is split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/detail/precise.hpp>
#include <lanefold/previous_contacts.hpp>

namespace lanefold::detail {

// The head of a record, the same for every capacity.
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

// Finds the records of consecutive pairs; fastest if the pairs ascend.
class PreviousLookup {
public:
    // `first_pair`: index of the first pair that find() is called for, among the pairs of the call.
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

// The part of a record that hysteresis reads; kind none if the record holds no features that could stay.
PreviousChoice choice_of(const PreviousContacts& previous, std::size_t i);

// Index of the first record in [first, last) that is before its predecessor; last when there is none.
std::size_t first_descent(const PreviousContacts& previous, std::size_t first, std::size_t last);

}  // namespace lanefold::detail
