// SPDX-License-Identifier: MIT
//
// The time of each stage of a chunk, from kernels that are compiled with a clock at every stage
// (lanefold/detail/stage_clock.hpp), and the number of operations of a pair, counted at width 1.
#pragma once

#include <vector>

#include <lanefold/detail/stage_clock.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/options.hpp>

#include "scenes/scene.hpp"

namespace lanefold::bench {

struct StageTime {
    detail::Stage stage{};
    double ns = 0;     // per candidate pair of the scene
    double lanes = 0;  // share of the lanes that were in use; 0: the stage does not work in lanes
    double flops = 0;  // + - * / sqrt per pair
};

struct StageProfile {
    Isa isa = Isa::scalar;
    unsigned width = 1;
    std::vector<StageTime> stages;  // stages that ran, in the order of the pipeline
    double staged_ns = 0;           // all stages, per pair
    double plain_ns = 0;  // the library's own kernels on the same chunks; the difference is the cost of the marks
    double flops = 0;     // per pair, without the float64 path
};

// Instruction sets that have such kernels in this build and run on this machine.
std::vector<Isa> staged_isas();

// Computes dense manifolds of the last frame's pairs, chunk by chunk, `passes` times. The result is the lower quartile
// of every chunk and stage over the passes.
StageProfile profile_stages(const Scene& scene, Isa isa, int passes, ContactMethod method = ContactMethod::clip);

// Runs these kernels twice over all pairs of the last frame. In the second pass it calls `before_chunk` before each
// chunk and `at_mark` at the end of each of its stages, so that counters leave out what no stage does.
void mark_stages(const Scene& scene, Isa isa, void (*before_chunk)(), void (*at_mark)(detail::Stage));

}  // namespace lanefold::bench
