// SPDX-License-Identifier: MIT
//
// Times engines by Google Benchmark (harness.hpp). They take turns on the same pairs, in a new order in every round, so
// a slow minute of the machine slows all of them down. Each round is a sample of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/harness.hpp"
#include "peers/engine.hpp"

namespace lanefold::bench {

struct TimingPlan {
    ClockKind clock = ClockKind::thread;
    int rounds = 7;
    double round_seconds = 0.02;  // about how long one engine runs in a round, at least one pass over its pairs
    double pass_seconds = 0.15;   // an engine that needs longer for all pairs gets every k-th of them
    std::uint64_t seed = 1;       // of the engines' order in each round
    // A planted slowdown, to test whether a comparison finds it: after each call of this engine the thread works on for
    // this share of the call's time.
    std::string slowed;
    double slowed_by = 0;
};

// Estimates the engine's time for a pair from few pairs.
double seconds_per_pair(Engine& engine, const std::vector<Pair>& pairs, ClockKind clock);

// Every k-th pair, so that at most `limit` are left, in the same order.
std::vector<Pair> thin_out(const std::vector<Pair>& pairs, std::size_t limit);

// All engines must be prepared for the scene and have the frame set. The result has one row per engine, in their
// order; `row` has what their names have in common.
std::vector<Timing> time_engines(const std::vector<Engine*>& engines, const std::vector<Pair>& pairs,
                                 const TimingPlan& plan, const Timing& row);

// Times passes over all frames of a scene in order, with new poses between them, as in a simulation. Caches per pair
// show their effect here. Every frame must have the same pairs.
std::vector<Timing> time_frames(const std::vector<Engine*>& engines, const Scene& scene, const TimingPlan& plan);

// Calls sample() for each of so many rows, round by round, in an order that the seed and the round decide.
void take_turns(std::size_t rows, int rounds, std::uint64_t seed, const std::function<void(std::size_t row)>& sample);

}  // namespace lanefold::bench
