// SPDX-License-Identifier: MIT
//
// `lanefold_bench --round`: a row for each kind of pairs of rounded bodies (scenes/round.hpp), lanefold beside the
// engines that have them, time and quality.
#pragma once

#include <string>
#include <vector>

#include "measure/runner.hpp"

namespace lanefold::bench {

struct RoundPlan {
    TimingPlan timing;
    std::vector<std::string> names;     // empty: all
    std::vector<std::string> adapters;  // shared libraries with more engines
    bool peers = true;
    std::size_t pairs = 12000;
    std::size_t oracle_pairs = 150;
    double oracle_seconds = 5;
    double margin = 0;
    std::uint64_t seed = 1;
    int processor = 0;  // the runs are tied to it
};

// Prints the table. Returns false if lanefold disagrees with the oracle.
bool print_round(const RoundPlan& plan);

}  // namespace lanefold::bench
