// SPDX-License-Identifier: MIT
//
// The tests compile the kernels a second time with LANEFOLD_EXHAUSTIVE: their searches evaluate every face of both
// hulls, and their arc tests leave every edge in. Pruning by bounds and arc tests must change no bit, so the records
// are the same (tests/kernels/exhaustive_test.cpp).
#pragma once

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

#ifdef LANEFOLD_EXHAUSTIVE
inline constexpr bool kExhaustive = true;
#else
inline constexpr bool kExhaustive = false;
#endif

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
