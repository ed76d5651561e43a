// SPDX-License-Identifier: MIT
//
// Lanes: the one place that knows xsimd, its versions, and the native fix-ups it needs. Kernels are written
// against WFloat, WInt and WMask of kWidth lanes and read like scalar mathematics with a shrinking mask.
//
// This file is compiled once per instruction set, inside a namespace named after it, so that no function
// compiled with stronger flags can be merged by the linker with one compiled for an older processor.
//
// Every operation here is exactly rounded or exact (IEEE 754 +, -, *, /, sqrt, compare, select, integer), in
// each lane independently; so a lane computes the same bits on every instruction set, width 1 included.
#pragma once

#include <cstdint>
#include <cstring>

#include <lanefold/detail/stage_clock.hpp>

#ifndef LANEFOLD_KERNEL_NAMESPACE
#error "compile kernels through cmake/KernelIsa.cmake, which names the instruction set"
#endif

// Lower case because an ISA's own name is pasted to the prefix.
// NOLINTBEGIN(readability-identifier-naming)
#define LANEFOLD_ISA_scalar 1
#define LANEFOLD_ISA_sse2 2
#define LANEFOLD_ISA_sse4_2 3
#define LANEFOLD_ISA_avx2 4
#define LANEFOLD_ISA_avx512 5
#define LANEFOLD_ISA_neon 6
// NOLINTEND(readability-identifier-naming)
#define LANEFOLD_ISA_PASTE2(a, b) a##b
#define LANEFOLD_ISA_PASTE(a, b) LANEFOLD_ISA_PASTE2(a, b)
#define LANEFOLD_ISA_ID LANEFOLD_ISA_PASTE(LANEFOLD_ISA_, LANEFOLD_KERNEL_ISA)

#if LANEFOLD_ISA_ID != LANEFOLD_ISA_scalar
#include <xsimd/xsimd.hpp>
#endif

#define LANEFOLD_INLINE inline __attribute__((always_inline))

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_scalar
#include "lanes/native/scalar.inl"
#else
#include "lanes/native/xsimd.inl"
#endif

// ---- what follows is the same for every instruction set -------------------------------------------------

// The ends of float32: what a search for the least or the most of something begins with.
inline constexpr float kHighest = 3.402823466e+38F;
inline constexpr float kLowest = -kHighest;

LANEFOLD_INLINE WFloat splat(float x) { return WFloat(x); }

#if LANEFOLD_ISA_ID != LANEFOLD_ISA_avx512
// Lanes of m where a < b, where a <= b.
LANEFOLD_INLINE WMask less_of(WMask m, WFloat a, WFloat b) { return m & (a < b); }
LANEFOLD_INLINE WMask at_most_of(WMask m, WFloat a, WFloat b) { return m & (a <= b); }
#endif

LANEFOLD_INLINE WMask no_lanes() { return splat(1.0F) < splat(0.0F); }

// Least multiple of kWidth that is >= n. Blocks are padded to 16, so a scan to this bound stays inside.
LANEFOLD_INLINE std::uint32_t lanes_up(std::uint32_t n) { return (n + (kWidth - 1)) / kWidth * kWidth; }

// Index of the lowest set bit; bits must not be zero.
LANEFOLD_INLINE std::uint32_t lowest_bit(std::uint32_t bits) { return static_cast<std::uint32_t>(__builtin_ctz(bits)); }

// A bit for every lane.
inline constexpr std::uint32_t kAllLanes = (1U << kWidth) - 1U;

// Lanes in use of the vector that begins at `begin` of `total` things; and a bit for each of so many.
LANEFOLD_INLINE std::uint32_t lane_count(std::uint32_t total, std::uint32_t begin) {
    return total - begin < kWidth ? total - begin : kWidth;
}
LANEFOLD_INLINE std::uint32_t lane_mask(std::uint32_t lanes) { return (1U << lanes) - 1U; }

LANEFOLD_INLINE bool bit_at(std::uint32_t bits, std::uint32_t i) { return ((bits >> i) & 1U) != 0; }
// The same of a set of any size, 64 to a word.
LANEFOLD_INLINE bool bit_of(const std::uint64_t* words, std::uint32_t i) {
    return ((words[i / 64] >> (i % 64)) & 1U) != 0;
}

// Number of set bits, without the instruction that SSE2 lacks and without a call.
LANEFOLD_INLINE std::uint32_t count_bits(std::uint32_t x) {
#ifdef __POPCNT__
    return static_cast<std::uint32_t>(__builtin_popcount(x));
#endif
    x -= (x >> 1) & 0x55555555U;
    x = (x & 0x33333333U) + ((x >> 2) & 0x33333333U);
    return (((x + (x >> 4)) & 0x0F0F0F0FU) * 0x01010101U) >> 24;
}

#if LANEFOLD_ISA_ID != LANEFOLD_ISA_avx512
// The lanes of every set of them, in order; behind them the first lane.
struct PackingTable {
    std::uint16_t lane[1U << kWidth][kWidth] = {};

    constexpr PackingTable() {
        for (std::uint32_t set = 0; set < 1U << kWidth; ++set) {
            std::uint32_t n = 0;
            for (std::uint32_t l = 0; l < kWidth; ++l) {
                if ((set >> l & 1U) != 0) lane[set][n++] = static_cast<std::uint16_t>(l);
            }
        }
    }
};
inline constexpr PackingTable kPackingTable;

struct Packing {
    WInt lane;
};
LANEFOLD_INLINE Packing packing(std::uint32_t lanes) { return {load_u16(kPackingTable.lane[lanes])}; }
// The lanes named by bits moved to the front, in order; what is behind them means nothing.
LANEFOLD_INLINE WFloat pack(WFloat a, Packing p) { return permute(a, p.lane); }
#endif
LANEFOLD_INLINE WInt pack(WInt a, Packing p) { return bit_cast_int(pack(bit_cast_float(a), p)); }
#if LANEFOLD_ISA_ID != LANEFOLD_ISA_avx512
// 4 kQuads floats from each of kWidth rows, from their float `at` on.
template <std::size_t kQuads, class Rows>
LANEFOLD_INLINE void load_quads(const Rows& rows, WFloat* out, std::size_t at = 0) {
    for (std::size_t q = 0; q < kQuads; ++q) load_rows4(rows, out + 4 * q, at + 4 * q);
}
// pack() where nothing else is packed alike.
LANEFOLD_INLINE WInt pack_once(WInt a, std::uint32_t lanes) { return pack(a, packing(lanes)); }
#endif

// kWidth indices, which are unsigned outside of lanes.
LANEFOLD_INLINE WInt load_indices(const std::uint32_t* p) {
    return WInt::loadu(reinterpret_cast<const std::int32_t*>(p));
}
LANEFOLD_INLINE void store_indices(WInt a, std::uint32_t* p) { a.storeu(reinterpret_cast<std::int32_t*>(p)); }

// Of kWidth entries those named by bits, one behind the other; kWidth places are overwritten.
LANEFOLD_INLINE void compress(const std::uint32_t* from, std::uint32_t lanes, std::uint32_t* out) {
    if constexpr (kWidth > 4) {
        store_indices(pack_once(load_indices(from), lanes), out);
    } else {
        // Four lanes have no permutation. Every entry is written, and the next one over it if it does not count: no branch.
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            *out = from[l];
            out += (lanes >> l) & 1U;
        }
    }
}

// Writes first + i for every set bit i < kBits of the mask, ascending; returns how many. Up to 16 entries behind them are
// overwritten.
template <std::uint32_t kBits = 64>
LANEFOLD_INLINE std::uint32_t list_bits(std::uint64_t mask, std::uint32_t first, std::uint32_t* list) {
    std::uint32_t n = 0;
    if constexpr (kWidth == 16) {
        // No loop over bits, whose end nobody can predict; with narrower lanes it is the shorter way.
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

// The three components of one point, side by side; the fourth is whatever lay behind them. For the algebra of a single pair
// between two scans. A vector type of the compiler's: the same on every instruction set.
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
    return (load_quad(rows) * x + load_quad(rows + 3) * y) + load_quad(rows + 6) * z;
}

LANEFOLD_INLINE WVec3 operator+(const WVec3& a, const WVec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
LANEFOLD_INLINE WVec3 operator-(const WVec3& a, const WVec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
LANEFOLD_INLINE WVec3 operator*(const WVec3& a, WFloat s) { return {a.x * s, a.y * s, a.z * s}; }
LANEFOLD_INLINE WVec3 negate(const WVec3& a) { return {negate(a.x), negate(a.y), negate(a.z)}; }
// The order of every dot product of the engine: (x + y) + z.
LANEFOLD_INLINE WFloat dot(const WVec3& a, const WVec3& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
LANEFOLD_INLINE WVec3 cross(const WVec3& a, const WVec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LANEFOLD_INLINE WVec3 select(WMask m, const WVec3& a, const WVec3& b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
