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

class Loops;

// A record or a link before its constraint has a colour.
struct ConstraintEnds {
    std::uint32_t a;
    std::uint32_t b;
    std::uint8_t points;     // 1 to 4; 0: there is no constraint
    std::uint8_t movable_a;  // not 0: the body is movable, and only one constraint of a colour may have it
    std::uint8_t movable_b;

    friend bool operator==(const ConstraintEnds&, const ConstraintEnds&) = default;
};

struct BlockFields {
    std::uint32_t head;
    std::uint32_t each;  // more for every point
};

// Blocks [first, last) can be solved at the same time, `grain` of them by each claim. If `serial`, only one after the
// other, so one claim has all.
struct BlockGroup {
    std::uint32_t first;
    std::uint32_t last;
    std::uint32_t grain;
    bool serial;
};

class ColouredBlocks {
public:
    // Gives each constraint the lowest colour that neither of its moving bodies has yet, in the order given, and lays
    // them out in blocks of `width` lanes; the source of a lane is an index of `constraints`. Constraints with an
    // immovable body have colours of their own and come last, so that no later colour undoes the support of the ground.
    // Constraints that find no colour are solved one by one. Empty lanes name body `no_body`, behind all others.
    // Colours depend on the order of the constraints and on nothing else. A block has `head` fields, and `each` for
    // every point of its constraints. False: the fields of all blocks cannot be numbered by 32 bits; then nothing may
    // be solved. Throws std::bad_alloc.
    bool build(std::span<const ConstraintEnds> constraints, std::uint32_t no_body, std::uint32_t width,
               BlockFields fields, Loops& loops);

    std::span<const BlockGroup> groups() const { return groups_; }
    std::size_t moving_groups() const { return moving_groups_; }  // the first so many have no immovable body
    std::uint32_t blocks() const { return blocks_; }
    std::uint64_t overflow() const { return overflow_; }
    std::uint32_t colours() const { return colours_; }
    std::uint64_t constraints() const { return constraints_; }
    std::uint64_t points() const { return point_count_; }  // sum over all constraints
    ConstraintBlocks view() {
        return {data_.data(), first_.data(), a_.data(), b_.data(), source_.data(), points_.data()};
    }

private:
    // A constraint's place among those of the same colour and number of points.
    struct Place {
        std::uint32_t slot;  // colour and points; kNoSlot: there is no constraint
        std::uint32_t rank;
    };

    void colour(std::span<const ConstraintEnds> constraints, std::span<std::uint32_t> count);
    void lay_out(std::uint32_t width, unsigned tasks, std::span<const std::uint32_t> count);
    void lay_out_group(std::span<const std::uint32_t> blocks_of, unsigned tasks);
    void fill(std::span<const ConstraintEnds> constraints, std::uint32_t no_body, std::uint32_t width, Loops& loops);

    std::vector<std::uint32_t> moving_;   // per body: colours taken by constraints of two moving bodies
    std::vector<std::uint32_t> resting_;  // by constraints with an immovable one
    std::vector<Place> place_;            // per constraint
    std::vector<std::uint32_t> a_, b_, source_;
    std::vector<std::uint32_t> first_;
    std::vector<std::uint8_t> points_;
    std::vector<BlockGroup> groups_;
    std::vector<std::uint32_t> before_;  // per slot: constraints of its group that have more points
    std::vector<std::uint32_t> begin_;   // per group: its first entry of block_of_
    // Group by group, in the order of their constraints: the number of each block.
    std::vector<std::uint32_t> block_of_;
    AlignedBuffer<float> data_;
    std::size_t moving_groups_ = 0;
    std::uint32_t blocks_ = 0;
    std::uint64_t overflow_ = 0;
    std::uint64_t constraints_ = 0;
    std::uint64_t point_count_ = 0;
    std::uint32_t colours_ = 0;
};

}  // namespace lanefold::detail
