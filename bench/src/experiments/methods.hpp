// SPDX-License-Identifier: MIT
//
// `lanefold_bench --methods`: cost and quality of the contact methods on the same pairs. Prints the tables of
// docs/methods.md.
#pragma once

#include "measure/runner.hpp"
#include "scenes/scene.hpp"

namespace lanefold::bench {

struct MethodsPlan {
    TimingPlan timing;
    std::size_t oracle_pairs = 150;
    double oracle_seconds = 5;
    int processor = 0;  // the runs are tied to it
};

// Times the methods of the batch calls in turns, and their contact stage separately; then the float64 methods, one call
// at a time. Compares depths with the oracle.
void print_methods(const Scene& scene, const MethodsPlan& plan);

// Flicker and area of each method's manifolds on bodies at rest that tremble (tests/support/trembling.hpp).
void print_steadiness(std::uint64_t seed);

}  // namespace lanefold::bench
