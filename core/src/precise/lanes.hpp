// SPDX-License-Identifier: MIT
//
// Two doubles at a time for the scans of the float64 path: what the baseline of every machine (SSE2, NEON)
// has. (Wider vector types are lowered to scalar minima and maxima by GCC 12.) Every lane computes
// (x + y) + z without fusing, so a result does not depend on how it was lowered.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanefold::detail {

// Arrays of the float64 path are padded to this many entries.
inline constexpr std::size_t kPreciseLanes = 8;

// Loaded and stored through memcpy, so no alignment is asked of the arrays.
using Lanes = double __attribute__((vector_size(16)));
using LaneBits = std::int64_t __attribute__((vector_size(16)));

static inline Lanes load_lanes(const double* from) {
    Lanes v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

static inline void store_lanes(double* to, Lanes v) { __builtin_memcpy(to, &v, sizeof v); }

static inline void store_lanes(std::int64_t* to, LaneBits v) { __builtin_memcpy(to, &v, sizeof v); }

static inline Lanes all_lanes(double v) { return Lanes{v, v}; }

static inline Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }

static inline Lanes smaller(Lanes a, Lanes b) { return a < b ? a : b; }

// Bit k: lane k of the mask.
static inline std::uint32_t lane_bits(LaneBits m) {
#ifdef __SSE2__
    return static_cast<std::uint32_t>(__builtin_ia32_movmskpd(reinterpret_cast<Lanes>(m)));
#else
    return static_cast<std::uint32_t>((m[0] & 1) | (m[1] & 2));
#endif
}

// The first of `padded` values that equals `value`, or the last of `count` when that comes first or there is none. A
// whole line of them at a time, for a loop over single ones ends where nobody can predict it.
static inline std::uint32_t first_equal(const double* values, std::size_t padded, std::uint32_t count, double value) {
    const Lanes v = all_lanes(value);
    const std::uint32_t last = count - 1;
    for (std::uint32_t i = 0; i < padded; i += kPreciseLanes) {
        std::uint32_t found = 0;
        for (std::uint32_t k = 0; k < kPreciseLanes; k += 2) {
            found |= lane_bits(load_lanes(values + i + k) == v) << k;
        }
        if (found == 0) continue;
        const std::uint32_t index = i + static_cast<std::uint32_t>(__builtin_ctz(found));
        return index < last ? index : last;
    }
    return last;
}

static inline double largest(Lanes v) { return v[0] > v[1] ? v[0] : v[1]; }

}  // namespace lanefold::detail
