// SPDX-License-Identifier: MIT
//
// The instruction set that this translation unit is compiled for, and the library of its lane types. Each set has a
// folder beside this file with one file per contract (lanes/wide.hpp, short.hpp, quad_row.hpp, bit_table.hpp,
// lowest_row.hpp); native/CONTRACT.inl includes the one of this set. Nothing outside lanes/native depends on the set
// (cmake/check_rooms.py).
#pragma once

#ifndef LANEFOLD_KERNEL_NAMESPACE
#error "compile kernels through cmake/KernelIsa.cmake, which names the instruction set"
#endif

// Lower case, because the name of an instruction set is appended to the prefix.
// NOLINTBEGIN(readability-identifier-naming)
#define LANEFOLD_ISA_scalar 1
#define LANEFOLD_ISA_sse2 2
#define LANEFOLD_ISA_sse4_2 3
#define LANEFOLD_ISA_avx2 4
#define LANEFOLD_ISA_avx512 5
#define LANEFOLD_ISA_neon 6
// NOLINTEND(readability-identifier-naming)
#define LANEFOLD_ISA_PASTE2(a, b) a##b
#define LANEFOLD_ISA_PASTE(a, b) LANEFOLD_ISA_PASTE2(a, b)
#define LANEFOLD_ISA_ID LANEFOLD_ISA_PASTE(LANEFOLD_ISA_, LANEFOLD_KERNEL_ISA)

#if LANEFOLD_ISA_ID != LANEFOLD_ISA_scalar
#include <xsimd/xsimd.hpp>
#endif

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// A number that is about to fill all lanes of a vector. Clang 14 (of Debian's emscripten) merges a load with the splat
// of its value into one instruction of WebAssembly, v128.load32_splat, and loses its place before later stores to the
// same address: it loads what these have stored. It does not do so with a value that the statement below may have
// changed. A constant comes from no load.
template <class T>
inline __attribute__((always_inline)) T before_splat(T x) {
#ifdef __wasm__
    if (!__builtin_constant_p(x)) __asm__("" : "+r"(x));
#endif
    return x;
}

// Whether the set has an instruction that counts bits.
#ifdef __POPCNT__
inline constexpr bool kHasPopcount = true;
#else
inline constexpr bool kHasPopcount = false;
#endif

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
