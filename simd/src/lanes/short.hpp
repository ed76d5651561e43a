// SPDX-License-Identifier: MIT
//
// Lanes of 16 bits, twice as many as WFloat has, for bounds in fixed point. All numbers are integers, so results are
// the same on every instruction set. xsimd 8.1 has no upper half of a product of 16-bit lanes, so that is native code.
#pragma once

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// WShort has: load and store of kShorts int16_t (aligned); pairs(x): the two halves of x, alternating; splat; iota;
// mul_round: products of fixed point numbers with 15 fractional bits, rounded to nearest, halves up (not of two
// -32768); min, max; select(mask, a, b); highest(): the maximum of all lanes; pair_bits(m, n): a bit for each lane of
// two masks.

#include "lanes/native/short.inl"

LANEFOLD_INLINE WShortMask no_shorts() { return WShort(0) == WShort(1); }

// Least multiple of kShorts that is >= n.
LANEFOLD_INLINE std::uint32_t shorts_up(std::uint32_t n) { return (n + (kShorts - 1)) / kShorts * kShorts; }

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
