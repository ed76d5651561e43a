// SPDX-License-Identifier: MIT
//
// How far bodies may approach each other in a step: the margins of pairs and the growth of boxes.
#pragma once

#include <lanefold/body.hpp>

#include "state/world_state.hpp"

namespace lanefold::detail {

// The distance by which gravity alone may bring two bodies together in a step, beyond the half of the margin that
// covers it: 0 unless steps are long.
float fall_in(const WorldSettings& settings, float dt);
// The margin of a pair's manifold.
float margin_of(const WorldState& world, const Pair& pair, float dt);

}  // namespace lanefold::detail
