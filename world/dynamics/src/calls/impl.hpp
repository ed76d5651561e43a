// SPDX-License-Identifier: MIT
//
// A World owns its state, its finder and the step that changes it. The calls of World check arguments and set the
// floating-point environment.
#pragma once

#include <memory>

#include <lanefold/world.hpp>

#include "state/world_state.hpp"
#include "step/step.hpp"

namespace lanefold {

struct World::Impl {
    detail::WorldState state;
    detail::CandidatePairs finder;
    std::unique_ptr<detail::Step> own_step;  // made by the first step; a world of a WorldBatch seldom needs one

    // Throws std::bad_alloc.
    detail::Step& step() {
        if (!own_step) own_step = std::make_unique<detail::Step>();
        return *own_step;
    }
};

// The state of a world; after it was moved from, that of a world without anything.
const detail::WorldState& state_of(const std::unique_ptr<World::Impl>& world);
CallStatus moved_from();
CallStatus check_gravity(const Vec3f& gravity);

}  // namespace lanefold
