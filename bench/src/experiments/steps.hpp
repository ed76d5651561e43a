// SPDX-License-Identifier: MIT
//
// `lanefold_bench --scaling --scene DIR`: the steps of a simulation on one thread to all of them.
#pragma once

#include <cstddef>
#include <vector>

#include "results/results.hpp"
#include "scenes/scene.hpp"

namespace lanefold::bench {

// Consecutive frames that a scene must have: six before the clock, and one that is timed.
inline constexpr std::size_t kStepFrames = 7;

// 1, 2, 3, 4, 6, 8, 12, ... and `most`.
std::vector<unsigned> thread_counts(unsigned most);

// Goes through the frames of the scene as a simulation does, with each number of threads in turn. Adds rows of subset
// "steps", by the wall clock, in nanoseconds a pair and in means over the timed steps: "search" (a PairFinder that
// keeps its tree), "cold" (a compact call) and "stream" (a ContactStream that matches no points). Throws if the scene
// has fewer frames than that, or if the stream's bytes are not those of the cold call.
void measure_steps(const Scene& scene, unsigned most_threads, int rounds, Results& results);

}  // namespace lanefold::bench
