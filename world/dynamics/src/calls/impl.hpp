// SPDX-License-Identifier: MIT
//
// A World owns its state and the step that changes it. The calls of World check arguments and set the floating-point
// environment.
#pragma once

#include <lanefold/world.hpp>

#include "state/world_state.hpp"
#include "step/step.hpp"

namespace lanefold {

struct World::Impl {
    detail::WorldState state;
    detail::Step step;
};

// The state of a world; after it was moved from, that of a world without anything.
const detail::WorldState& state_of(const std::unique_ptr<World::Impl>& world);
CallStatus moved_from();

}  // namespace lanefold
