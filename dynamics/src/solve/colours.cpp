// SPDX-License-Identifier: MIT
//
// Each constraint in turn takes the lowest colour that neither of its bodies has; then blocks are laid out, colour by
// colour, each in sections that have all numbers of points.
#include "solve/colours.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "solve/loops.hpp"

namespace lanefold::detail {
namespace {

// Colours of each kind; the group behind them is that of the overflow. Bodies in piles have up to about 15 neighbours.
constexpr std::uint32_t kColours = 32;
constexpr std::uint32_t kMovingOverflow = 0;
constexpr std::uint32_t kMoving = 1;
constexpr std::uint32_t kRestingOverflow = kMoving + kColours;
constexpr std::uint32_t kResting = kRestingOverflow + 1;
constexpr std::uint32_t kGroups = kResting + kColours;
// A colour's constraints by their points: a block holds constraints of the same number of points. So it does no more
// than each of its lanes would alone, which is also what makes the bits those of any other width.
constexpr std::uint32_t kMostPoints = 4;
constexpr std::uint32_t kSlots = kGroups * kMostPoints;
constexpr std::uint32_t kNoSlot = kSlots;
// Constraints of a section: few enough that a task's part of a colour begins near where its part of the next one does,
// many enough that the kernels seldom change from one number of points to another.
constexpr std::uint32_t kConstraintsPerSection = 256;

// The lowest colour that is in none of the two sets; kColours: there is none.
std::uint32_t free_colour(std::uint32_t taken) { return static_cast<std::uint32_t>(std::countr_one(taken)); }

bool is_serial(std::uint32_t group) { return group == kMovingOverflow || group == kRestingOverflow; }

}  // namespace

void ColouredBlocks::build(std::span<const ConstraintEnds> constraints, std::uint32_t nobody, std::uint32_t width,
                           BlockFields fields, Loops& loops) {
    moving_.assign(nobody + std::size_t{1}, 0);
    resting_.assign(nobody + std::size_t{1}, 0);
    std::array<std::uint32_t, kSlots> count{};
    colour(constraints, count);
    lay_out(width, count);
    fill(constraints, nobody, width, loops);
    first_.resize(blocks_);
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < blocks_; ++i) {
        first_[i] = used;
        used += fields.head + fields.each * points_[i];
    }
    data_.reserve_grown(std::size_t{used} * width);
}

void ColouredBlocks::colour(std::span<const ConstraintEnds> constraints, std::span<std::uint32_t> count) {
    place_.resize(constraints.size());
    constraints_ = 0;
    point_count_ = 0;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const ConstraintEnds& c = constraints[i];
        if (c.points == 0) {
            place_[i].slot = kNoSlot;
            continue;
        }
        std::uint32_t group = 0;
        if (c.movable_a != 0 && c.movable_b != 0) {
            const std::uint32_t colour = free_colour(moving_[c.a] | moving_[c.b]);
            group = colour < kColours ? kMoving + colour : kMovingOverflow;
            if (colour < kColours) {
                moving_[c.a] |= 1U << colour;
                moving_[c.b] |= 1U << colour;
            }
        } else {
            std::uint32_t& taken = resting_[c.movable_a != 0 ? c.a : c.b];
            const std::uint32_t colour = free_colour(taken);
            group = colour < kColours ? kResting + colour : kRestingOverflow;
            if (colour < kColours) taken |= 1U << colour;
        }
        const std::uint32_t slot = group * kMostPoints + (c.points - 1U);
        place_[i] = {slot, count[slot]++};
        ++constraints_;
        point_count_ += c.points;
    }
}

void ColouredBlocks::lay_out(std::uint32_t width, std::span<const std::uint32_t> count) {
    groups_.clear();
    begin_.resize(kSlots);
    block_of_.clear();
    points_.clear();
    moving_groups_ = 0;
    blocks_ = 0;
    colours_ = 0;
    overflow_ = 0;
    for (std::uint32_t g = 0; g < kGroups; ++g) {
        const std::uint32_t first = blocks_;
        std::array<std::uint32_t, kMostPoints> blocks_of{};
        for (std::uint32_t p = 0; p < kMostPoints; ++p) {
            const std::uint32_t n = count[g * kMostPoints + p];
            // A constraint without a colour has a block to itself.
            blocks_of[p] = is_serial(g) ? n : (n + width - 1) / width;
            if (is_serial(g)) overflow_ += n;
        }
        lay_out_group(blocks_of, g * kMostPoints, width);
        if (blocks_ == first) continue;
        groups_.push_back({first, blocks_, is_serial(g)});
        if (g < kRestingOverflow) ++moving_groups_;
        if (!is_serial(g)) ++colours_;
    }
}

// Numbers the blocks of a colour, so many for each number of points, from `slot` on: section by section, each with its
// share of every number of points. The order of constraints is one of bodies, so what neighbouring blocks touch is
// near; tasks that have neighbouring sections in every colour then meet the same bodies again. Ordered by points alone,
// nearly every second touch would find a body in another core's cache.
void ColouredBlocks::lay_out_group(std::span<const std::uint32_t> blocks_of, std::uint32_t slot, std::uint32_t width) {
    std::uint32_t total = 0;
    for (const std::uint32_t n : blocks_of) total += n;
    const auto base = static_cast<std::uint32_t>(block_of_.size());
    block_of_.resize(base + std::size_t{total});
    std::uint32_t begin = base;
    for (std::uint32_t p = 0; p < kMostPoints; ++p) {
        begin_[slot + p] = begin;
        begin += blocks_of[p];
    }
    const std::uint32_t per_section = std::max(1U, kConstraintsPerSection / width);
    // Those without a colour are solved in this order, so it must not depend on the width.
    const std::uint64_t sections = is_serial(slot / kMostPoints) ? 1 : std::max(1U, total / per_section);
    for (std::uint64_t s = 0; s < sections; ++s) {
        for (std::uint32_t p = 0; p < kMostPoints; ++p) {
            const auto from = static_cast<std::uint32_t>(blocks_of[p] * s / sections);
            const auto to = static_cast<std::uint32_t>(blocks_of[p] * (s + 1) / sections);
            for (std::uint32_t j = from; j < to; ++j) block_of_[begin_[slot + p] + j] = blocks_++;
            points_.resize(blocks_, static_cast<std::uint8_t>(p + 1));
        }
    }
}

void ColouredBlocks::fill(std::span<const ConstraintEnds> constraints, std::uint32_t nobody, std::uint32_t width,
                          Loops& loops) {
    const std::size_t lanes = std::size_t{blocks_} * width;
    a_.assign(lanes, nobody);
    b_.assign(lanes, nobody);
    source_.assign(lanes, kNoRow);
    loops.over(constraints.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const auto [slot, rank] = place_[i];
            if (slot == kNoSlot) continue;
            const std::uint32_t lanes_used = is_serial(slot / kMostPoints) ? 1 : width;
            const std::size_t at = std::size_t{block_of_[begin_[slot] + rank / lanes_used]} * width + rank % lanes_used;
            a_[at] = constraints[i].a;
            b_[at] = constraints[i].b;
            source_[at] = static_cast<std::uint32_t>(i);
        }
    });
}

}  // namespace lanefold::detail
