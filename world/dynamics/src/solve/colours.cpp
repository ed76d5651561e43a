// SPDX-License-Identifier: MIT
//
// Each constraint in turn takes the lowest colour that neither of its bodies has; then blocks are laid out, colour by
// colour, each in a part for every task.
#include "solve/colours.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <lanefold/detail/block_runs.hpp>

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
// A colour's constraints by their points, those with the most first: a block is filled up with what has fewer, so that
// a small world does not leave most of its lanes empty. That is never more work than blocks of one number each: no more
// of its blocks have so many points. A lane leaves points that it does not have as they are, so its bits are those of
// any other width.
constexpr std::uint32_t kMostPoints = 4;
constexpr std::uint32_t kSlots = kGroups * kMostPoints;
constexpr std::uint32_t kNoSlot = kSlots;
// Constraints that a task claims together: enough work to be worth a claim, few enough to share a colour out.
constexpr std::uint32_t kConstraintsPerClaim = 64;
// Claims that a task finds in a colour at least, where there are as many blocks: its runs of all colours then begin
// near the same bodies.
constexpr std::uint32_t kClaimsPerTask = 8;
// Few, because the kernels change from one number of points to another in each.
constexpr std::uint32_t kSectionsPerTask = 4;

// The lowest colour that is in none of the two sets; kColours: there is none.
std::uint32_t free_colour(std::uint32_t taken) { return static_cast<std::uint32_t>(std::countr_one(taken)); }

bool is_serial(std::uint32_t group) { return group == kMovingOverflow || group == kRestingOverflow; }

}  // namespace

bool ColouredBlocks::build(std::span<const ConstraintEnds> constraints, std::uint32_t no_body, std::uint32_t width,
                           BlockFields fields, Loops& loops) {
    moving_.assign(no_body + std::size_t{1}, 0);
    resting_.assign(no_body + std::size_t{1}, 0);
    std::array<std::uint32_t, kSlots> count{};
    colour(constraints, count);
    lay_out(width, loops.tasks(), count);
    fill(constraints, no_body, width, loops);
    first_.resize(blocks_);
    std::uint64_t used = 0;
    for (std::uint32_t i = 0; i < blocks_; ++i) {
        first_[i] = static_cast<std::uint32_t>(used);
        used += fields.head + fields.each * points_[i];
    }
    if (used > kNoRow) return false;
    data_.reserve_grown(used * width);
    return true;
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

void ColouredBlocks::lay_out(std::uint32_t width, unsigned tasks, std::span<const std::uint32_t> count) {
    groups_.clear();
    begin_.resize(kGroups);
    before_.resize(kSlots);
    block_of_.clear();
    points_.clear();
    moving_groups_ = 0;
    blocks_ = 0;
    colours_ = 0;
    overflow_ = 0;
    for (std::uint32_t g = 0; g < kGroups; ++g) {
        // A constraint without a colour has a block to itself.
        const std::uint32_t lanes = is_serial(g) ? 1 : width;
        std::array<std::uint32_t, kMostPoints> blocks_of{};
        std::uint32_t constraints = 0, total = 0;
        for (std::uint32_t p = kMostPoints; p-- > 0;) {
            before_[g * kMostPoints + p] = constraints;
            constraints += count[g * kMostPoints + p];
            blocks_of[p] = (constraints + lanes - 1) / lanes - total;
            total += blocks_of[p];
        }
        if (total == 0) continue;
        if (is_serial(g)) overflow_ += constraints;
        const std::uint32_t most = std::max(1U, kConstraintsPerClaim / width);
        const std::uint32_t grain = is_serial(g) ? total : std::clamp(total / (kClaimsPerTask * tasks), 1U, most);
        groups_.push_back({blocks_, blocks_ + total, grain, is_serial(g)});
        begin_[g] = static_cast<std::uint32_t>(block_of_.size());
        lay_out_group(blocks_of, tasks);
        if (g < kRestingOverflow) ++moving_groups_;
        if (!is_serial(g)) ++colours_;
    }
}

// Numbers the blocks of the last group, so many for each number of points: section by section, each with its share of
// every number of points and ordered by it. The order of constraints is one of bodies, so a task that has the same
// sections of every colour meets the same bodies again. Were whole colours ordered by points, nearly every second touch
// would find a body in another core's cache. Constraints without a colour are solved in this order, so they are one
// section on any number of tasks.
void ColouredBlocks::lay_out_group(std::span<const std::uint32_t> blocks_of, unsigned tasks) {
    const BlockGroup& group = groups_.back();
    const std::uint32_t total = group.last - group.first;
    std::size_t begin = block_of_.size();
    block_of_.resize(begin + total);
    std::array<std::size_t, kMostPoints> begin_of{};
    for (std::size_t p = kMostPoints; p-- > 0;) {
        begin_of[p] = begin;
        begin += blocks_of[p];
    }
    const std::size_t claims = (total + std::size_t{group.grain} - 1) / group.grain;
    std::array<std::uint64_t, kMostPoints> numbered{}, shared{};
    std::uint32_t taken = 0;
    const std::size_t sections = tasks == 1 || group.serial ? 1 : std::size_t{kSectionsPerTask} * tasks;
    for (std::size_t s = 1; s <= sections; ++s) {
        const std::size_t end = std::min<std::size_t>(total, run_begin(claims, s, sections) * group.grain);
        for (; taken < end; ++taken) {
            // The number of points of whose blocks the smallest share is taken.
            std::size_t next = 0;
            for (std::size_t p = 1; p < kMostPoints; ++p) {
                if ((2 * shared[p] + 1) * blocks_of[next] < (2 * shared[next] + 1) * blocks_of[p]) next = p;
            }
            ++shared[next];
        }
        for (std::size_t p = 0; p < kMostPoints; ++p) {
            for (; numbered[p] < shared[p]; ++numbered[p]) block_of_[begin_of[p] + numbered[p]] = blocks_++;
            points_.resize(blocks_, static_cast<std::uint8_t>(p + 1));
        }
    }
}

void ColouredBlocks::fill(std::span<const ConstraintEnds> constraints, std::uint32_t no_body, std::uint32_t width,
                          Loops& loops) {
    const std::size_t lanes = std::size_t{blocks_} * width;
    a_.assign(lanes, no_body);
    b_.assign(lanes, no_body);
    source_.assign(lanes, kNoRow);
    loops.over(constraints.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const auto [slot, rank] = place_[i];
            if (slot == kNoSlot) continue;
            const std::uint32_t group = slot / kMostPoints, lanes_used = is_serial(group) ? 1 : width;
            const std::uint32_t place = before_[slot] + rank;
            const std::size_t at =
                std::size_t{block_of_[begin_[group] + place / lanes_used]} * width + place % lanes_used;
            a_[at] = constraints[i].a;
            b_[at] = constraints[i].b;
            source_[at] = static_cast<std::uint32_t>(i);
        }
    });
}

}  // namespace lanefold::detail
