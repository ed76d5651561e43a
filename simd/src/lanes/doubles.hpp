// SPDX-License-Identifier: MIT
//
// Lanes of float64: WDouble of kDoubles lanes, by the compilers' own vectors, with +, -, * and /. A lane computes the
// same bits on every instruction set.
#pragma once

#include <cstdint>

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Half of the lanes of float32, and two where there is but one: every compiler knows how to split these.
inline constexpr std::uint32_t kDoubles = kWidth >= 4 ? kWidth / 2 : 2;
static_assert(kDoubles == 2 || kDoubles == 4 || kDoubles == 8);

using WDouble = double __attribute__((vector_size(8 * kDoubles)));
using WLong = std::int64_t __attribute__((vector_size(8 * kDoubles)));
// As many lanes of four bytes.
using WHalf = float __attribute__((vector_size(4 * kDoubles)));
using WHalfInt = std::int32_t __attribute__((vector_size(4 * kDoubles)));

inline constexpr double kInfinite = __builtin_inf();

LANEFOLD_INLINE WDouble splat_double(double x) { return x - WDouble{}; }

template <class Vector, class T>
LANEFOLD_INLINE Vector load_lanes(const T* from) {
    Vector v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}
template <class Vector, class T>
LANEFOLD_INLINE void store_lanes(Vector v, T* to) {
    __builtin_memcpy(to, &v, sizeof v);
}
LANEFOLD_INLINE WDouble load_doubles(const double* from) { return load_lanes<WDouble>(from); }
// kDoubles floats, widened.
LANEFOLD_INLINE WDouble load_widened(const float* from) {
    return __builtin_convertvector(load_lanes<WHalf>(from), WDouble);
}

// The vector of x(0), x(1), ... Numbers that are stored one by one and loaded as a vector would wait for the stores.
template <class Vector = WDouble, class X>
LANEFOLD_INLINE Vector doubles_of(const X& x) {
    if constexpr (sizeof(Vector) == 64) {
        return Vector{x(0), x(1), x(2), x(3), x(4), x(5), x(6), x(7)};
    } else if constexpr (sizeof(Vector) == 32) {
        return Vector{x(0), x(1), x(2), x(3)};
    } else {
        return Vector{x(0), x(1)};
    }
}

// The second operand if both are equal or one is NaN.
LANEFOLD_INLINE WDouble smaller(WDouble a, WDouble b) { return a < b ? a : b; }
LANEFOLD_INLINE WDouble larger(WDouble a, WDouble b) { return a > b ? a : b; }
LANEFOLD_INLINE WDouble magnitude(WDouble a) {
    return reinterpret_cast<WDouble>(reinterpret_cast<WLong>(a) & std::int64_t{0x7FFFFFFFFFFFFFFF});
}
LANEFOLD_INLINE WDouble root(WDouble a) {
    double x[kDoubles];
    store_lanes(a, x);
    for (double& each : x) each = __builtin_sqrt(each);
    return load_doubles(x);
}

// Operations that fold two neighbouring lanes, pairs or quads of lanes of two vectors to one: see fold_lanes().
struct Smallest {
    LANEFOLD_INLINE static WDouble of(WDouble a, WDouble b) { return smaller(a, b); }
};
struct Largest {
    LANEFOLD_INLINE static WDouble of(WDouble a, WDouble b) { return larger(a, b); }
};

// Folds the lanes of each of kDoubles vectors to one number: lane l of the result is that of rows[l].
template <class Op, class Vector>
LANEFOLD_INLINE Vector fold_lanes(const Vector* rows) {
    constexpr std::uint32_t kLanes = sizeof(Vector) / sizeof(double);
    if constexpr (kLanes == 2) {
        return Op::of(__builtin_shufflevector(rows[0], rows[1], 0, 2), __builtin_shufflevector(rows[0], rows[1], 1, 3));
    } else if constexpr (kLanes == 4) {
        const auto ones = [](Vector a, Vector b) LANEFOLD_INLINE_LAMBDA {
            return Op::of(__builtin_shufflevector(a, b, 0, 4, 2, 6), __builtin_shufflevector(a, b, 1, 5, 3, 7));
        };
        const Vector a = ones(rows[0], rows[1]);
        const Vector b = ones(rows[2], rows[3]);
        return Op::of(__builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7));
    } else {
        const auto ones = [](Vector a, Vector b) LANEFOLD_INLINE_LAMBDA {
            return Op::of(__builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14),
                          __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15));
        };
        const auto twos = [](Vector a, Vector b) LANEFOLD_INLINE_LAMBDA {
            return Op::of(__builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13),
                          __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15));
        };
        const Vector a = twos(ones(rows[0], rows[1]), ones(rows[2], rows[3]));
        const Vector b = twos(ones(rows[4], rows[5]), ones(rows[6], rows[7]));
        return Op::of(__builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11),
                      __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15));
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
