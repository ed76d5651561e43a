// SPDX-License-Identifier: MIT
//
// The results of a run, and their two forms: Google Benchmark's JSON with every sample, and tables for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lanefold/options.hpp>

#include "measure/exact.hpp"
#include "measure/machine.hpp"
#include "measure/quality.hpp"
#include "measure/runner.hpp"
#include "measure/stages.hpp"

namespace lanefold::bench {

struct SceneRow {
    std::string name;
    std::string description;
    std::size_t hulls = 0;
    std::size_t bodies = 0;
    std::size_t frames = 0;
    std::size_t pairs = 0;  // of the last frame
    double mean_vertices = 0;
    double mean_faces = 0;
    std::uint32_t max_vertices = 0;
    std::size_t hot_bytes = 0;
    double margin = 0;
    double touching = 0;     // share of the candidates
    double overlapping = 0;  // share
    std::string hash;        // of the manifolds of the last frame
    Counters counters;
    std::uint64_t points = 0;
};

struct QualityRow {
    std::string scene;
    std::string engine;
    Quality quality;
};

struct FlickerRow {
    std::string scene;
    std::string engine;
    Flicker flicker;
};

struct WrongsRow {
    std::string scene;
    std::string engine;
    Wrongs wrongs;
};

struct RefusalRow {
    std::string scene;
    std::string engine;
    std::string why;
};

struct StageRow {
    std::string scene;
    StageProfile profile;
};

struct StreamRow {
    std::string scene;
    std::string output;
    unsigned threads = 1;
    std::uint64_t pairs = 0;
    double ns = 0;                      // per pair
    std::uint64_t resident_before = 0;  // bytes, after the first batch
    std::uint64_t resident_after = 0;   // at the end
};

struct Results {
    Machine machine;
    std::string label;
    std::uint64_t seed = 0;
    unsigned turn = 0;                                // of this process in a series
    double bandwidth = 0;                             // bytes per second, of copy_bandwidth(kMemoryCopy)
    std::vector<std::pair<unsigned, double>> copies;  // threads, bytes per second of copy_bandwidth_of()
    double cache_bandwidth = 0;                       // of copy_bandwidth(kCacheCopy)
    double other_work = 0;                            // see OtherWork: near 0 on a quiet machine
    std::vector<EngineInfo> engines;
    std::vector<SceneRow> scenes;
    std::vector<Timing> timings;
    std::vector<QualityRow> quality;
    std::vector<FlickerRow> flicker;
    std::vector<WrongsRow> wrongs;  // of moving scenes
    std::vector<StageRow> stages;
    std::vector<RefusalRow> refusals;
    std::vector<StreamRow> streams;
    std::vector<std::string> errors;  // differences between lanefold and the oracle; any makes the run fail
};

void write_json(const Results& results, const std::string& file);
void print_tables(const Results& results);

}  // namespace lanefold::bench
