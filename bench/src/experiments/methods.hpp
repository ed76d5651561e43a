// SPDX-License-Identifier: MIT
//
// `lanefold_bench --methods`: the contact methods side by side on the same pairs, cost beside quality. Prints the
// tables of docs/methods.md.
#pragma once

#include "measure/runner.hpp"
#include "scenes/scene.hpp"

namespace lanefold::bench {

struct MethodsPlan {
    TimingPlan timing;
    std::size_t oracle_pairs = 150;
    double oracle_seconds = 5;
    int processor = 0;  // to which the runs are tied
};

// The methods of the batch calls, timed in turns, with their contact stage alone; then the float64 methods, one call
// at a time. Depth errors and points against the oracle.
void print_methods(const Scene& scene, const MethodsPlan& plan);

// Flicker and area of each method's manifolds on bodies at rest that tremble (tests/support/trembling.hpp).
void print_steadiness(std::uint64_t seed);

}  // namespace lanefold::bench
