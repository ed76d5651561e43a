// SPDX-License-Identifier: MIT
//
// Times engines. They take turns on the same pairs, in a new order in every round, so a slow minute of the machine
// slows all of them down. Each round's time is kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "peers/engine.hpp"

namespace lanefold::bench {

// The thread's own clock times runs on one thread, so the time of other processes does not count (their effect on the
// caches does). The wall clock times runs on several threads.
enum class ClockKind { thread, wall };

struct TimingPlan {
    ClockKind clock = ClockKind::thread;
    int rounds = 7;
    double round_seconds = 0.02;  // about how long one engine runs in a round, at least one pass over its pairs
    double pass_seconds = 0.15;   // an engine that needs longer for all pairs gets every k-th of them
    std::uint64_t seed = 1;
};

struct Timing {
    std::string engine;
    std::size_t pairs = 0;    // in one pass
    std::vector<double> ns;   // per pair, one entry a round
    std::vector<double> ghz;  // of the core, around each round
    double min() const;
    double median() const;
    double max() const;
    double spread() const;  // half the distance of the quartiles, relative to the median
    double median_ghz() const;
};

// Seconds of the calling thread's own time (or of the wall).
double clock_seconds(ClockKind clock);

// Estimates the engine's time for a pair from few pairs.
double seconds_per_pair(Engine& engine, const std::vector<Pair>& pairs, ClockKind clock);

double median_of(std::vector<double> values);

// Every k-th pair, so that at most `limit` are left, in the same order.
std::vector<Pair> thin_out(const std::vector<Pair>& pairs, std::size_t limit);

// All engines must be prepared for the scene and have the frame set. The result has one entry per engine, in their
// order.
std::vector<Timing> time_engines(const std::vector<Engine*>& engines, const std::vector<Pair>& pairs,
                                 const TimingPlan& plan);

// Times passes over all frames in order, with new poses between them, as in a simulation. Caches per pair show their
// effect here. Every frame must have the same pairs.
std::vector<Timing> time_frames(const std::vector<Engine*>& engines, const std::vector<Frame>& frames,
                                const TimingPlan& plan);

}  // namespace lanefold::bench
