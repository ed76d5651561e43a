// SPDX-License-Identifier: MIT
//
// Scans over the faces of one hull, lanes = faces: upper bounds of the faces' separations from one point of the other
// hull. search/faces.hpp says what they are for.
//
// A bound may be too high but never too low. So planes and points are in fixed point with 16 bits a number. That halves
// the memory and the instructions of float32, and integers are the same on every instruction set.
//
// The unit of length of a pair is u = |t| + size A + size B, where t leads from centre to centre. No point of the other
// hull and no separation exceeds u. With n and w / u in units of 1 / kCoarseOne, d in units of size / kCoarseOne, and o
// = -kCoarseOne size / u,
//
//   n . w - d  =  (n_x w_x + n_y w_y + n_z w_z + d o) u / kCoarseOne^2
//
// Each product is rounded and loses 15 bits, so the sum is in steps of u 2^15 / kCoarseOne^2. It is at most about
// kCoarseOne^2 / 2^15 = 31,250 steps, so it and all partial sums fit 16 bits.
//
// The rounding error in steps: half a step in each of the four products, and from half a unit in each factor at most
//
//   0.5 kCoarseOne / 2^15 (sum |w_i| / u + sum |n_i| + |d| / size + size / u)
//     <= 0.489 (1.733 (1 - size / u) + 1.733 + 1 + size / u)  <=  2.19
//
// So the separation is at most 4.19 steps above the sum (kStepSlack).
#pragma once

#include "lanes/short.hpp"
#include "pair/support.hpp"
#include "search/search_state.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Steps per scaled length; a scaled length is a length times the scale of its pair, kCoarseOne / u.
inline constexpr float kStepsPerScaled = kCoarseOne / 32768.0F;
// In steps: the 4.19 from above and an allowance for the rounding of t, sizes and scale.
inline constexpr float kStepSlack = 4.4F;
// In steps; lower than any sum by more than the slack, so no separation is as low.
inline constexpr std::int32_t kLowestSum = -32768;

// The coarse planes of a hull.
struct CoarsePlanes {
    const std::int16_t* nx;
    const std::int16_t* ny;
    const std::int16_t* nz;
    const std::int16_t* d;
    std::uint32_t faces;
};

// The coarse planes follow the planes in the hull block.
LANEFOLD_INLINE CoarsePlanes searched_coarse_planes(const FaceSearch& s) {
    const std::uint32_t stride = pad32(s.faces);
    CoarsePlanes h;
    h.nx = reinterpret_cast<const std::int16_t*>(s.planes + plane_floats(s.faces));
    h.ny = h.nx + stride;
    h.nz = h.ny + stride;
    h.d = h.nz + stride;
    h.faces = s.faces;
    return h;
}

// o of a hull of this scaled size, in both halves of 32 bits.
LANEFOLD_INLINE std::int32_t coarse_offset(float scaled_size) {
    const auto o = static_cast<std::int32_t>(-scaled_size - 0.5F);
    return static_cast<std::int32_t>((static_cast<std::uint32_t>(o) & 0xFFFFU) * 0x10001U);
}

LANEFOLD_INLINE WInt coarse_offset(WFloat scaled_size) {
    const WInt o = truncate(scaled_size + splat(0.5F)) * WInt(-1);
    return (o & WInt(0xFFFF)) * WInt(0x10001);
}

// A point of the other hull, each coordinate in both halves of 32 bits. A broadcast of 32 bits from memory then fills a
// vector of 16-bit lanes at no cost.
struct CoarsePoint {
    WShort x, y, z;
    WShort offset;  // o, the same for all points of a search
};

LANEFOLD_INLINE CoarsePoint coarse_point(const Witness& w, const FaceSearch& s) {
    return {WShort::pairs(w.x), WShort::pairs(w.y), WShort::pairs(w.z), WShort::pairs(s.offset)};
}

// The sums of the vector of faces that begins at face i.
LANEFOLD_INLINE WShort coarse_distance(const CoarsePlanes& h, std::uint32_t i, const CoarsePoint& p) {
    return (mul_round(WShort::load(h.nx + i), p.x) + mul_round(WShort::load(h.ny + i), p.y)) +
           (mul_round(WShort::load(h.nz + i), p.z) + mul_round(WShort::load(h.d + i), p.offset));
}

LANEFOLD_INLINE WShort leave_out(std::uint32_t i, WShort face, WShort b) {
    return select(WShort::iota() + WShort(static_cast<std::int32_t>(i)) == face, WShort(kLowestSum), b);
}

// In the last vector, lanes from `faces` on hold no face and get the lowest bound.
LANEFOLD_INLINE WShort cut_off(std::uint32_t i, std::uint32_t faces, WShort b) {
    return select(WShort(static_cast<std::int32_t>(faces - i)) > WShort::iota(), b, WShort(kLowestSum));
}

// FirstBounds, NextBounds and TwoBounds compute the bounds of the vector of faces that begins at face i. at(i) stores
// and returns them.

// Bounds from the first witness.
struct FirstBounds {
    const CoarsePlanes& h;
    CoarsePoint w;
    std::int16_t* bound;

    template <bool kLast>
    LANEFOLD_INLINE WShort at(std::uint32_t i) const {
        WShort b = coarse_distance(h, i, w);
        if constexpr (kLast) b = cut_off(i, h.faces, b);
        b.store(bound + i);
        return b;
    }
};

// Bounds tightened by another witness; face `evaluated` is left out.
struct NextBounds {
    const CoarsePlanes& h;
    CoarsePoint w;
    std::int16_t* bound;
    WShort evaluated;

    template <bool kLast>
    LANEFOLD_INLINE WShort at(std::uint32_t i) const {
        const WShort b = leave_out(i, evaluated, min(coarse_distance(h, i, w), WShort::load(bound + i)));
        b.store(bound + i);
        return b;
    }
};

// Bounds from two witnesses; face `evaluated` is left out (-1: none).
struct TwoBounds {
    const CoarsePlanes& h;
    CoarsePoint w;
    CoarsePoint w2;
    std::int16_t* bound;
    WShort evaluated;

    template <bool kLast>
    LANEFOLD_INLINE WShort at(std::uint32_t i) const {
        WShort b = leave_out(i, evaluated, min(coarse_distance(h, i, w), coarse_distance(h, i, w2)));
        if constexpr (kLast) b = cut_off(i, h.faces, b);
        b.store(bound + i);
        return b;
    }
};

struct BestSum {
    std::int32_t value;
    std::uint32_t index;
};

// The maximum of N vectors that fit the registers. Comparing all of them with the maximum gives a mask whose lowest set
// bit is the index.
template <std::uint32_t N>
LANEFOLD_INLINE BestSum reduce_sums(const WShort* v) {
    WShort best = v[0];
    for (std::uint32_t k = 1; k < N; ++k) best = max(v[k], best);
    const std::int32_t value = highest(best);
    const WShort all(value);
    constexpr std::uint32_t kPair = 2 * kShorts;  // lanes of two vectors
    constexpr std::uint32_t kWord = 64 / kPair;   // such pairs to a word
    constexpr std::uint32_t kPairs = (N + 1) / 2;
    constexpr std::uint32_t kWords = (kPairs + kWord - 1) / kWord;
    std::uint64_t ties[kWords] = {};
    for (std::uint32_t k = 0; k < kPairs; ++k) {
        const WShort& second = v[2 * k + 1 < N ? 2 * k + 1 : 0];
        std::uint64_t both = pair_bits(v[2 * k] == all, second == all);
        if (2 * k + 1 == N) both &= (std::uint64_t{1} << kShorts) - 1;
        ties[k / kWord] |= both << (k % kWord * kPair);
    }
    // No branch, because the word cannot be predicted.
    std::uint32_t word = 0;
    std::uint64_t first = ties[0];
    for (std::uint32_t k = 1; k < kWords; ++k) {
        const bool later = first == 0;
        first = later ? ties[k] : first;
        word = later ? 64 * k : word;
    }
    const std::uint32_t index = word + static_cast<std::uint32_t>(__builtin_ctzll(first));
    return {value, index};
}

template <std::uint32_t N, class Bounds>
LANEFOLD_INLINE BestSum unrolled_bounds(const Bounds& bounds) {
    if constexpr (N < kUnrolled) {
        if (bounds.h.faces > N * kShorts) return unrolled_bounds<N + 1>(bounds);
    }
    WShort v[N];
    for (std::uint32_t k = 0; k + 1 < N; ++k) v[k] = bounds.template at<false>(k * kShorts);
    v[N - 1] = bounds.template at<true>((N - 1) * kShorts);
    return reduce_sums<N>(v);
}

// Writes all bounds. Returns the highest and its face, the lowest index on ties.
template <class Bounds>
LANEFOLD_INLINE BestSum highest_bound(const Bounds& bounds) {
    const std::uint32_t faces = bounds.h.faces;
    LANEFOLD_STAGE_LANES(faces, shorts_up(faces));
    if (faces <= kUnrolled * kShorts) return unrolled_bounds<1>(bounds);
    WShort best(kLowestSum);
    WShort block(0);
    const auto take = [&](std::uint32_t i, WShort b) {
        block = select(b > best, WShort(static_cast<std::int32_t>(i)), block);
        best = max(b, best);
    };
    const std::uint32_t last = shorts_up(faces) - kShorts;
    for (std::uint32_t i = 0; i < last; i += kShorts) take(i, bounds.template at<false>(i));
    take(last, bounds.template at<true>(last));
    const std::int32_t value = highest(best);
    alignas(64) std::int16_t blocks[kShorts];
    block.store(blocks);
    std::uint64_t ties = pair_bits(best == WShort(value), no_shorts());
    std::uint32_t index = ~0U;
    for (; ties != 0; ties &= ties - 1) {
        const auto lane = static_cast<std::uint32_t>(__builtin_ctzll(ties));
        const std::uint32_t other = static_cast<std::uint16_t>(blocks[lane]) + lane;
        index = other < index ? other : index;
    }
    return {value, index};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
