// SPDX-License-Identifier: MIT
//
// Constraints of a step in blocks of lanes: a colour holds constraints of which no two share a body that moves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/aligned_buffer.hpp>

#include "solve/solver_job.hpp"

namespace lanefold::detail {

// One constraint before it has a colour.
struct ConstraintEnds {
    std::uint32_t a;
    std::uint32_t b;
    std::uint32_t source;  // record or link
    std::uint32_t points;  // 1 to 4
};

struct BlockFields {
    std::uint32_t head;
    std::uint32_t each;  // of every point
};

// Blocks [first, last) can be solved at the same time; where `serial`, only one after the other.
struct BlockGroup {
    std::uint32_t first;
    std::uint32_t last;
    bool serial;
};

class ColouredBlocks {
public:
    // Gives each constraint the lowest colour that neither of its moving bodies has yet, in the order given, and lays
    // them out in blocks of `width` lanes. Bodies for which `movable` is 0 take no colour. Constraints with an
    // immovable body have colours of their own and come last: what holds the world up has the last word. What finds no
    // colour is solved one by one. Empty lanes name body `nobody`. Depends on the order of the constraints and on
    // nothing else. A block has `head` fields, and `each` for every point of its constraints.
    void build(std::span<const ConstraintEnds> constraints, std::span<const std::uint8_t> movable, std::uint32_t nobody,
               std::uint32_t width, BlockFields fields);

    std::span<const BlockGroup> groups() const { return groups_; }
    std::size_t moving_groups() const { return moving_groups_; }  // the first so many have no immovable body
    std::uint32_t blocks() const { return blocks_; }
    std::uint64_t overflow() const { return overflow_; }
    std::uint32_t colours() const { return colours_; }
    ConstraintBlocks view() {
        return {data_.data(), first_.data(), a_.data(), b_.data(), source_.data(), points_.data()};
    }

private:
    void lay_out(std::uint32_t width, std::span<const std::uint32_t> count);

    std::vector<std::uint32_t> moving_;   // per body: colours taken by constraints of two moving bodies
    std::vector<std::uint32_t> resting_;  // by constraints with an immovable one
    std::vector<std::uint16_t> slot_of_;  // per constraint: its group and number of points
    std::vector<std::uint32_t> a_, b_, source_;
    std::vector<std::uint32_t> first_;
    std::vector<std::uint8_t> points_;
    std::vector<BlockGroup> groups_;
    std::vector<std::uint32_t> begin_;  // per slot: its first lane, then the next one to fill
    AlignedBuffer<float> data_;
    std::size_t moving_groups_ = 0;
    std::uint32_t blocks_ = 0;
    std::uint64_t overflow_ = 0;
    std::uint32_t colours_ = 0;
};

}  // namespace lanefold::detail
