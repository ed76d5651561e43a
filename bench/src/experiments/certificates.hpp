// SPDX-License-Identifier: MIT
//
// `lanefold_bench --certificates`: a simulation of certificates of motion in float64, by brute force over the moving
// frames of a scene. It says what share of certificates would hold from step to step, and how much work is left for
// those that do. It uses none of lanefold's kernels.
#pragma once

#include "scenes/scene.hpp"

namespace lanefold::bench {

// Prints, for a few steps spread over the frames of the scene: motion, pairs apart (share that their lower bound of the
// distance drops after 1, 4 and 16 steps), touching pairs (for several thresholds: share that holds after 1 and 4
// steps; candidate faces, candidate arcs, combinations). See the source for the conditions. Throws
// if the scene has fewer than two frames.
void print_certificates(const Scene& scene);

}  // namespace lanefold::bench
