// SPDX-License-Identifier: MIT
//
// Islands decide which bodies wake and which fall asleep. An island is all bodies that contacts under load and links
// connect, not across immovable bodies. It falls asleep when all of its bodies have been slow for long enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/aligned_buffer.hpp>

#include "solve/colours.hpp"
#include "solve/loops.hpp"
#include "state/world_state.hpp"

namespace lanefold::detail {

// Wakes all bodies that the last step's manifolds or links connect with the body.
void wake_neighbours(WorldState& world, std::size_t body);

// The working memory of both decisions.
class Islands {
public:
    // Memory for a step with so many bodies and manifolds: when bodies have moved, it must not run out. Throws
    // std::bad_alloc.
    void reserve(std::size_t bodies, std::size_t manifolds);
    // Wakes each sleeping label of which a found manifold says that a body awake touches it, would touch it in this
    // step, or was put where it is. True if there was one: Sleep::undo_wake() can take it back. Throws std::bad_alloc
    // before any body wakes.
    bool wake_touched(WorldState& world, float dt, Loops& loops);
    // Puts the islands to sleep that have been slow for WorldSettings::sleep_time. `ends` are those of the last step's
    // manifolds.
    void fall_asleep(WorldState& world, std::span<const ConstraintEnds> ends, float dt, Loops& loops);

private:
    void find(const WorldState& world, std::span<const ConstraintEnds> ends, Loops& loops);
    void mark_awake(const WorldState& world, std::span<const ConstraintEnds> ends);

    AlignedBuffer<std::uint8_t> loaded_;  // per manifold: it connects its bodies
    std::vector<std::uint32_t> parent_;   // per body: of its island, whose root is the lowest body (disjoint_sets.hpp)
    std::vector<std::uint8_t> marked_;    // per island, at its label: it wakes, or stays awake
};

}  // namespace lanefold::detail
