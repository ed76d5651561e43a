// SPDX-License-Identifier: MIT
//
// The command line of lanefold_bench.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenes/scene.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name is the parser's
class App;
}

namespace lanefold::bench {

struct Arguments {
    bool selection = false;
    bool list = false;
    bool no_peers = false;
    bool stages = false;
    bool methods = false;
    bool cliffs = false;
    bool steady = false;
    bool round = false;
    bool scaling = false;
    bool certificates = false;
    bool warm = false;
    bool moving = false;
    std::vector<std::string> scenes;
    std::vector<std::string> adapters;
    std::string scene_root;
    std::vector<std::string> synthetic;
    std::vector<std::string> placements;
    std::vector<double> angles{1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};  // radians
    std::vector<std::string> kinds;
    std::vector<std::string> engines;
    std::vector<std::string> isas;
    std::vector<std::string> outputs;
    std::vector<std::string> sweeps;
    std::vector<std::string> stream_scenes{"boxes", "debris"};
    std::string slow;      // as given: ENGINE=SHARE
    std::string slowed;    // the engine
    double slowed_by = 0;  // the share
    unsigned threads = 0;
    unsigned turn = 0;
    int rounds = 5;
    double pass = 0.15;
    int processor = -1;
    std::size_t pairs = 12000;
    std::size_t oracle_pairs = 150;
    std::size_t count = 0;
    std::size_t frames = 1;
    std::vector<std::size_t> sizes{1000, 10000, 100000, 1000000, 10000000};
    std::uint64_t stream_pairs = 0;
    std::uint64_t seed = 1;
    double margin = kDefaultMargin;
    std::string json;
    std::string label;
    std::string pile;
    std::vector<std::string> everyday;  // name, folder
    std::uint32_t bodies = 2000;
};

// Adds all options. The parser refuses numbers that are none or out of their range.
void describe(CLI::App& app, Arguments& a);

// Fills in what the command line leaves open: the folders below --scenes, the usual scenes, the processor. Throws
// std::runtime_error, before anything is measured, for names that nothing has and for options that do not go together.
// Engines are known later, to Experiments.
void complete(Arguments& a);

}  // namespace lanefold::bench
