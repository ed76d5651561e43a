// SPDX-License-Identifier: MIT
//
// Four doubles at a time for the scans of the float64 path. GCC and Clang lower this vector type to whatever
// the baseline machine has; every lane computes (x + y) + z without fusing, so a result does not depend on
// how it was lowered.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanefold::detail {

// Arrays of the float64 path are padded to this many entries.
inline constexpr std::size_t kPreciseLanes = 8;

// 32 bytes, loaded and stored through memcpy, so no alignment is asked of the arrays.
using Lanes = double __attribute__((vector_size(32)));
using LaneBits = std::int64_t __attribute__((vector_size(32)));

static inline Lanes load_lanes(const double* from) {
    Lanes v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

static inline void store_lanes(double* to, Lanes v) { __builtin_memcpy(to, &v, sizeof v); }

static inline void store_lanes(std::int64_t* to, LaneBits v) { __builtin_memcpy(to, &v, sizeof v); }

static inline Lanes all_lanes(double v) { return Lanes{v, v, v, v}; }

static inline Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }

static inline Lanes smaller(Lanes a, Lanes b) { return a < b ? a : b; }

static inline double largest(Lanes v) {
    const double p = v[0] > v[1] ? v[0] : v[1];
    const double q = v[2] > v[3] ? v[2] : v[3];
    return p > q ? p : q;
}

}  // namespace lanefold::detail
