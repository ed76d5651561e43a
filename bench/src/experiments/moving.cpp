// SPDX-License-Identifier: MIT
//
// See moving.hpp.
#include "experiments/moving.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "experiments/experiments.hpp"
#include "experiments/scene_row.hpp"
#include "measure/exact.hpp"
#include "measure/lanefold.hpp"
#include "measure/machine.hpp"
#include "measure/stream.hpp"

namespace lanefold::bench {
namespace {

constexpr std::size_t kWindow = 16;  // steps that are timed
constexpr std::size_t kBefore = 4;   // steps before them
constexpr std::size_t kSteps = kWindow + kBefore;
constexpr float kReuse = 1e-2F;
constexpr double kSlow = 0.15;            // of the fastest mean speed: below it bodies settle
constexpr std::size_t kOracleShare = 50;  // of so many strict distances one is compared with the oracle

// Mean motion of a body in the step to each frame, metres.
std::vector<double> speeds(const std::vector<Frame>& frames) {
    std::vector<double> out(frames.size(), 0);
    for (std::size_t f = 1; f < frames.size(); ++f) {
        double sum = 0;
        for (std::size_t i = 0; i < frames[f].bodies.size(); ++i) {
            double squared = 0;
            for (int k = 0; k < 3; ++k) {
                const double d = static_cast<double>(frames[f].bodies[i].position[k]) -
                                 static_cast<double>(frames[f - 1].bodies[i].position[k]);
                squared += d * d;
            }
            sum += std::sqrt(squared);
        }
        out[f] = sum / static_cast<double>(frames[f].bodies.size());
    }
    return out;
}

struct Stage {
    std::string name;
    std::size_t first = 0;
};

// Finds where the four stages begin: the fastest step is the last one of the fall.
std::vector<Stage> find_stages(const std::vector<Frame>& frames) {
    const std::vector<double> speed = speeds(frames);
    const std::size_t last = frames.size() - kSteps;
    const auto fastest = std::max_element(speed.begin(), speed.end());
    const auto slow = std::find_if(fastest, speed.end(), [&](double s) { return s < kSlow * *fastest; });
    const auto peak = static_cast<std::size_t>(fastest - speed.begin());
    return {{"falling", std::min(last, peak < kSteps ? 0 : peak - kSteps)},
            {"impact", std::min(last, peak)},
            {"settling", std::min(last, static_cast<std::size_t>(slow - speed.begin()))},
            {"settled", last}};
}

// The frames of a stage, each with the pairs of all of them, so that a cache kept per pair finds its pair again.
Scene stage_of(const Scene& scene, const Stage& stage) {
    Scene out = scene;
    out.name = scene.name + "-" + stage.name;
    const auto begin = scene.frames.begin() + static_cast<std::ptrdiff_t>(stage.first);
    out.frames.assign(begin, begin + static_cast<std::ptrdiff_t>(kSteps));
    std::vector<Pair> all;
    for (const Frame& f : out.frames) all.insert(all.end(), f.pairs.begin(), f.pairs.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (Frame& f : out.frames) f.pairs = all;
    return out;
}

EngineList engines_of(const Scene& scene, const MovingPlan& plan) {
    EngineList all;
    LanefoldSettings cold;
    cold.margin = scene.margin;
    cold.output = OutputForm::compact;
    all.push_back(make_lanefold(cold));
    all.push_back(make_stream_engine(scene.margin, 0, 0));
    all.push_back(make_stream_engine(scene.margin, kDefaultHysteresis, 0));
    all.push_back(make_stream_engine(scene.margin, 0, kReuse));
    if (plan.peers) {
        for (auto& peer : make_peers()) all.push_back(std::move(peer));
        for (const std::string& file : plan.adapters) add_adapter(all, file);
    }
    const Config fastest;  // of each engine
    const std::vector<std::string>& usual = fastest.headline;
    std::erase_if(all, [&](const std::unique_ptr<Engine>& e) {
        const EngineInfo info = e->info();
        if (info.id.rfind("lanefold", 0) == 0) return false;
        if (!plan.engines.empty())
            return std::find(plan.engines.begin(), plan.engines.end(), info.id) == plan.engines.end();
        const bool boxes = info.id.find("-box") != std::string::npos;
        return !info.coherent && !boxes && std::find(usual.begin(), usual.end(), info.id) == usual.end();
    });
    return all;
}

// A row for each engine: its samples are passes over the steps of a stage, which all have the same pairs.
std::vector<Timing> time_steps(const std::vector<Engine*>& list, const Scene& stage, const MovingPlan& plan) {
    std::vector<Timing> rows;
    for (const Engine* e : list) {
        Timing& row = rows.emplace_back();
        row.scene = stage.name;
        row.subset = "moving";
        row.engine = e->info().id;
        row.pairs = stage.frames.front().pairs.size();
    }
    take_turns(list.size(), plan.rounds, plan.seed, [&](std::size_t k) {
        Engine& engine = *list[k];
        engine.forget();
        rows[k].add_sample(1, kWindow * rows[k].pairs, Counting::off, [&](benchmark::State& state) {
            pass_steps(
                state, stage.frames.size(), kBefore, [&](std::size_t i) { engine.set_frame(stage.frames[i]); },
                [&](std::size_t i) { engine.collide(stage.frames[i].pairs); });
        });
    });
    return rows;
}

// The engine's contacts of the timed steps. Not timed.
Wrongs count_wrongs(Engine& engine, const Scene& stage, ExactFrames& exact) {
    Wrongs out;
    engine.forget();
    const double reach = engine.info().margin + 2 * kMarginBand;
    for (std::size_t i = 0; i < stage.frames.size(); ++i) {
        const Frame& f = stage.frames[i];
        engine.set_frame(f);
        engine.collide(f.pairs);
        if (i < kBefore) continue;
        exact.set_frame(f, reach);
        exact.count(engine, out);
    }
    return out;
}

void print_row(const EngineInfo& info, const Timing& t, const Wrongs& w) {
    const auto share = [](std::uint64_t part, std::uint64_t all) {
        return all == 0 ? std::string("-")
                        : fmt::format("{:.3f}%", 100 * static_cast<double>(part) / static_cast<double>(all));
    };
    fmt::print("  {:<32} {:>8.1f} {:>8.1f} {:>10} {:>10} {:>10} {:>10}\n", info.title, t.min(), t.median(),
               share(w.missing, w.touching), share(w.extra, w.touching), share(w.wrong_normal, w.overlapping),
               share(w.wrong_depth, w.overlapping));
}

// The engines that take the scene and are not too slow for it.
std::vector<Engine*> ready(const EngineList& all, const Scene& stage, Results& results) {
    std::vector<Engine*> out;
    for (const auto& e : all) {
        const EngineInfo info = e->info();
        if (!e->prepare(stage).empty()) continue;
        e->set_frame(stage.frames.front());
        e->reserve(stage.frames.front().pairs.size());
        const auto same = [&](const EngineInfo& known) { return known.id == info.id; };
        if (std::none_of(results.engines.begin(), results.engines.end(), same)) results.engines.push_back(info);
        out.push_back(e.get());
    }
    return out;
}

}  // namespace

void measure_moving(const Scene& scene, const MovingPlan& plan, Results& results) {
    if (scene.frames.size() < kMovingFrames) {
        throw std::runtime_error(fmt::format("{}: --moving needs {} consecutive frames, this scene has {}", scene.name,
                                             kMovingFrames, scene.frames.size()));
    }
    const PinnedThread pinned(plan.processor);
    const EngineList engines = engines_of(scene, plan);
    for (const Stage& at : find_stages(scene.frames)) {
        const Scene stage = stage_of(scene, at);
        const std::vector<Engine*> list = ready(engines, stage, results);
        std::vector<Timing> rows = time_steps(list, stage, plan);
        ExactFrames exact(stage);
        exact.set_frame(stage.frames.back(), scene.margin);
        const double worst = exact.check(kOracleShare);
        if (!(worst <= kDistanceTolerance)) {
            results.errors.push_back(fmt::format("{}: a strict distance is off by {:.2g} sizes", stage.name, worst));
        }
        results.scenes.push_back(scene_row(stage));
        fmt::print(
            "{}, frames {} to {}, {} pairs: ns a pair, least and median; missing and extra contacts, of those that "
            "there are; wrong normals and depths, of overlapping pairs\n",
            stage.name, at.first + kBefore, at.first + kSteps, stage.frames.front().pairs.size());
        for (std::size_t k = 0; k < list.size(); ++k) {
            const Wrongs w = count_wrongs(*list[k], stage, exact);
            print_row(list[k]->info(), rows[k], w);
            results.wrongs.push_back({stage.name, rows[k].engine, w});
            results.timings.push_back(std::move(rows[k]));
        }
        std::fflush(stdout);
    }
}

}  // namespace lanefold::bench
