// SPDX-License-Identifier: MIT
//
// The candidate pairs of a step: the pair finder's, or the caller's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/status.hpp>

#include "solve/loops.hpp"
#include "state/world_state.hpp"

namespace lanefold::detail {

class CandidatePairs {
public:
    // Finds all pairs that may touch in a step of dt seconds. They stay valid until the next call.
    CallStatus find(WorldState& world, float dt, Loops& loops);
    // Takes the caller's pairs, which check_candidates() has accepted: ascending, each once, without those that may not
    // touch. Throws std::bad_alloc.
    CallStatus take(const WorldState& world, std::span<const Pair> candidates);
    std::span<const Pair> pairs() const { return pairs_; }
    PairFinder& finder() { return finder_; }

private:
    PairFinder finder_;
    std::span<const Pair> pairs_;
    std::vector<Pair> sorted_;
    // Per body, for the finder.
    std::vector<float> growth_;
    std::vector<Vec3f> sweep_;
    std::vector<std::uint8_t> box_stands_;
};

// Refuses a caller's pairs of bodies that do not exist, or of a body with itself.
CallStatus check_candidates(const WorldState& world, std::span<const Pair> candidates);

}  // namespace lanefold::detail
