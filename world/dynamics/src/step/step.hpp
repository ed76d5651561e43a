// SPDX-License-Identifier: MIT
//
// A step of a world. Step puts the stages in order and owns their working memory. The finder keeps boxes of the bodies
// from step to step (Bodies::boxed), so a Step serves one WorldState.
#pragma once

#include <span>

#include <lanefold/world.hpp>

#include "islands/islands.hpp"
#include "solve/loops.hpp"
#include "state/world_state.hpp"
#include "step/candidate_pairs.hpp"
#include "step/constraints.hpp"
#include "step/losses.hpp"
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
    CallStatus find_manifolds(WorldState& world, double dt, const std::span<const Pair>* candidates,
                              StepResult& result);
    CallStatus prepare(WorldState& world, double dt, StepResult& result);
    void undo_prepare(WorldState& world);
    bool solve(WorldState& world, double dt, StepResult& result);
    void end(WorldState& world, double dt, StepResult& result);
    template <class Find>
    void whole(WorldState& world, double dt, StepResult& result, const Find& find);

    Loops loops_;
    CandidatePairs candidates_;
    ManifoldFinder manifolds_;
    Islands islands_;
    Constraints constraints_;
    Solver solver_;
    Losses losses_;
    bool woken_ = false;  // by prepare(), sleepers
};

}  // namespace lanefold::detail
