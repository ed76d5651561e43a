// SPDX-License-Identifier: MIT
//
// The found manifolds of a step: computed by the narrowphase, or the caller's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/call_inputs.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/status.hpp>
#include <lanefold/workspace.hpp>

#include "solve/loops.hpp"
#include "state/world_state.hpp"
#include "step/seams.hpp"

namespace lanefold::detail {

// The working memory of the narrowphase's call.
class ManifoldFinder {
public:
    // Computes the manifolds of the pairs at the bodies' poses, with margins for dt seconds. Throws std::bad_alloc.
    CallStatus find(WorldState& world, std::span<const Pair> pairs, float dt, Loops& loops);
    // The next find() computes all manifolds: the step is refused, so its motions may never happen.
    static void forget(WorldState& world);
    // The surfaces of the world's fixed bodies, as the last find() knew them.
    const Seams& seams() const { return seams_; }

private:
    CallStatus collide_all(WorldState& world, std::span<const Pair> pairs, Options options, const CallInputs& inputs);
    CallStatus collide_reusing(WorldState& world, std::span<const Pair> pairs, Options options,
                               const CallInputs& inputs);
    std::span<const std::uint8_t> unmoved_in(const WorldState& world, float dt);

    std::vector<float> margin_;          // per pair
    std::vector<std::uint8_t> unmoved_;  // per body
    Workspace workspace_;
    Seams seams_;
};

// Refuses manifolds that a step cannot take: bodies, order, number of points, numbers that are not finite.
CallStatus check_manifolds(std::span<const Manifold4> manifolds, const WorldState& world);
// Leaves out the found manifolds of lost bodies.
void drop_lost(WorldState& world);
// Takes the caller's, without those of lost bodies. Throws std::bad_alloc.
void take_manifolds(WorldState& world, std::span<const Manifold4> manifolds, Loops& loops);

}  // namespace lanefold::detail
