// SPDX-License-Identifier: MIT
//
// The solver's part of a step: the job that the kernels get, and the order of their stages.
#pragma once

#include <vector>

#include "solve/loops.hpp"
#include "solve/stages.hpp"
#include "state/world_state.hpp"
#include "step/constraints.hpp"

namespace lanefold::detail {

class Solver {
public:
    // Puts the stages of a step in order. Throws std::bad_alloc.
    void plan(const WorldState& world, Constraints& constraints, Isa isa);
    // Runs them: velocities, poses and impulses are then those after dt seconds. Does not allocate.
    void run(WorldState& world, Constraints& constraints, double dt, Loops& loops);

private:
    std::vector<Stage> stages_;
    StageRunner runner_;
};

}  // namespace lanefold::detail
