// SPDX-License-Identifier: MIT
//
// Measures calls of all sizes on all thread counts.
#include "experiments/scaling.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "experiments/scene_row.hpp"
#include "experiments/steps.hpp"
#include "measure/lanefold.hpp"
#include "measure/machine.hpp"
#include "scenes/synthetic.hpp"

namespace lanefold::bench {
namespace {

// Shorter samples are repeated until they last so long, in seconds.
constexpr double kSample = 0.05;

double seconds_of(Engine& engine, const std::vector<Pair>& pairs) {
    const double start = wall_seconds();
    engine.collide(pairs);
    return wall_seconds() - start;
}

// A sample of one configuration. Its engine is made for it, so that one output buffer is in memory at a time.
void add_sample(const Scene& scene, unsigned threads, OutputForm form, Timing& row, Results& results) {
    LanefoldSettings settings;
    settings.threads = threads;
    settings.output = form;
    settings.margin = scene.margin;
    const auto engine = make_lanefold(settings);
    const std::vector<Pair>& pairs = scene.frames.back().pairs;
    engine->prepare(scene);
    engine->set_frame(scene.frames.back());
    engine->reserve(pairs.size());
    seconds_of(*engine, pairs);  // touches the memory
    const int passes = std::max(1, static_cast<int>(kSample / std::max(seconds_of(*engine, pairs), 1e-9)));
    if (row.empty()) {
        row.scene = scene.name;
        row.subset = "scaling";
        row.engine = engine->info().id;
        row.threads = threads;
        row.pairs = pairs.size();
        row.clock = ClockKind::wall;
        results.engines.push_back(engine->info());
    }
    row.add_sample(passes, pairs.size(), Counting::off, [&](benchmark::State&) { engine->collide(pairs); });
}

}  // namespace

void measure_scaling(const ScalingPlan& plan, Results& results) {
    const std::vector<unsigned> threads = thread_counts(plan.most_threads);
    for (const std::string& name : plan.scenes) {
        for (const std::size_t pairs : plan.pairs) {
            Scene scene = make_synthetic(name, plan.seed, pairs, plan.margin);
            scene.name = fmt::format("{}-{}", name, pairs);
            fmt::print(stderr, "  {}: {} pairs\n", scene.name, scene.frames.back().pairs.size());
            results.scenes.push_back(scene_row(scene));
            std::vector<std::pair<unsigned, OutputForm>> cases;
            for (const OutputForm form : {OutputForm::dense, OutputForm::compact}) {
                for (const unsigned t : threads) cases.emplace_back(t, form);
            }
            std::vector<Timing> rows(cases.size());
            for (int round = 0; round < plan.rounds; ++round) {
                for (std::size_t c = 0; c < cases.size(); ++c) {
                    add_sample(scene, cases[c].first, cases[c].second, rows[c], results);
                }
            }
            for (Timing& row : rows) results.timings.push_back(std::move(row));
        }
    }
    // Every size has the same configurations.
    std::sort(results.engines.begin(), results.engines.end(),
              [](const EngineInfo& a, const EngineInfo& b) { return a.id < b.id; });
    const auto same = [](const EngineInfo& a, const EngineInfo& b) { return a.id == b.id; };
    results.engines.erase(std::unique(results.engines.begin(), results.engines.end(), same), results.engines.end());
}

}  // namespace lanefold::bench
