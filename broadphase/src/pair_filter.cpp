// SPDX-License-Identifier: MIT
//
// See the header. Differences of coordinates and sums of ways are rounded so that an answer never holds too long.
#include "pair_filter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "float_frame.hpp"
#include "tasks.hpp"

namespace lanefold::detail {

namespace {

// Pairs per task.
constexpr std::size_t kPairsPerBlock = 4096;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Bounds of what a non-negative result would be without rounding.
double from_above(double x) { return x * (1 + std::numeric_limits<double>::epsilon()); }
double from_below(double x) { return x * (1 - std::numeric_limits<double>::epsilon()); }

// Whether two boxes overlap, and by how much their sides may move in sum before that changes. The comparisons decide:
// a difference may be that of two infinite sides, which is no number and then counts for nothing. Such a side either
// stays, or its body's way becomes infinite.
struct Answer {
    bool overlap;
    double holds;
};

Answer compare_boxes(const WorldBox& a, const WorldBox& b) {
    const double in[6] = {b.upper.x - a.lower.x, a.upper.x - b.lower.x, b.upper.y - a.lower.y,
                          a.upper.y - b.lower.y, b.upper.z - a.lower.z, a.upper.z - b.lower.z};
    double least = kInfinity;
    for (const double x : in) least = x < least ? x : least;
    const auto not_above = [](double x, double y) { return static_cast<unsigned>(x <= y); };
    const unsigned all = not_above(a.lower.x, b.upper.x) & not_above(b.lower.x, a.upper.x) &
                         not_above(a.lower.y, b.upper.y) & not_above(b.lower.y, a.upper.y) &
                         not_above(a.lower.z, b.upper.z) & not_above(b.lower.z, a.upper.z);
    return {all != 0, std::fabs(least)};
}

// Below `sum` by more than the rounding of sums of two ways; the sign tells the answer.
float kept(double sum, bool overlap) {
    constexpr double kLargest = 1e38;
    const double bounded = sum < kLargest ? sum : kLargest;
    const float until = bounded > 0 ? std::max(step(static_cast<float>(bounded), -1), 0.0F) : 0.0F;
    return overlap ? -until : until;
}

// 1 if the pair overlaps.
std::uint32_t overlaps(float until) { return std::bit_cast<std::uint32_t>(until) >> 31U; }

}  // namespace

void PairFilter::move(std::size_t i, double most) {
    // Without a way a box stays what it was, to the last bit.
    if (most != 0) way_[i] = from_above(way_[i] + most);
}

void PairFilter::leave_room(std::size_t i, double grown) {
    // An infinite way stays: such a body is looked at in every frame.
    room_until_[i] = from_below(way_[i] + from_below(grown));
}

void PairFilter::restart(std::size_t bodies) {
    way_.assign(bodies, 0);
    room_until_.assign(bodies, 0);
}

void PairFilter::merge(std::vector<Pair>& pairs, std::span<const Pair> fresh, std::span<const std::uint8_t> leaves) {
    merged_.resize(pairs.size() + fresh.size());
    merged_until_.resize(merged_.size());
    std::size_t n = 0;
    const auto add = [&](const Pair& p, float until) {
        merged_[n] = p;
        merged_until_[n++] = until;
    };
    auto next = fresh.begin();
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const Pair p = pairs[k];
        if ((leaves[p.a] | leaves[p.b]) != 0) continue;
        while (next != fresh.end() && *next < p) add(*next++, 0);
        add(p, holds_until_[k]);
    }
    while (next != fresh.end()) add(*next++, 0);
    merged_.resize(n);
    merged_until_.resize(n);
    pairs.swap(merged_);
    holds_until_.swap(merged_until_);
}

void PairFilter::open(std::span<const Pair> pairs, std::uint32_t threads, std::span<std::uint8_t> wanted) {
    open_.resize(pairs.size());
    open_count_.assign((pairs.size() + kPairsPerBlock - 1) / kPairsPerBlock, 0);
    for_blocks(pairs.size(), kPairsPerBlock, threads, [&](std::size_t first, std::size_t last, unsigned) {
        std::uint32_t* const open = open_.data() + first;
        std::uint32_t n = 0;
        for (std::size_t k = first; k < last; ++k) {
            const bool holds = way_[pairs[k].a] + way_[pairs[k].b] < static_cast<double>(std::fabs(holds_until_[k]));
            open[n] = static_cast<std::uint32_t>(k - first);
            n += holds ? 0U : 1U;
        }
        open_count_[first / kPairsPerBlock] = n;
        for (std::uint32_t o = 0; o < n; ++o) {
            const Pair p = pairs[first + open[o]];
            // Several tasks may want a body.
            __atomic_store_n(&wanted[p.a], std::uint8_t{1}, __ATOMIC_RELAXED);
            __atomic_store_n(&wanted[p.b], std::uint8_t{1}, __ATOMIC_RELAXED);
        }
    });
}

// Compares the boxes of the open pairs of a block. Returns how many of all its pairs overlap.
std::size_t PairFilter::compare(std::span<const Pair> pairs, std::span<const WorldBox> boxes, std::size_t first,
                                std::size_t last) {
    const std::uint32_t n = open_count_[first / kPairsPerBlock];
    for (std::uint32_t o = 0; o < n; ++o) {
        const std::size_t k = first + open_[first + o];
        const Pair p = pairs[k];
        const Answer answer = compare_boxes(boxes[p.a], boxes[p.b]);
        holds_until_[k] = kept(way_[p.a] + way_[p.b] + answer.holds, answer.overlap);
    }
    std::size_t in = 0;
    for (std::size_t k = first; k < last; ++k) in += overlaps(holds_until_[k]);
    return in;
}

void PairFilter::list(std::span<const Pair> pairs, std::span<const WorldBox> boxes, std::uint32_t threads,
                      std::vector<Pair>& out) {
    count_.assign((pairs.size() + kPairsPerBlock - 1) / kPairsPerBlock + 1, 0);
    for_blocks(pairs.size(), kPairsPerBlock, threads, [&](std::size_t first, std::size_t last, unsigned) {
        count_[first / kPairsPerBlock + 1] = compare(pairs, boxes, first, last);
    });
    for (std::size_t b = 1; b < count_.size(); ++b) count_[b] += count_[b - 1];
    out.resize(count_.back());
    for_blocks(pairs.size(), kPairsPerBlock, threads, [&](std::size_t first, std::size_t, unsigned) {
        // Each pair is written to the next place, which the following one takes if it does not overlap. Past the last
        // that does, nothing is written: the place may be another block's.
        const std::size_t end = count_[first / kPairsPerBlock + 1];
        std::size_t n = count_[first / kPairsPerBlock];
        for (std::size_t k = first; n < end; ++k) {
            out[n] = pairs[k];
            n += overlaps(holds_until_[k]);
        }
    });
}

}  // namespace lanefold::detail
