// SPDX-License-Identifier: MIT
//
// Vectors of two doubles for the scans of the float64 path. SSE2 and NEON have them, so every machine does; GCC 12
// lowers minima and maxima of wider vector types to scalar code. Every lane computes (x + y) + z without fusing, so a
// result does not depend on the instructions. Compilers without GCC's vector extensions get a struct of two
// doubles with the same operations; LANEFOLD_NO_VECTOR_EXTENSIONS selects it on any compiler.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanefold::detail {

// Arrays of the float64 path are padded to this many entries.
inline constexpr std::size_t kPreciseLanes = 8;

#if defined(__GNUC__) && !defined(LANEFOLD_NO_VECTOR_EXTENSIONS)

using Lanes = double __attribute__((vector_size(16)));
using LaneBits = std::int64_t __attribute__((vector_size(16)));

static inline Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }

static inline Lanes smaller(Lanes a, Lanes b) { return a < b ? a : b; }

#else

struct LaneBits {
    std::int64_t lane[2];

    std::int64_t operator[](int i) const { return lane[i]; }
    LaneBits& operator&=(const LaneBits& o) { return *this = {{lane[0] & o.lane[0], lane[1] & o.lane[1]}}; }
    LaneBits& operator|=(const LaneBits& o) { return *this = {{lane[0] | o.lane[0], lane[1] | o.lane[1]}}; }
    friend LaneBits operator&(LaneBits a, const LaneBits& b) { return a &= b; }
    friend LaneBits operator|(LaneBits a, const LaneBits& b) { return a |= b; }
};

struct Lanes {
    double lane[2];

    double operator[](int i) const { return lane[i]; }
    friend Lanes operator+(const Lanes& a, const Lanes& b) { return {{a.lane[0] + b.lane[0], a.lane[1] + b.lane[1]}}; }
    friend Lanes operator-(const Lanes& a, const Lanes& b) { return {{a.lane[0] - b.lane[0], a.lane[1] - b.lane[1]}}; }
    friend Lanes operator*(const Lanes& a, const Lanes& b) { return {{a.lane[0] * b.lane[0], a.lane[1] * b.lane[1]}}; }
    friend LaneBits operator<(const Lanes& a, const Lanes& b) { return mask(a[0] < b[0], a[1] < b[1]); }
    friend LaneBits operator<=(const Lanes& a, const Lanes& b) { return mask(a[0] <= b[0], a[1] <= b[1]); }
    friend LaneBits operator>(const Lanes& a, const Lanes& b) { return mask(a[0] > b[0], a[1] > b[1]); }
    friend LaneBits operator>=(const Lanes& a, const Lanes& b) { return mask(a[0] >= b[0], a[1] >= b[1]); }
    friend LaneBits operator==(const Lanes& a, const Lanes& b) { return mask(a[0] == b[0], a[1] == b[1]); }

private:
    static LaneBits mask(bool a, bool b) { return {{a ? -1 : 0, b ? -1 : 0}}; }
};

static inline Lanes larger(const Lanes& a, const Lanes& b) {
    return {{a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]}};
}

static inline Lanes smaller(const Lanes& a, const Lanes& b) {
    return {{a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]}};
}

#endif

// Loads and stores go through memcpy, so the arrays need no alignment.
static inline Lanes load_lanes(const double* from) {
    Lanes v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

static inline void store_lanes(double* to, Lanes v) { std::memcpy(to, &v, sizeof v); }

static inline void store_lanes(std::int64_t* to, LaneBits v) { std::memcpy(to, &v, sizeof v); }

static inline Lanes all_lanes(double v) { return Lanes{v, v}; }

// Bit k: lane k of the mask.
static inline std::uint32_t lane_bits(LaneBits m) {
#if defined(__SSE2__) && !defined(LANEFOLD_NO_VECTOR_EXTENSIONS)
    return static_cast<std::uint32_t>(__builtin_ia32_movmskpd(reinterpret_cast<Lanes>(m)));
#else
    return static_cast<std::uint32_t>((m[0] & 1) | (m[1] & 2));
#endif
}

// Index of the first of `padded` values that equals `value`, but at most count - 1 (also if there is none). Tests
// kPreciseLanes values per step, because the end of a loop over single values would be mispredicted.
static inline std::uint32_t first_equal(const double* values, std::size_t padded, std::uint32_t count, double value) {
    const Lanes v = all_lanes(value);
    const std::uint32_t last = count - 1;
    for (std::uint32_t i = 0; i < padded; i += kPreciseLanes) {
        std::uint32_t found = 0;
        for (std::uint32_t k = 0; k < kPreciseLanes; k += 2) {
            found |= lane_bits(load_lanes(values + i + k) == v) << k;
        }
        if (found == 0) continue;
        const std::uint32_t index = i + static_cast<std::uint32_t>(std::countr_zero(found));
        return index < last ? index : last;
    }
    return last;
}

static inline double largest(Lanes v) { return v[0] > v[1] ? v[0] : v[1]; }

}  // namespace lanefold::detail
