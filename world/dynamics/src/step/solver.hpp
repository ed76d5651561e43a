// SPDX-License-Identifier: MIT
//
// The solver's part of a step: the job that the kernels get, and the order of their stages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/loops.hpp"
#include "solve/paths.hpp"
#include "solve/stages.hpp"
#include "state/world_state.hpp"
#include "step/constraints.hpp"

namespace lanefold::detail {

// Rows of `moments` for each body, `stride` substeps apart; one counts if its number is that of the run.
struct BodyPaths {
    std::span<const PathRow> rows;
    std::uint32_t moments = 0;
    std::uint32_t stride = 1;
    std::uint32_t substeps = 1;
    std::uint32_t run = 0;
};

class Solver {
public:
    // Puts the stages of a step in order. Throws std::bad_alloc.
    void plan(const WorldState& world, Constraints& constraints, Isa isa);
    // Runs them: velocities and impulses are then those after dt seconds, and turn rows say how bodies have moved.
    // Does not allocate.
    void run(WorldState& world, Constraints& constraints, double dt, Loops& loops);
    // The places of bodies that turned fast in the last run.
    BodyPaths paths() const;
    // Runs them one after the other until one leaves a body unsound, and replaces `found` by the bodies that did it: of
    // a constraint the one that was faster before. If none does, `found` stays. Throws std::bad_alloc.
    void run_until_unsound(WorldState& world, Constraints& constraints, double dt, std::vector<std::uint32_t>& found);

private:
    std::vector<SolverStage> stages_;
    StageRunner runner_;
    std::uint32_t width_ = 1;  // lanes of a block
    SolverJob begin_run(WorldState& world, Constraints& constraints, double dt);

    std::vector<PathRow> path_;
    std::uint32_t moments_ = 0, stride_ = 1, substeps_ = 1, run_ = 0;
};

}  // namespace lanefold::detail
