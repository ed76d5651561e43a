// SPDX-License-Identifier: MIT
//
// The state of a world that stays in this process: World::save() without fingerprints and checksums.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lanefold/status.hpp>

#include "state/world_state.hpp"

namespace lanefold::detail {

// Throws std::bad_alloc.
void keep_state(const WorldState& world, std::vector<std::byte>& out);

// Takes the state back. Refused: none was kept, or bodies or links were added since.
CallStatus go_back(WorldState& world, std::span<const std::byte> kept);

}  // namespace lanefold::detail
