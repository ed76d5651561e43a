// SPDX-License-Identifier: MIT
//
// The native operations on rows. Included by lanes/quad_row.hpp only.

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_scalar
#include "lanes/native/scalar/quad_row.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_sse2 || LANEFOLD_ISA_ID == LANEFOLD_ISA_sse4_2
#include "lanes/native/sse/quad_row.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2
#include "lanes/native/avx2/quad_row.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
#include "lanes/native/avx512/quad_row.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_neon
#include "lanes/native/neon/quad_row.inl"
#else
#error "unknown LANEFOLD_KERNEL_ISA"
#endif
