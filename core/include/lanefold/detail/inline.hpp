// SPDX-License-Identifier: MIT
//
// Functions and lambdas that the compiler must inline: operations of lanes, and formulas over them.
#pragma once

#if defined(__GNUC__)
#define LANEFOLD_INLINE inline __attribute__((always_inline))
#define LANEFOLD_INLINE_LAMBDA __attribute__((always_inline))
#else
#define LANEFOLD_INLINE inline
#define LANEFOLD_INLINE_LAMBDA
#endif
