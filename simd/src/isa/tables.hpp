// SPDX-License-Identifier: MIT
//
// The one symbol that each kernel object exports (see cmake/KernelIsa.cmake). LANEFOLD_HAVE_<ISA> tells which of them
// exist in this build. The staged ones belong to the benchmark (detail/stage_clock.hpp), the
// exhaustive one to the tests (search/exhaustive.hpp).
#pragma once

#include <lanefold/detail/chunk.hpp>

namespace lanefold::detail {

extern const KernelTable kernel_table_scalar;
extern const KernelTable kernel_table_sse2;
extern const KernelTable kernel_table_sse4_2;
extern const KernelTable kernel_table_avx2;
extern const KernelTable kernel_table_avx512;
extern const KernelTable kernel_table_neon;

extern const KernelTable kernel_table_staged_scalar;
extern const KernelTable kernel_table_staged_sse2;
extern const KernelTable kernel_table_staged_sse4_2;
extern const KernelTable kernel_table_staged_avx2;
extern const KernelTable kernel_table_staged_avx512;
extern const KernelTable kernel_table_staged_neon;

extern const KernelTable kernel_table_exhaustive_scalar;

}  // namespace lanefold::detail
