// SPDX-License-Identifier: MIT
//
// A step of a world. Step puts the stages in order and owns their working memory, which keeps nothing from step to
// step: a Step may serve many worlds, one at a time. Their finders keep boxes of the bodies (Bodies::boxed), so each
// WorldState has CandidatePairs of its own.
#pragma once

#include <span>
#include <vector>

#include <lanefold/world.hpp>

#include "islands/islands.hpp"
#include "solve/loops.hpp"
#include "state/world_state.hpp"
#include "step/candidate_pairs.hpp"
#include "step/constraints.hpp"
#include "step/energy.hpp"
#include "step/losses.hpp"
#include "step/manifolds.hpp"
#include "step/passes.hpp"
#include "step/solver.hpp"

namespace lanefold::detail {

// Refuses durations that a step cannot take.
CallStatus check_duration(double dt);

// All calls expect the default floating-point environment.
class Step {
public:
    // World::step(); `candidates` null: with pairs of its own.
    StepResult run(WorldState& world, CandidatePairs& finder, double dt, const std::span<const Pair>* candidates);
    // World::advance().
    StepResult advance(WorldState& world, double dt, std::span<const Manifold4> manifolds);
    // World::find_pairs().
    WorldPairs find_pairs(WorldState& world, CandidatePairs& finder, double dt);

private:
    CallStatus begin(const WorldSettings& settings, double dt, Isa& isa);
    CallStatus find_manifolds(WorldState& world, CandidatePairs& finder, double dt,
                              const std::span<const Pair>* candidates, bool again, StepResult& result);
    CallStatus prepare(WorldState& world, double dt, StepResult& result);
    void undo_prepare(WorldState& world);
    bool solve(WorldState& world, double dt, StepResult& result);
    CallStatus find_passes(WorldState& world, double dt);
    void end(WorldState& world, double dt, StepResult& result);
    template <class Find>
    void whole(WorldState& world, double dt, StepResult& result, const Find& find);

    Loops loops_;
    ManifoldFinder manifolds_;
    Islands islands_;
    Constraints constraints_;
    Solver solver_;
    Losses losses_;
    Passes passes_;
    EnergyBound energy_;
    std::span<const Pair> pairs_;  // of the step under way
    std::vector<Pair> own_pairs_;  // of a caller's manifolds
    bool woken_ = false;           // by prepare(), sleepers
};

}  // namespace lanefold::detail
