// SPDX-License-Identifier: MIT
//
// Tables of bits in registers, if the instruction set has such look-ups. Included by lanes/bit_table.hpp only.

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
#include "lanes/native/avx512/bit_table.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2
#include "lanes/native/avx2/bit_table.inl"
#else
inline constexpr std::uint32_t kLookUpEntries = 0;
#endif
