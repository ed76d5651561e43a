// SPDX-License-Identifier: MIT
//
// The pairs whose manifolds may be carried, and the wider margins with which these are made (coherence/carry.hpp).
#pragma once

#include "pair/lane_rows.hpp"
#include "pair/tolerances.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Hulls that are never carried: their numbers in float32 are too coarse.
inline constexpr std::uint8_t kUncarriedFlags = HullRecord::kFar;

// Pairs of hulls that may be carried: those of the sizes of float32, thin ones included, because what is carried are
// points. Beyond the size ratio the rounding of the larger hull's frame would count in sizes of the smaller one. Two
// boxes are computed in the time that it takes to carry them.
LANEFOLD_INLINE WMask carryable(const LaneSize& a, const LaneSize& b) {
    const WFloat large = max(a.size, b.size);
    const WFloat small = min(a.size, b.size);
    return (((a.flags | b.flags) & WInt(std::int32_t{kUncarriedFlags})) == WInt(0)) &
           ((a.flags & b.flags & WInt(std::int32_t{HullRecord::kBox})) == WInt(0)) &
           (large <= splat(kPreciseSizeRatio) * small) & (small >= splat(kSmallestSize)) &
           (large <= splat(kLargestSize));
}

// Adds reuse times the smaller size to the margins of those of kWidth pairs that want it.
template <class Pairs>
LANEFOLD_INLINE void widen_margins(const ChunkJob& job, const Pairs& pairs, const LaneSize& a, const LaneSize& b) {
    alignas(64) float more[kWidth];
    (splat(job.reuse) * min(a.size, b.size)).store(more);
    const std::uint32_t lanes = bits(carryable(a, b));
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const std::uint32_t i = pairs[l];
        const bool wanted = bit_at(lanes, l) & bit_of(job.widened, i);
        job.wide_margins[i] += wanted ? more[l] : 0.0F;
    }
}

// The same for one pair.
LANEFOLD_INLINE void widen_margin(const ChunkJob& job, std::uint32_t i, const PairPlaces& places) {
    PairPlaces same[kWidth];
    for (PairPlaces& p : same) p = places;
    const LaneSize a = LaneSize::load({same, false});
    const LaneSize b = LaneSize::load({same, true});
    if (!bit_at(bits(carryable(a, b)), 0) || !bit_of(job.widened, i)) return;
    alignas(64) float more[kWidth];
    (splat(job.reuse) * min(a.size, b.size)).store(more);
    job.wide_margins[i] += more[0];
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
