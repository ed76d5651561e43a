// SPDX-License-Identifier: MIT
//
// See the header. Differences of coordinates and sums of travels are rounded so that an answer never holds too long.
#include "finders/pair_filter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "boxes/tasks.hpp"

namespace lanefold::detail {

namespace {

// Pairs per task.
constexpr std::size_t kPairsPerBlock = 1024;

// Bounds of what a non-negative result would be without rounding.
double from_above(double x) { return x * (1 + std::numeric_limits<double>::epsilon()); }
double from_below(double x) { return x * (1 - std::numeric_limits<double>::epsilon()); }

// 1 if the pair overlaps.
std::uint32_t overlaps(float until) { return std::bit_cast<std::uint32_t>(until) >> 31U; }

}  // namespace

void PairFilter::move(std::size_t i, double most) {
    // A box without travel stays the same, to the last bit.
    if (most != 0) travel_[i] = from_above(travel_[i] + most);
}

void PairFilter::set_clearance(std::size_t i, double clearance) {
    // An infinite travel stays: such a body is looked at in every frame.
    inside_until_[i] = from_below(travel_[i] + from_below(clearance));
}

void PairFilter::restart(std::size_t bodies) {
    travel_.assign(bodies, 0);
    inside_until_.assign(bodies, 0);
}

// The pairs from `first` on that nobody left, of one block, merged with the new ones that belong between them, into the
// scratch lists from `to` on; how many these are.
std::size_t PairFilter::merge_block(std::span<const Pair> pairs, std::size_t first, std::span<const Pair> fresh,
                                    std::span<const std::uint8_t> leaves, std::size_t to) {
    std::size_t n = to;
    const auto add = [&](const Pair& p, float until) {
        merged_[n] = p;
        merged_until_[n++] = until;
    };
    auto next = fresh.begin();
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const Pair p = pairs[k];
        if ((leaves[p.a] | leaves[p.b]) != 0) continue;
        while (next != fresh.end() && *next < p) add(*next++, 0);
        add(p, holds_until_[first + k]);
    }
    while (next != fresh.end()) add(*next++, 0);
    return n - to;
}

void PairFilter::merge(std::vector<Pair>& pairs, std::span<const Pair> fresh, std::span<const std::uint8_t> leaves,
                       std::uint32_t threads) {
    merged_.resize(pairs.size() + fresh.size());
    merged_until_.resize(merged_.size());
    // New pairs belong to the block before whose next block's first pair they come; all, if there is no block.
    const std::size_t blocks = std::max<std::size_t>(1, (pairs.size() + kPairsPerBlock - 1) / kPairsPerBlock);
    fresh_start_.assign(blocks + 1, fresh.size());
    fresh_start_[0] = 0;
    for (std::size_t b = 1; b < blocks; ++b) {
        const auto at = std::lower_bound(fresh.begin(), fresh.end(), pairs[b * kPairsPerBlock]);
        fresh_start_[b] = static_cast<std::size_t>(at - fresh.begin());
    }
    merged_start_.assign(blocks + 1, 0);
    for_blocks(blocks, 1, threads, [&](std::size_t b, std::size_t) {
        const std::size_t first = b * kPairsPerBlock;
        const std::size_t count = std::min(kPairsPerBlock, pairs.size() - first);
        const std::size_t begin = fresh_start_[b];
        merged_start_[b + 1] = merge_block(std::span<const Pair>(pairs).subspan(first, count), first,
                                           fresh.subspan(begin, fresh_start_[b + 1] - begin), leaves, first + begin);
    });
    for (std::size_t b = 0; b < blocks; ++b) merged_start_[b + 1] += merged_start_[b];
    pairs.resize(merged_start_[blocks]);
    holds_until_.resize(pairs.size());
    for_blocks(blocks, 1, threads, [&](std::size_t b, std::size_t) {
        const std::size_t from = b * kPairsPerBlock + fresh_start_[b];
        const std::size_t to = merged_start_[b];
        const std::size_t count = merged_start_[b + 1] - to;
        std::copy_n(merged_.data() + from, count, pairs.data() + to);
        std::copy_n(merged_until_.data() + from, count, holds_until_.data() + to);
    });
    same_pairs_ = false;
}

void PairFilter::open(const FinderTable& table, std::span<const Pair> pairs, std::uint32_t threads,
                      std::span<std::uint8_t> needed) {
    open_.resize(pairs.size());
    open_count_.assign((pairs.size() + kPairsPerBlock - 1) / kPairsPerBlock, 0);
    for_blocks(pairs.size(), kPairsPerBlock, threads, [&](std::size_t first, std::size_t last) {
        std::uint32_t* const open = open_.data() + first;
        const std::uint32_t n = table.open_pairs(job(pairs, nullptr), first, last, open);
        open_count_[first / kPairsPerBlock] = n;
        for (std::uint32_t o = 0; o < n; ++o) {
            const Pair p = pairs[first + open[o]];
            // Several tasks may want a body.
            __atomic_store_n(&needed[p.a], std::uint8_t{1}, __ATOMIC_RELAXED);
            __atomic_store_n(&needed[p.b], std::uint8_t{1}, __ATOMIC_RELAXED);
        }
    });
}

void PairFilter::list(const FinderTable& table, std::span<const Pair> pairs, std::span<const Sides> boxes,
                      std::uint32_t threads, std::vector<Pair>& out) {
    const std::size_t blocks = (pairs.size() + kPairsPerBlock - 1) / kPairsPerBlock;
    last_start_.swap(start_);
    last_list_.swap(out);
    start_.assign(blocks + 1, 0);
    same_block_.resize(blocks);
    for_blocks(pairs.size(), kPairsPerBlock, threads, [&](std::size_t first, std::size_t last) {
        const std::size_t b = first / kPairsPerBlock;
        const bool changed = table.compare_pairs(job(pairs, boxes.data()), first, open_.data() + first, open_count_[b]);
        same_block_[b] = same_pairs_ && !changed ? 1 : 0;
        if (same_block_[b] != 0) {
            start_[b + 1] = last_start_[b + 1] - last_start_[b];
            return;
        }
        std::size_t in = 0;
        for (std::size_t k = first; k < last; ++k) in += overlaps(holds_until_[k]);
        start_[b + 1] = in;
    });
    for (std::size_t b = 1; b < start_.size(); ++b) start_[b] += start_[b - 1];
    out.resize(start_.back());
    for_blocks(pairs.size(), kPairsPerBlock, threads, [&](std::size_t first, std::size_t) {
        const std::size_t b = first / kPairsPerBlock;
        const std::size_t end = start_[b + 1];
        std::size_t n = start_[b];
        if (same_block_[b] != 0) {
            std::copy_n(last_list_.data() + last_start_[b], end - n, out.data() + n);
            return;
        }
        // Each pair is written to the next place, which the following one takes if it does not overlap. Past the last
        // that does, nothing is written: the place may be another block's.
        for (std::size_t k = first; n < end; ++k) {
            out[n] = pairs[k];
            n += overlaps(holds_until_[k]);
        }
    });
    same_pairs_ = true;
}

}  // namespace lanefold::detail
