// SPDX-License-Identifier: MIT
//
// Finds each pair of a step in the list of the step before: one walk through both lists where they ascend,
// otherwise a hash table.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/body.hpp>
#include <lanefold/export.hpp>

#include "tasks/executor.hpp"

namespace lanefold::detail {

inline constexpr std::uint32_t kNotListed = 0xFFFFFFFFU;

// The order of a list of pairs.
enum class PairOrder : std::uint8_t {
    any,
    ascending,           // pairs may be listed twice
    strictly_ascending,  // each pair once
};

class LANEFOLD_EXPORT PairCarrier {
public:
    // Writes, per pair, the first index of the same pair in `before`, or kNotListed, and returns the order of `now`.
    // `before` and `now`: fewer than kNotListed pairs each. `order`: of `before`.
    PairOrder locate(std::span<const Pair> before, PairOrder order, std::span<const Pair> now,
                     std::span<std::uint32_t> at, Executor& executor, unsigned slots);

private:
    void fill_table(std::span<const Pair> before, Executor& executor, unsigned slots);
    void enter(std::span<const Pair> before, std::uint32_t index);
    std::uint32_t look_up(std::span<const Pair> before, const Pair& pair) const;

    AlignedBuffer<std::uint32_t> table_;  // indices into the list before, plus one; 0: empty
    std::size_t mask_ = 0;                // entries of the table in use - 1
};

}  // namespace lanefold::detail
