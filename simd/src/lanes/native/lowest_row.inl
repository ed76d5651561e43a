// SPDX-License-Identifier: MIT
//
// The lowest of few rows side by side, if the instruction set has registers for it. Included by lanes/lowest_row.hpp
// only.

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2 || LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
#include "lanes/native/avx2/lowest_row.inl"

LANEFOLD_INLINE std::uint32_t lowest_row(const float* rows, const std::uint16_t* list, std::uint32_t count,
                                         const float* n) {
    if (count <= kFewRows) return lowest_of_few(rows, list, count, n);
    return lowest_of_many(rows, list, count, n);
}
#else
LANEFOLD_INLINE std::uint32_t lowest_row(const float* rows, const std::uint16_t* list, std::uint32_t count,
                                         const float* n) {
    return lowest_of_many(rows, list, count, n);
}
#endif
