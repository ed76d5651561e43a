// SPDX-License-Identifier: MIT
//
// `lanefold_bench --warm`: consecutive steps of a scene that moves, by a ContactStream and by cold compact calls.
#pragma once

#include <cstddef>

#include "measure/runner.hpp"
#include "scenes/scene.hpp"

namespace lanefold::bench {

// Consecutive frames that a scene must have.
inline constexpr std::size_t kWarmFrames = 30;

struct WarmPlan {
    int rounds = 5;
    int processor = 0;  // the runs are tied to it
};

// Prints, for windows of steps spread over the frames of the scene: ns a pair of both, which take turns,
// for all pairs, for those that touch and for those that do not; and the shares of pairs that certificates settle.
// Throws if the scene has fewer frames than that, or if a byte differs.
void print_warm(const Scene& scene, const WarmPlan& plan);

}  // namespace lanefold::bench
