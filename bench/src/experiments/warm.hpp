// SPDX-License-Identifier: MIT
//
// `lanefold_bench --warm`: consecutive steps of a scene that moves, by a ContactStream and by cold compact calls.
#pragma once

#include "measure/runner.hpp"
#include "scenes/scene.hpp"

namespace lanefold::bench {

struct WarmPlan {
    int rounds = 5;
    int processor = 0;  // the runs are tied to it
};

// Prints, for windows of steps spread over the frames of the scene: ns a pair of both, which take turns step by step,
// for all pairs, for those that touch and for those that do not; and the shares of pairs that certificates settle.
// Throws if a byte differs.
void print_warm(const Scene& scene, const WarmPlan& plan);

}  // namespace lanefold::bench
