// SPDX-License-Identifier: MIT
//
// The experiments of the benchmark. Each takes one scene and adds its rows to the results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/lanefold.hpp"
#include "results/results.hpp"

namespace lanefold::bench {

struct Config {
    TimingPlan plan;
    std::uint64_t seed = 1;  // of samples of pairs; the plan has its own, for the order of the engines
    double margin = kDefaultMargin;
    std::vector<std::string> engines;  // ids to run; empty: all
    // The best setting of each engine. Sweeps over many scenes run only these.
    std::vector<std::string> headline{"lanefold", "physx",      "physx-warm",    "box3d", "box3d-warm",
                                      "jolt",     "mujoco",     "mujoco-margin", "parry", "coal",
                                      "bullet",   "libccd-mpr", "fcl-libccd",    "ode"};
    bool peers = true;
    std::vector<std::string> adapters;       // shared libraries with more engines
    std::vector<LanefoldSettings> variants;  // further settings of lanefold, timed on all pairs
    std::size_t oracle_pairs = 200;          // 0: no quality
    double oracle_seconds = 4;
    int processor = 0;  // runs on one thread are tied to it
};

class Experiments {
public:
    // Throws for an engine of the configuration that is not there.
    Experiments(Config config, Results& results);

    // Time (all, touching, separated; in scene order and shuffled) and quality of every engine.
    void engines(const Scene& scene);
    // The best setting of each engine, and lanefold's variants and stages; all pairs only.
    void vertices(const Scene& scene);
    // lanefold's variants: instruction sets, output forms. A setting that has a row already gets no second one.
    void variants(const Scene& scene);
    // Time of lanefold's stages, and number of operations.
    void stages(const Scene& scene);
    // lanefold on 2 .. `most` threads; not tied to processors.
    void threads(const Scene& scene, unsigned most);
    // Engines on mixes of touching and separated pairs, in steps of a quarter.
    void shares(const Scene& scene);
    // All frames in order: caches and flicker.
    void frames(const Scene& scene);
    // Counts every engine and lanefold's stages in callgrind. lanefold, which prepares all bodies in a call, gets all
    // pairs of the last frame, the other engines about `pairs` of them.
    void count(const Scene& scene, std::size_t pairs);
    // `pairs` candidate pairs through a fixed output buffer, batch by batch.
    void stream(const Scene& scene, std::uint64_t pairs, unsigned threads);

private:
    struct Split {
        std::vector<Pair> touching;
        std::vector<Pair> separated;
    };

    bool wanted(const std::string& id) const;
    void note_engine(const EngineInfo& info);
    // The chosen engines of `all` that can take the scene, with its last frame set.
    std::vector<Engine*> ready(const Scene& scene, const EngineList& all, bool headline = false);
    Split split(const Scene& scene);
    // Compares each engine's results with the oracle.
    void judge(const Scene& scene, const std::vector<Engine*>& list);
    void add_scene(const Scene& scene);
    void add_timings(const Scene& scene, const std::vector<Engine*>& list, const std::vector<Pair>& pairs,
                     const std::string& subset, const std::string& order = "scene");

    Config config_;
    Results& results_;
    EngineList engines_;  // lanefold first, then the peers
    EngineList variants_;
};

}  // namespace lanefold::bench
