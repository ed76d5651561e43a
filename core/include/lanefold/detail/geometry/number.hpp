// SPDX-License-Identifier: MIT
//
// The rules of the geometry are templates over the type of number: lanes of float32 in the kernels (WFloat, WMask and
// WInt), double, bool and int32 on the float64 path. This file gives the second group the operations that the lanes
// have (simd/src/lanes/wide.hpp), with the same results for equal operands and NaN. Argument-dependent lookup finds
// those of the lanes, so each instruction set has instances of its own.
#pragma once

#include <cmath>
#include <cstdint>

#include <lanefold/detail/inline.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail::geometry {

// A constant. Lanes round it to float32.
template <class Number>
LANEFOLD_INLINE Number number(double x) {
    return Number(static_cast<float>(x));
}
template <>
LANEFOLD_INLINE double number<double>(double x) {
    return x;
}

// Above every value that is compared.
template <class Number>
LANEFOLD_INLINE Number highest() {
    return Number(3.402823466e+38F);
}
template <>
LANEFOLD_INLINE double highest<double>() {
    return 1.7976931348623157e+308;
}

LANEFOLD_INLINE double negate(double x) { return -x; }
LANEFOLD_INLINE double abs(double x) { return std::fabs(x); }
LANEFOLD_INLINE double min(double a, double b) { return a < b ? a : b; }
LANEFOLD_INLINE double max(double a, double b) { return a > b ? a : b; }
LANEFOLD_INLINE double clamp01(double x) { return max(min(x, 1.0), 0.0); }
LANEFOLD_INLINE double select(bool m, double a, double b) { return m ? a : b; }
LANEFOLD_INLINE std::int32_t select(bool m, std::int32_t a, std::int32_t b) { return m ? a : b; }
LANEFOLD_INLINE bool any(bool m) { return m; }

LANEFOLD_INLINE Vec3d select(bool m, const Vec3d& a, const Vec3d& b) { return m ? a : b; }

// The lanes of a that b has not. ~ of a bool is never false.
template <class Mask>
LANEFOLD_INLINE Mask without(Mask a, Mask b) {
    return a & ~b;
}
template <>
LANEFOLD_INLINE bool without(bool a, bool b) {
    return a && !b;
}

// A place in the contact plane, or a vector in it.
template <class Number>
struct Planar {
    Number u, v;
};

template <class Number>
LANEFOLD_INLINE Planar<Number> operator-(const Planar<Number>& a, const Planar<Number>& b) {
    return {a.u - b.u, a.v - b.v};
}
template <class Mask, class Number>
LANEFOLD_INLINE Planar<Number> select(Mask m, const Planar<Number>& a, const Planar<Number>& b) {
    return {select(m, a.u, b.u), select(m, a.v, b.v)};
}

// How vectors in the contact plane are measured: twice the area of the triangle that two of them span, positive where e
// is to the left of d; the dot product; and the squared length.
template <class Number>
struct InPlane {
    using Spot = Planar<Number>;

    static LANEFOLD_INLINE Number wedge(const Spot& d, const Spot& e) { return d.u * e.v - d.v * e.u; }
    static LANEFOLD_INLINE Number along(const Spot& d, const Spot& e) { return d.u * e.u + d.v * e.v; }
    static LANEFOLD_INLINE Number square(const Spot& d) { return d.u * d.u + d.v * d.v; }
};

}  // namespace lanefold::detail::geometry
