// SPDX-License-Identifier: MIT
//
// Each constraint in turn takes the lowest colour that neither of its bodies has; then blocks are laid out, colour by
// colour and by numbers of points.
#include "solve/colours.hpp"

#include <array>
#include <bit>

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

// The lowest colour that is in none of the two sets; kColours: there is none.
std::uint32_t free_colour(std::uint32_t taken) { return static_cast<std::uint32_t>(std::countr_one(taken)); }

bool is_serial(std::uint32_t group) { return group == kMovingOverflow || group == kRestingOverflow; }

}  // namespace

void ColouredBlocks::build(std::span<const ConstraintEnds> constraints, std::span<const std::uint8_t> movable,
                           std::uint32_t nobody, std::uint32_t width, BlockFields fields) {
    moving_.assign(movable.size(), 0);
    resting_.assign(movable.size(), 0);
    slot_of_.resize(constraints.size());
    std::array<std::uint32_t, std::size_t{kGroups} * kMostPoints> count{};
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const ConstraintEnds& c = constraints[i];
        const bool a = movable[c.a] != 0;
        const bool b = movable[c.b] != 0;
        std::uint32_t group = 0;
        if (a && b) {
            const std::uint32_t colour = free_colour(moving_[c.a] | moving_[c.b]);
            group = colour < kColours ? kMoving + colour : kMovingOverflow;
            if (colour < kColours) {
                moving_[c.a] |= 1U << colour;
                moving_[c.b] |= 1U << colour;
            }
        } else {
            std::uint32_t& taken = resting_[a ? c.a : c.b];
            const std::uint32_t colour = free_colour(taken);
            group = colour < kColours ? kResting + colour : kRestingOverflow;
            if (colour < kColours) taken |= 1U << colour;
        }
        const std::uint32_t slot = group * kMostPoints + (c.points - 1);
        slot_of_[i] = static_cast<std::uint16_t>(slot);
        ++count[slot];
    }
    lay_out(width, count);

    const std::size_t lanes = std::size_t{blocks_} * width;
    a_.assign(lanes, nobody);
    b_.assign(lanes, nobody);
    source_.assign(lanes, kNoRow);
    points_.assign(blocks_, 0);
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const ConstraintEnds& c = constraints[i];
        std::uint32_t& next = begin_[slot_of_[i]];
        a_[next] = c.a;
        b_[next] = c.b;
        source_[next] = c.source;
        points_[next / width] = static_cast<std::uint8_t>(c.points);
        // A constraint without a colour has a block to itself.
        next += is_serial(slot_of_[i] / kMostPoints) ? width : 1;
    }
    first_.resize(blocks_);
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < blocks_; ++i) {
        first_[i] = used;
        used += fields.head + fields.each * points_[i];
    }
    data_.reserve(std::size_t{used} * width);
}

void ColouredBlocks::lay_out(std::uint32_t width, std::span<const std::uint32_t> count) {
    groups_.clear();
    begin_.assign(count.size(), 0);
    moving_groups_ = 0;
    blocks_ = 0;
    colours_ = 0;
    overflow_ = 0;
    for (std::uint32_t g = 0; g < kGroups; ++g) {
        const BlockGroup group{blocks_, blocks_, is_serial(g)};
        for (std::uint32_t p = 0; p < kMostPoints; ++p) {
            const std::uint32_t slot = g * kMostPoints + p;
            begin_[slot] = blocks_ * width;
            blocks_ += group.serial ? count[slot] : (count[slot] + width - 1) / width;
            if (group.serial) overflow_ += count[slot];
        }
        if (blocks_ == group.first) continue;
        groups_.push_back({group.first, blocks_, group.serial});
        if (g < kRestingOverflow) ++moving_groups_;
        if (!group.serial) ++colours_;
    }
}

}  // namespace lanefold::detail
