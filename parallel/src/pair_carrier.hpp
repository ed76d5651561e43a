// SPDX-License-Identifier: MIT
//
// Where each pair of a step was in the list of the step before: one walk through both lists where they ascend,
// otherwise a hash table.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/body.hpp>

#include "batch/executor.hpp"

namespace lanefold::detail {

inline constexpr std::uint32_t kNotListed = 0xFFFFFFFFU;

class PairCarrier {
public:
    // Writes, per pair, the first index of the same pair in `before`, or kNotListed. `before` and `now`: fewer than
    // kNotListed pairs each.
    void locate(std::span<const Pair> before, std::span<const Pair> now, std::span<std::uint32_t> at,
                Executor& executor, unsigned slots);

private:
    void fill_table(std::span<const Pair> before);
    std::uint32_t look_up(std::span<const Pair> before, const Pair& pair) const;

    AlignedBuffer<std::uint32_t> table_;  // indices into the list before, plus one; 0: empty
    std::size_t mask_ = 0;                // entries of the table in use - 1
};

}  // namespace lanefold::detail
