// SPDX-License-Identifier: MIT
//
// `lanefold_bench --steady`: times calls with hysteresis beside calls without, on scenes that tremble.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "results/results.hpp"

namespace lanefold::bench {

struct SteadyPlan {
    std::vector<std::string> names;  // of trembling_names(); empty: all
    std::vector<double> angles;      // radians
    int rounds = 9;
    std::size_t pairs = 2000;
    double margin = 0;
    std::uint64_t seed = 1;
    int processor = 0;  // the runs are tied to it
};

// Prints for each family and angle the least ns a pair of compact calls and of streams, both without hysteresis and
// with it, the ratios, and how many pairs it looked at. All four take turns, pass by pass. Adds a row of each to the
// results: scene FAMILY@ANGLE, subset trembling. Throws if a call fails or hysteresis changes the number of records.
void measure_steady(const SteadyPlan& plan, Results& results);

}  // namespace lanefold::bench
