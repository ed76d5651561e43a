// SPDX-License-Identifier: MIT
//
// A step of a world. Step puts the stages in order and owns their working memory. The finder keeps boxes of the bodies
// from step to step (Bodies::boxed), so a Step serves one WorldState.
#pragma once

#include <span>

#include <lanefold/detail/stopwatch.hpp>
#include <lanefold/world.hpp>

#include "islands/islands.hpp"
#include "solve/loops.hpp"
#include "state/world_state.hpp"
#include "step/candidate_pairs.hpp"
#include "step/constraints.hpp"
#include "step/manifolds.hpp"
#include "step/solver.hpp"

namespace lanefold::detail {

// All calls expect the default floating-point environment.
class Step {
public:
    // World::step(); `candidates` null: with pairs of its own.
    StepResult run(WorldState& world, double dt, const std::span<const Pair>* candidates);
    // World::advance().
    StepResult advance(WorldState& world, double dt, std::span<const Manifold4> manifolds);
    // World::find_pairs().
    WorldPairs find_pairs(WorldState& world, double dt);

private:
    CallStatus begin(const WorldSettings& settings, double dt, Isa& isa);
    CallStatus find_manifolds(WorldState& world, double dt, const std::span<const Pair>* candidates, Stopwatch& watch,
                              StepResult& result);
    CallStatus prepare(WorldState& world, double dt, StepResult& result);
    void solve(WorldState& world, double dt, StepResult& result);

    Loops loops_;
    CandidatePairs candidates_;
    ManifoldFinder manifolds_;
    Islands islands_;
    Constraints constraints_;
    Solver solver_;
};

}  // namespace lanefold::detail
