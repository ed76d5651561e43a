// SPDX-License-Identifier: MIT
//
// `lanefold_bench --cliffs`: compares the time of the families of scenes/placements.hpp with clouds of the same hulls.
#pragma once

#include <string>
#include <vector>

#include "measure/runner.hpp"

namespace lanefold::bench {

struct CliffsPlan {
    TimingPlan timing;
    std::vector<std::string> names;  // empty: all
    std::size_t pairs = 12000;
    double margin = 0;
    std::uint64_t seed = 1;
    int processor = 0;  // the runs are tied to it
};

// Prints for each family ns a pair, the ratio to the scene of the same kind, and the share of the float64 path. A
// family and that scene take turns.
void print_cliffs(const CliffsPlan& plan);

}  // namespace lanefold::bench
