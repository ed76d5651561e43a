// SPDX-License-Identifier: MIT
#include "solve/colours.hpp"

#include <algorithm>
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

// The lowest colour that is in none of the two sets; kColours: there is none.
std::uint32_t free_colour(std::uint32_t taken) { return static_cast<std::uint32_t>(std::countr_one(taken)); }

bool is_serial(std::uint32_t group) { return group == kMovingOverflow || group == kRestingOverflow; }

}  // namespace

void ColouredBlocks::build(std::span<const ConstraintEnds> constraints, std::span<const std::uint8_t> movable,
                           std::uint32_t nobody, std::uint32_t width, std::uint32_t fields) {
    moving_.assign(movable.size(), 0);
    resting_.assign(movable.size(), 0);
    group_of_.resize(constraints.size());
    std::array<std::uint32_t, kGroups> count{};
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
        group_of_[i] = static_cast<std::uint8_t>(group);
        ++count[group];
    }
    lay_out(width, count);

    const std::size_t lanes = std::size_t{blocks_} * width;
    a_.assign(lanes, nobody);
    b_.assign(lanes, nobody);
    source_.assign(lanes, kNoRow);
    points_.assign(blocks_, 0);
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const ConstraintEnds& c = constraints[i];
        std::uint32_t& next = begin_[group_of_[i]];
        a_[next] = c.a;
        b_[next] = c.b;
        source_[next] = c.source;
        std::uint8_t& points = points_[next / width];
        points = std::max(points, static_cast<std::uint8_t>(c.points));
        // A constraint without a colour has a block to itself.
        next += is_serial(group_of_[i]) ? width : 1;
    }
    data_.reserve(lanes * fields);
}

void ColouredBlocks::lay_out(std::uint32_t width, std::span<const std::uint32_t> count) {
    groups_.clear();
    begin_.assign(count.size(), 0);
    blocks_ = 0;
    colours_ = 0;
    overflow_ = count[kMovingOverflow] + count[kRestingOverflow];
    for (std::uint32_t g = 0; g < count.size(); ++g) {
        begin_[g] = blocks_ * width;
        if (count[g] == 0) continue;
        const std::uint32_t blocks = is_serial(g) ? count[g] : (count[g] + width - 1) / width;
        groups_.push_back({blocks_, blocks_ + blocks, is_serial(g)});
        blocks_ += blocks;
        if (!is_serial(g)) ++colours_;
    }
}

}  // namespace lanefold::detail
