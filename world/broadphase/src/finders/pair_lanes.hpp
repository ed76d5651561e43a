// SPDX-License-Identifier: MIT
//
// Pairs of bodies: which answers may have changed, and new answers, kDoubles pairs at once (see PairFilter).
#pragma once

#include <cstddef>
#include <cstdint>

#include "boxes/side_rows.hpp"
#include "finders/finder_table.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The sum of the travels of both bodies, of kDoubles pairs.
LANEFOLD_INLINE WDouble sums_of_travels(const PairJob& job, const Pair* pairs) {
    return doubles_of([&](std::uint32_t l)
                          LANEFOLD_INLINE_LAMBDA { return job.travel[pairs[l].a] + job.travel[pairs[l].b]; });
}

// Pairs that are looked at one by one if one of them does not hold for certain.
inline constexpr std::size_t kOpenBlock = 32;
static_assert(kOpenBlock % kDoubles == 0);

LANEFOLD_INLINE bool all_hold(const PairJob& job, std::size_t first) {
    WDouble least = splat_double(kInfinite);
    for (std::size_t k = first; k < first + kOpenBlock; k += kDoubles) {
        const WDouble until = magnitude(load_widened(job.holds_until + k));
        least = smaller(until - sums_of_travels(job, job.pairs + k), least);
    }
    double left[kDoubles];
    store_lanes(least, left);
    bool hold = true;
    for (const double x : left) hold = hold && x > 0;
    return hold;
}

inline std::uint32_t open_pairs(const PairJob& job, std::size_t first, std::size_t last, std::uint32_t* open) {
    std::uint32_t n = 0;
    for (std::size_t block = first; block < last; block += kOpenBlock) {
        const std::size_t end = block + kOpenBlock < last ? block + kOpenBlock : last;
        if (end - block == kOpenBlock && all_hold(job, block)) continue;
        for (std::size_t k = block; k < end; ++k) {
            const Pair p = job.pairs[k];
            const double until = __builtin_fabs(static_cast<double>(job.holds_until[k]));
            open[n] = static_cast<std::uint32_t>(k - first);
            n += job.travel[p.a] + job.travel[p.b] < until ? 0U : 1U;
        }
    }
    return n;
}

// Below `sum` by more than the rounding of sums of two travels. The sign bit tells that the boxes overlap.
LANEFOLD_INLINE WHalfInt kept(WDouble sum, WLong overlap) {
    const WDouble bounded = smaller(sum, splat_double(1e38));
    const WHalf until = __builtin_convertvector(bounded, WHalf);
    const WHalfInt below = reinterpret_cast<WHalfInt>(until) - 1;
    const WHalfInt none{};
    return (below > none ? below : none) | (__builtin_convertvector(overlap, WHalfInt) & INT32_MIN);
}

inline bool compare_pairs(const PairJob& job, std::size_t first, const std::uint32_t* open, std::uint32_t count) {
    std::uint32_t changed = 0;
    for (std::uint32_t at = 0; at < count; at += kDoubles) {
        // The last group takes the last pair more than once.
        std::size_t place[kDoubles];
        Pair group[kDoubles];
        WDouble rows[kDoubles];
        for (std::uint32_t l = 0; l < kDoubles; ++l) {
            place[l] = first + open[at + l < count ? at + l : count - 1];
            group[l] = job.pairs[place[l]];
            rows[l] =
                smallest_part(SideRow::load(job.boxes[group[l].b]) + turned(SideRow::load(job.boxes[group[l].a])));
        }
        // How far the boxes reach into each other along the axis where it is least; negative: they are apart.
        const WDouble least = fold_lanes<Smallest>(rows);
        const WLong overlap = ~(least < 0.0);
        std::int32_t until[kDoubles];
        store_lanes(kept(sums_of_travels(job, group) + magnitude(least), overlap), until);
        for (std::uint32_t l = 0; l < kDoubles; ++l) {
            std::int32_t before;
            __builtin_memcpy(&before, job.holds_until + place[l], sizeof before);
            changed |= static_cast<std::uint32_t>(before ^ until[l]);
            __builtin_memcpy(job.holds_until + place[l], until + l, sizeof before);
        }
    }
    return changed >> 31U != 0;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
