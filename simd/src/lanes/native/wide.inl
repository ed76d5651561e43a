// SPDX-License-Identifier: MIT
//
// The lane types of this instruction set. Included by lanes/wide.hpp only.

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_scalar
#include "lanes/native/scalar/wide.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_sse2 || LANEFOLD_ISA_ID == LANEFOLD_ISA_sse4_2
#include "lanes/native/sse/wide.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2
#include "lanes/native/avx2/wide.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
#include "lanes/native/avx512/wide.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_neon
#include "lanes/native/neon/wide.inl"
#else
#error "unknown LANEFOLD_KERNEL_ISA"
#endif

#if LANEFOLD_ISA_ID != LANEFOLD_ISA_avx512
#include "lanes/native/common.inl"
#endif
