// SPDX-License-Identifier: MIT
//
// Scans over the faces of one hull, lanes = faces: upper bounds of their separations from a point of the other hull
// (search/faces.hpp says what for).
//
// A bound need not be exact, only never too low; so planes and points are in fixed point, 16 bits a number: half the
// memory and half the instructions of float32, and integers, which are the same on every instruction set.
//
// The unit of lengths of a pair is u = |t| + size A + size B, t from centre to centre: what no point of the other hull,
// and no separation, exceeds. With n and w / u in units of 1 / kCoarseOne, d in units of size / kCoarseOne,
// o = -kCoarseOne size / u,
//
//   n . w - d  =  (n_x w_x + n_y w_y + n_z w_z + d o) u / kCoarseOne^2
//
// of which every product is rounded to 15 bits less: the sum is in steps of u 2^15 / kCoarseOne^2. It is at most
// kCoarseOne^2 / 2^15 = 31,250 steps and a few, so it fits 16 bits, as does every part of it.
//
// What is lost, in steps: half of one in each of four products; half a unit in each factor, which is at most
//
//   0.5 kCoarseOne / 2^15 (sum |w_i| / u + sum |n_i| + |d| / size + size / u)
//     <= 0.489 (1.733 (1 - size / u) + 1.733 + 1 + size / u)  <=  2.19
//
// So the separation is at most 4.19 steps above the sum; kStepSlack.
#pragma once

#include "lanes/short.hpp"
#include "pair/support.hpp"
#include "search/scratch.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// A length times the scale of its pair (kCoarseOne / u) times this are steps.
inline constexpr float kStepsPerScaled = kCoarseOne / 32768.0F;
// Above 4.19 by what the rounding of t, sizes and scale can add.
inline constexpr float kStepSlack = 4.4F;
// Below every sum by more than the slack: no separation is as low.
inline constexpr std::int32_t kLowestSum = -32768;

// The coarse planes of a hull.
struct CoarsePlanes {
    const std::int16_t* nx;
    const std::int16_t* ny;
    const std::int16_t* nz;
    const std::int16_t* d;
    std::uint32_t faces;
};

// They lie behind the planes.
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

// o of a hull whose size, scaled, is this, as both halves of 32 bits.
LANEFOLD_INLINE std::int32_t coarse_offset(float scaled_size) {
    const auto o = static_cast<std::int32_t>(-scaled_size - 0.5F);
    return static_cast<std::int32_t>((static_cast<std::uint32_t>(o) & 0xFFFFU) * 0x10001U);
}

LANEFOLD_INLINE WInt coarse_offset(WFloat scaled_size) {
    const WInt o = truncate(scaled_size + splat(0.5F)) * WInt(-1);
    return (o & WInt(0xFFFF)) * WInt(0x10001);
}

// A point of the other hull as both halves of 32 bits, which broadcast from memory for nothing.
struct CoarsePoint {
    WShort x, y, z;
    WShort offset;  // o, the same for all points of a search
};

LANEFOLD_INLINE CoarsePoint coarse_point(const Witness& w, const FaceSearch& s) {
    return {WShort::pairs(w.x), WShort::pairs(w.y), WShort::pairs(w.z), WShort::pairs(s.offset)};
}

// Sums of the faces of one vector, from i on.
LANEFOLD_INLINE WShort coarse_distance(const CoarsePlanes& h, std::uint32_t i, const CoarsePoint& p) {
    return (mul_round(WShort::load(h.nx + i), p.x) + mul_round(WShort::load(h.ny + i), p.y)) +
           (mul_round(WShort::load(h.nz + i), p.z) + mul_round(WShort::load(h.d + i), p.offset));
}

// The bounds of the faces of one vector, from i on, which at(i) also writes.

LANEFOLD_INLINE WShort leave_out(std::uint32_t i, WShort face, WShort b) {
    return select(WShort::iota() + WShort(static_cast<std::int32_t>(i)) == face, WShort(kLowestSum), b);
}

// Of the last vector: faces from `faces` on are none.
LANEFOLD_INLINE WShort cut_off(std::uint32_t i, std::uint32_t faces, WShort b) {
    return select(WShort(static_cast<std::int32_t>(faces - i)) > WShort::iota(), b, WShort(kLowestSum));
}

// From the first witness.
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

// Tightened by another witness, without face `evaluated`.
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

// From two witnesses, without face `evaluated` (-1: with all).
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

// N vectors that fit the registers: compare all of them with the maximum; the lowest set bit is the index.
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
    // No branch: which word it is cannot be predicted.
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

// Writes all bounds; the face with the highest, the first of them on ties.
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
