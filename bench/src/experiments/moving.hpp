// SPDX-License-Identifier: MIT
//
// `lanefold_bench --moving`: engines that keep something from step to step, on consecutive steps of a simulation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/results.hpp"

namespace lanefold::bench {

// Consecutive frames that a scene must have.
inline constexpr std::size_t kMovingFrames = 60;

struct MovingPlan {
    std::vector<std::string> engines;  // ids; empty: each engine's usual settings, its box functions and its caches
    std::vector<std::string> adapters;
    bool peers = true;
    int rounds = 9;
    std::uint64_t seed = 1;
    int processor = 0;  // the runs are tied to it
};

// Takes four stages of a scene: while bodies fall, when they hit, while they settle, and at the end. In each, all
// engines go through the same 16 steps, after four that are not timed, with the same pairs; in turns, each round in
// another order. Adds a row for each stage and engine, its time and how many of its contacts are wrong, and prints
// them. Throws if the scene has too few frames.
void measure_moving(const Scene& scene, const MovingPlan& plan, Results& results);

}  // namespace lanefold::bench
