// SPDX-License-Identifier: MIT
//
// Lanes: WFloat, WInt and WMask of kWidth lanes. Kernels use them and read like scalar mathematics, with masks instead
// of branches. Everything that depends on the instruction set is in lanes/native.
//
// This file is compiled once per instruction set, inside a namespace named after the set. So the linker cannot merge a
// function that is compiled with stronger flags into code for an older processor.
//
// Every operation is exact or exactly rounded (IEEE 754 +, -, *, /, sqrt, compare, select, integer), in each lane
// independently. So a lane computes the same bits on every instruction set, width 1 included.
#pragma once

#include <cstdint>
#include <cstring>

#include <lanefold/detail/inline.hpp>
#include <lanefold/detail/stage_clock.hpp>

#include "lanes/native/instruction_set.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Each instruction set defines, besides the operators:
//
//   negate, abs, sqrt, min, max    min and max give the second operand if both are equal or one is NaN
//   less_of(m, a, b)               lanes of m where a < b; at_most_of(): where a <= b
//   select(m, a, b)                a where m is set, else b
//   bits(m), any(m)                a bit for every lane; whether any lane is set
//   reduce_max(a)                  the maximum of all lanes
//   truncate(a), to_float(i)       float lanes to integers, towards zero, and back
//   bit_cast_float(i)              the bits of an integer lane as a float lane, only to be moved and stored
//   bit_cast_int(a)                and back
//   packing(lanes), pack(a, p)     the lanes named by bits, moved to the front in order; anything after them
//   pack_once(i, lanes)            pack() for a single vector
//
// Rows to columns and back. `rows[l]` is a pointer to row l, stored or computed. Column c holds float c of each of the
// kWidth rows. Rows may hold integers, because only bits are moved.
//
//   load_rows16(rows, out)         16 columns, from rows on 16-byte boundaries
//   load_rows4(rows, out, at)      4 columns, from float `at` of rows on 4-byte boundaries
//   load_rows2(rows, out)          2 columns
//   load_quads<n>(rows, out, at)   4 n columns
//   store_rows16(in, base)         row l to base + 16 l
//   scatter_quads<n>(in, rows)     4 n columns, n 2 or 4: row l to rows[l]
//   stream_rows16(in, rows, lanes) the rows of the lanes named by bits, past the caches if the set can, for results
//                                  that are read late; rows on 64-byte boundaries, also those of other lanes writable
//   stream_zeros(row)              16 zeros in the same way
//   stream_end()                   makes streamed rows visible to other threads before later stores
#include "lanes/native/wide.inl"

// The rest is the same for every instruction set.

// The largest and the lowest finite float32: start values of searches for a minimum or a maximum.
inline constexpr float kHighest = 3.402823466e+38F;
inline constexpr float kLowest = -kHighest;

LANEFOLD_INLINE WFloat splat(float x) { return WFloat(x); }

// x limited to 0..1. A NaN becomes 1.
LANEFOLD_INLINE WFloat clamp01(WFloat x) { return max(min(x, splat(1.0F)), splat(0.0F)); }

LANEFOLD_INLINE WMask no_lanes() { return splat(1.0F) < splat(0.0F); }

// Least multiple of kWidth that is >= n. Blocks are padded to 16, so a scan up to it stays inside the block.
LANEFOLD_INLINE std::uint32_t lanes_up(std::uint32_t n) { return (n + (kWidth - 1)) / kWidth * kWidth; }

// Index of the lowest set bit; bits must not be zero.
LANEFOLD_INLINE std::uint32_t lowest_bit(std::uint32_t bits) { return static_cast<std::uint32_t>(__builtin_ctz(bits)); }

// A bit for every lane.
inline constexpr std::uint32_t kAllLanes = (1U << kWidth) - 1U;

// Number of lanes in use in the vector that begins at `begin` of `total` things; and a mask with that many bits.
LANEFOLD_INLINE std::uint32_t lane_count(std::uint32_t total, std::uint32_t begin) {
    return total - begin < kWidth ? total - begin : kWidth;
}
LANEFOLD_INLINE std::uint32_t lane_mask(std::uint32_t lanes) { return (1U << lanes) - 1U; }

LANEFOLD_INLINE bool bit_at(std::uint32_t bits, std::uint32_t i) { return ((bits >> i) & 1U) != 0; }
// Bit i of a set of any size, 64 bits to a word.
LANEFOLD_INLINE bool bit_of(const std::uint64_t* words, std::uint32_t i) {
    return ((words[i / 64] >> (i % 64)) & 1U) != 0;
}

// Number of set bits, without the instruction that SSE2 lacks and without a call.
LANEFOLD_INLINE std::uint32_t count_bits(std::uint32_t x) {
    if constexpr (kHasPopcount) return static_cast<std::uint32_t>(__builtin_popcount(x));
    x -= (x >> 1) & 0x55555555U;
    x = (x & 0x33333333U) + ((x >> 2) & 0x33333333U);
    return (((x + (x >> 4)) & 0x0F0F0F0FU) * 0x01010101U) >> 24;
}

LANEFOLD_INLINE WInt pack(WInt a, Packing p) { return bit_cast_int(pack(bit_cast_float(a), p)); }

// kWidth indices, which are unsigned outside of lanes.
LANEFOLD_INLINE WInt load_indices(const std::uint32_t* p) {
    return WInt::loadu(reinterpret_cast<const std::int32_t*>(p));
}
LANEFOLD_INLINE void store_indices(WInt a, std::uint32_t* p) { a.storeu(reinterpret_cast<std::int32_t*>(p)); }

// Copies those of kWidth entries that are named by bits, without gaps; kWidth places of `out` are overwritten.
LANEFOLD_INLINE void compress(const std::uint32_t* from, std::uint32_t lanes, std::uint32_t* out) {
    if constexpr (kWidth > 4) {
        store_indices(pack_once(load_indices(from), lanes), out);
    } else {
        // Four lanes have no permutation. Every entry is written, and the next one overwrites it if it does not count.
        // This takes no branch.
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            *out = from[l];
            out += (lanes >> l) & 1U;
        }
    }
}

// Writes first + i for every set bit i < kBits of the mask, ascending; returns how many. Up to 16 entries after them
// are overwritten.
template <std::uint32_t kBits = 64>
LANEFOLD_INLINE std::uint32_t list_bits(std::uint64_t mask, std::uint32_t first, std::uint32_t* list) {
    std::uint32_t n = 0;
    if constexpr (kWidth == 16) {
        // No loop over bits, because its end would be mispredicted. With narrower lanes that loop is faster.
        for (std::uint32_t i = 0; i < kBits; i += kWidth) {
            const auto part = static_cast<std::uint32_t>(mask >> i) & 0xFFFFU;
            const WInt index = WInt::iota() + WInt(static_cast<std::int32_t>(first + i));
            store_indices(pack_once(index, part), list + n);
            n += count_bits(part);
        }
    } else {
        for (; mask != 0; mask &= mask - 1) list[n++] = first + static_cast<std::uint32_t>(__builtin_ctzll(mask));
    }
    return n;
}

struct WVec3 {
    WFloat x, y, z;
};

// Loads and stores kWidth points as arrays of coordinates.
LANEFOLD_INLINE WVec3 load_points(const float* x, const float* y, const float* z) {
    return {WFloat::load(x), WFloat::load(y), WFloat::load(z)};
}
LANEFOLD_INLINE WVec3 loadu_points(const float* x, const float* y, const float* z) {
    return {WFloat::loadu(x), WFloat::loadu(y), WFloat::loadu(z)};
}
LANEFOLD_INLINE void store_points(const WVec3& v, float (*to)[kWidth]) {
    v.x.store(to[0]);
    v.y.store(to[1]);
    v.z.store(to[2]);
}

// The three components of one point side by side; the fourth element is whatever follows them in memory. It serves the
// algebra of a single pair between two scans. It is a vector type of the compiler, the same on every instruction set.
using Quad = float __attribute__((vector_size(16)));

LANEFOLD_INLINE Quad load_quad(const float* p) {
    Quad q;
    __builtin_memcpy(&q, p, sizeof q);
    return q;
}

LANEFOLD_INLINE void store_quad(Quad q, float* p) { __builtin_memcpy(p, &q, sizeof q); }

// Transposed row-major 3 x 3 matrix times (x, y, z).
LANEFOLD_INLINE Quad transposed_times(const float* rows, float x, float y, float z) {
    LANEFOLD_STAGE_FLOPS(15);
    return (load_quad(rows) * before_splat(x) + load_quad(rows + 3) * before_splat(y)) +
           load_quad(rows + 6) * before_splat(z);
}

LANEFOLD_INLINE WVec3 operator+(const WVec3& a, const WVec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
LANEFOLD_INLINE WVec3 operator-(const WVec3& a, const WVec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
LANEFOLD_INLINE WVec3 operator*(const WVec3& a, WFloat s) { return {a.x * s, a.y * s, a.z * s}; }
LANEFOLD_INLINE WVec3 negate(const WVec3& a) { return {negate(a.x), negate(a.y), negate(a.z)}; }
// Every dot product of the engine adds in this order: (x + y) + z.
LANEFOLD_INLINE WFloat dot(const WVec3& a, const WVec3& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
LANEFOLD_INLINE WVec3 cross(const WVec3& a, const WVec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LANEFOLD_INLINE WVec3 select(WMask m, const WVec3& a, const WVec3& b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
