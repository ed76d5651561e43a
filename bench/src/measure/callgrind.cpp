// SPDX-License-Identifier: MIT
//
// Requests to callgrind: begin to count, and write the counts so far under a name.
#include "measure/callgrind.hpp"

#include "measure/stages.hpp"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define LANEFOLD_HAVE_CALLGRIND 1
#endif

namespace lanefold::bench {

#ifdef LANEFOLD_HAVE_CALLGRIND

namespace {

// The scene of the stages that are being counted: the kernels' marks are plain functions.
std::string scene_of_stages;
std::size_t pairs_of_stages = 0;

void dump(const std::string& scene, const char* kind, const std::string& name, std::size_t pairs) {
    const std::string text = scene + "\t" + kind + "\t" + name + "\t" + std::to_string(pairs);
    CALLGRIND_DUMP_STATS_AT(text.c_str());
}

void forget_counts() { CALLGRIND_ZERO_STATS; }
void dump_stage(detail::Stage stage) { dump(scene_of_stages, "stage", detail::stage_name(stage), pairs_of_stages); }

}  // namespace

bool in_valgrind() { return RUNNING_ON_VALGRIND != 0; }

void count_engine(Engine& engine, const Scene& scene, const std::vector<Pair>& pairs) {
    engine.reserve(pairs.size());
    engine.forget();
    CALLGRIND_START_INSTRUMENTATION;
    engine.collide(pairs);
    CALLGRIND_ZERO_STATS;
    engine.collide(pairs);
    dump(scene.name, "engine", engine.info().id, pairs.size());
    CALLGRIND_STOP_INSTRUMENTATION;
}

void count_stages(const Scene& scene, Isa isa) {
    scene_of_stages = scene.name;
    pairs_of_stages = scene.frames.back().pairs.size();
    CALLGRIND_START_INSTRUMENTATION;
    mark_stages(scene, isa, forget_counts, dump_stage);
    CALLGRIND_STOP_INSTRUMENTATION;
}

#else

bool in_valgrind() { return false; }
void count_engine(Engine& /*engine*/, const Scene& /*scene*/, const std::vector<Pair>& /*pairs*/) {}
void count_stages(const Scene& /*scene*/, Isa /*isa*/) {}

#endif

}  // namespace lanefold::bench
