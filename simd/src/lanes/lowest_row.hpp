// SPDX-License-Identifier: MIT
//
// Finds, among rows of four floats, the one whose first three floats have the lowest dot product with a vector.
#pragma once

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Same as lowest_row(), one row after the other.
inline std::uint32_t lowest_of_many(const float* rows, const std::uint16_t* list, std::uint32_t count, const float* n) {
    std::uint32_t best = 0;
    float lowest = kHighest;
    for (std::uint32_t k = 0; k < count; ++k) {
        const float* row = rows + std::size_t{4} * list[k];
        const float c = (row[0] * n[0] + row[1] * n[1]) + row[2] * n[2];
        const bool lower = c < lowest;
        lowest = lower ? c : lowest;
        best = lower ? list[k] : best;
    }
    return best;
}

// lowest_row(rows, list, count, n): among the rows list[0 .. count - 1] the one with the lowest (x n[0] + y n[1]) + z
// n[2]; the first in the list on ties. Rows must be on 16-byte boundaries; at least 16 bytes of the list are read.
#include "lanes/native/lowest_row.inl"

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
