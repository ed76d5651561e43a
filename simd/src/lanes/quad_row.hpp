// SPDX-License-Identifier: MIT
//
// Rows: four points side by side, 64 bytes, in as few registers as possible. They are for single things of many pairs
// that lie anywhere in memory: a row is one load, while lanes would have to be gathered.
#pragma once

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline constexpr std::uint32_t kRowFloats = 16;

struct QuadRow {
    WFloat v[kRowFloats / kWidth];
};

LANEFOLD_INLINE QuadRow load_row(const float* p) {
    QuadRow r;
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) r.v[k] = WFloat::load(p + k * kWidth);
    return r;
}
LANEFOLD_INLINE void store_row(const QuadRow& r, float* p) {
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) r.v[k].store(p + k * kWidth);
}
LANEFOLD_INLINE QuadRow operator*(const QuadRow& a, const QuadRow& b) {
    QuadRow r;
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) r.v[k] = a.v[k] * b.v[k];
    return r;
}
LANEFOLD_INLINE QuadRow operator+(const QuadRow& a, const QuadRow& b) {
    QuadRow r;
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) r.v[k] = a.v[k] + b.v[k];
    return r;
}

// Bit i is set if element i is below (above) zero.
LANEFOLD_INLINE std::uint32_t below_zero(const QuadRow& r) {
    std::uint32_t mask = 0;
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) mask |= bits(r.v[k] < splat(0.0F)) << (k * kWidth);
    return mask;
}
LANEFOLD_INLINE std::uint32_t above_zero(const QuadRow& r) {
    std::uint32_t mask = 0;
    for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) mask |= bits(r.v[k] > splat(0.0F)) << (k * kWidth);
    return mask;
}

// Each instruction set defines:
//
//   repeat_quad(p)               the same four floats in every quad
//   spread<kComponent>(row)      that component of every point, in all four places of its quad
//   transpose_quads(rows, out)   for four rows: element 4 q + r of column c is component c of point q of row r
#include "lanes/native/quad_row.inl"

// For four rows: element 4 q + r of the result is (x + y) + z of point q of row r.
LANEFOLD_INLINE QuadRow component_sums(const QuadRow* rows) {
    QuadRow c[4];
    transpose_quads(rows, c);
    return (c[0] + c[1]) + c[2];
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
