// SPDX-License-Identifier: MIT
//
// The instruction sets of a library's kernels besides scalar, which is always there: LANEFOLD_EACH_ISA(name) for each
// one that cmake/KernelIsa.cmake has compiled into it. Undefines the macro.

#ifdef LANEFOLD_HAVE_SSE2
LANEFOLD_EACH_ISA(sse2)
#endif
#ifdef LANEFOLD_HAVE_SSE4_2
LANEFOLD_EACH_ISA(sse4_2)
#endif
#ifdef LANEFOLD_HAVE_AVX2
LANEFOLD_EACH_ISA(avx2)
#endif
#ifdef LANEFOLD_HAVE_AVX512
LANEFOLD_EACH_ISA(avx512)
#endif
#ifdef LANEFOLD_HAVE_NEON
LANEFOLD_EACH_ISA(neon)
#endif
#undef LANEFOLD_EACH_ISA
