// SPDX-License-Identifier: MIT
//
// The lanes of 16 bits of this instruction set. Included by lanes/short.hpp only.

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_scalar
#include "lanes/native/scalar/short.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_sse2 || LANEFOLD_ISA_ID == LANEFOLD_ISA_sse4_2
#include "lanes/native/sse/short.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2
#include "lanes/native/avx2/short.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
#include "lanes/native/avx512/short.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_neon
#include "lanes/native/neon/short.inl"
#else
#error "unknown LANEFOLD_KERNEL_ISA"
#endif
