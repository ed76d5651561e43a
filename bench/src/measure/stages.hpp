// SPDX-License-Identifier: MIT
//
// Where the time of a chunk goes, stage by stage, from kernels that were compiled with a clock at every stage
// (lanefold/detail/stage_clock.hpp); and how many operations a pair takes, counted at width 1.
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
    double lanes = 0;  // share of the offered lanes that were in use; 0: the stage does not work in lanes
    double flops = 0;  // + - * / sqrt per pair
};

struct StageProfile {
    Isa isa = Isa::scalar;
    unsigned width = 1;
    std::vector<StageTime> stages;  // those that ran, in the order of the pipeline
    double staged_ns = 0;           // all stages, per pair
    double plain_ns = 0;  // the library's own kernels on the same chunks: what the marks cost is the difference
    double flops = 0;     // per pair; what float64 does (the precise stage) is not counted
};

// Instruction sets that have such kernels in this build and run on this machine.
std::vector<Isa> staged_isas();

// Dense manifolds of the last frame's pairs, chunk by chunk, `passes` times; the lower quartile of every chunk
// and stage over the passes counts.
StageProfile profile_stages(const Scene& scene, Isa isa, int passes, ContactMethod method = ContactMethod::clip);

}  // namespace lanefold::bench
