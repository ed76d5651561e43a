// SPDX-License-Identifier: MIT
//
// Classes of hulls whose scans take the same code path. Pairs are searched class by class, so that branches predict
// well.
#pragma once

#include "lanes/short.hpp"
#include "pair/support.hpp"
#include "search/search_state.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Number of classes. The class of a hull is given by how many vectors its vertices fill and how many its faces fill: 1
// to kUnrolled, or more.
inline constexpr std::uint32_t kScanClasses = (kUnrolled + 1) * (kUnrolled + 1);

LANEFOLD_INLINE std::uint32_t scan_class(const HullRecord& h) {
    const std::uint32_t v = (h.vertex_count - 1) / kWidth;
    const std::uint32_t f = (h.face_count - 1) / kShorts;
    return (kUnrolled + 1) * (v < kUnrolled ? v : kUnrolled) + (f < kUnrolled ? f : kUnrolled);
}

// Orders the candidates by the scan class of A's hull, then by that of B's. Two counting sorts keep the order within a
// class, and with it the locality.
inline void sort_by_class(SearchScratch& s) {
    std::uint32_t first_a[kScanClasses + 1] = {};
    std::uint32_t first_b[kScanClasses + 1] = {};
    std::uint32_t by_b[kChunkPairs];
    std::uint32_t* list = s.candidates.slot.data();
    const std::uint32_t count = s.candidates.count;
    for (std::uint32_t k = 0; k < count; ++k) {
        ++first_a[s.scan_a[list[k]] + 1];
        ++first_b[s.scan_b[list[k]] + 1];
    }
    for (std::uint32_t c = 0; c < kScanClasses; ++c) {
        first_a[c + 1] += first_a[c];
        first_b[c + 1] += first_b[c];
    }
    for (std::uint32_t k = 0; k < count; ++k) by_b[first_b[s.scan_b[list[k]]]++] = list[k];
    for (std::uint32_t k = 0; k < count; ++k) list[first_a[s.scan_a[by_b[k]]]++] = by_b[k];
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
