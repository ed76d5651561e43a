// SPDX-License-Identifier: MIT
//
// `lanefold_bench --scaling`: one batch call from a thousand to ten million pairs, on one thread to all of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/results.hpp"

namespace lanefold::bench {

struct ScalingPlan {
    std::vector<std::string> scenes;  // clouds
    std::vector<std::size_t> pairs{1000, 10000, 100000, 1000000, 10000000};
    unsigned most_threads = 1;
    int rounds = 5;
    double margin = 0;
    std::uint64_t seed = 1;
};

// Adds a scene called NAME-PAIRS and its rows, of subset "scaling" and by the wall clock, for each size. Thread counts
// and forms of output take turns.
void measure_scaling(const ScalingPlan& plan, Results& results);

}  // namespace lanefold::bench
