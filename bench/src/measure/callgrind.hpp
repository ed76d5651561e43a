// SPDX-License-Identifier: MIT
//
// Counts instructions, branch misses and cache misses in valgrind's callgrind, where the machine has no counters. The
// program marks what is counted; callgrind writes the counts (bench/count runs it and reads them).
#pragma once

#include <string>
#include <vector>

#include <lanefold/isa.hpp>

#include "peers/engine.hpp"

namespace lanefold::bench {

// Whether this program runs in valgrind. False, too, if it was built without valgrind's header.
bool in_valgrind();

// Each function runs its work once before it counts, so that the simulated caches hold it. A count is named SCENE, KIND
// (engine or stage), NAME and pairs, with tabs between them. Outside valgrind nothing is counted.
void count_engine(Engine& engine, const Scene& scene, const std::vector<Pair>& pairs);

// The stages of the kernels with a clock at every stage: one count for each stage of each chunk. The bodies' frames,
// which a call computes before its first chunk, belong to no stage.
void count_stages(const Scene& scene, Isa isa);

}  // namespace lanefold::bench
