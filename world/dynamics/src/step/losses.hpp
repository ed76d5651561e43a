// SPDX-License-Identifier: MIT
//
// Bodies that a step loses: their motion is no longer finite, or beyond what can be stored. A step that finds some is
// taken back and begins again without those that did it, so that the others keep the bits that they have without them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/loops.hpp"
#include "state/world_state.hpp"
#include "step/constraints.hpp"
#include "step/solver.hpp"

namespace lanefold::detail {

// The losses of one step. All calls that throw throw std::bad_alloc; undo() then makes the world what it was.
class Losses {
public:
    // Keeps what the solver changes before poses, and loses the bodies that cannot take part at all: a caller may
    // restore such a state.
    void begin(WorldState& world, Loops& loops);
    // Whether the solver's stages have left every body sound.
    bool sound(const WorldState& world, Loops& loops) const;
    // After stages that have not: sets velocities and impulses back, and finds the bodies that did it. The manifolds
    // are still those of the step.
    void look_for(WorldState& world, Constraints& constraints, Solver& solver, double dt, Loops& loops);
    // Sets velocities and impulses back to those before the stages.
    void take_back(WorldState& world);
    // Loses the bodies that were found. The step has been taken back.
    void lose_found(WorldState& world);
    // The step is refused: nobody was lost.
    void undo(WorldState& world);
    // The step is done: writes the losses down, and wakes what slept against them. Does not throw. Returns their
    // number.
    std::uint64_t end(WorldState& world);

private:
    void lose(WorldState& world, std::uint32_t body);

    std::vector<std::uint32_t> found_;
    std::vector<std::uint32_t> lost_;   // in this step
    std::vector<std::uint32_t> wakes_;  // bodies that slept against them
    std::uint32_t searches_ = 0;        // of this step
};

}  // namespace lanefold::detail
