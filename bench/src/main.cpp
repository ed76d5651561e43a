// SPDX-License-Identifier: MIT
//
// lanefold_bench: times lanefold and its peers on the same pairs, in the same process, in turns.
#include <algorithm>
#include <cstdio>
#include <exception>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <lanefold/isa.hpp>

#include "experiments/certificates.hpp"
#include "experiments/cliffs.hpp"
#include "experiments/experiments.hpp"
#include "experiments/methods.hpp"
#include "experiments/moving.hpp"
#include "experiments/round_rows.hpp"
#include "experiments/scaling.hpp"
#include "experiments/scene_row.hpp"
#include "experiments/steady.hpp"
#include "experiments/steps.hpp"
#include "experiments/warm.hpp"
#include "measure/callgrind.hpp"
#include "options/arguments.hpp"
#include "options/sweeps.hpp"
#include "scenes/everyday.hpp"
#include "scenes/pile.hpp"
#include "scenes/placements.hpp"
#include "scenes/round.hpp"
#include "scenes/stacks.hpp"
#include "scenes/synthetic.hpp"

namespace {

using namespace lanefold::bench;

int print_list(const Arguments& a) {
    fmt::print("synthetic scenes:\n");
    for (const SyntheticInfo& s : synthetic_scenes()) {
        fmt::print("  {:<14}{}{}\n", s.name, s.description, s.quick ? " (selection)" : "");
    }
    fmt::print("  {:<14}{}\n", "vertices-N", "cloud of rocks of exactly N vertices");
    fmt::print("everyday scenes (--write-scene):\n");
    for (const EverydayInfo& e : everyday_scenes()) fmt::print("  {:<24}{}\n", e.name, e.description);
    fmt::print("placements (--cliffs):\n");
    for (const Placement& p : placements()) fmt::print("  {:<24}{}\n", p.name, p.description);
    fmt::print("stacks (--steady, with the placements):\n");
    for (const StackInfo& s : stacks()) fmt::print("  {:<24}{}\n", s.name, s.description);
    fmt::print("kinds (--round):\n");
    for (const RoundKind& k : round_kinds()) fmt::print("  {:<24}{}\n", k.name, k.description);
    fmt::print("engines:\n");
    EngineList peers = make_peers();
    for (const std::string& file : a.adapters) add_adapter(peers, file);
    for (const auto& e : peers) {
        const EngineInfo i = e->info();
        fmt::print("  {:<16}{:<30}{} {}\n", i.id, i.title, i.version, i.settings);
    }
    fmt::print(
        "  {:<16}and lanefold-strict: face preference 0; lanefold-unmoved: bodies marked unmoved; lanefold-warm: "
        "the pair cache of the call before\n",
        "lanefold");
    fmt::print("instruction sets: {}\n", lanefold::available_isa_names());
    return 0;
}

std::vector<LanefoldSettings> variants_of(const Arguments& a) {
    std::vector<LanefoldSettings> out;
    const auto add_isa = [&out](lanefold::Isa isa) {
        LanefoldSettings s;
        s.isa = isa;
        out.push_back(s);
    };
    for (const std::string& name : a.isas) {
        if (name == "all") {
            for (const lanefold::Isa isa : lanefold::available_isas()) add_isa(isa);
            continue;
        }
        const auto isa = lanefold::parse_isa(name);
        if (!isa || !lanefold::is_available(*isa)) {
            throw std::runtime_error(fmt::format("instruction set {} is not available; there are {}", name,
                                                 lanefold::available_isa_names()));
        }
        add_isa(*isa);
    }
    for (const std::string& name : a.outputs) {
        LanefoldSettings s;
        s.output = parse_output_form(name);
        if (s.output != OutputForm::dense) out.push_back(s);
    }
    return out;
}

void progress(const std::string& what) {
    fmt::print(stderr, "  {}\n", what);
    std::fflush(stderr);
}

void measure(Experiments& x, const Scene& scene, const Arguments& a) {
    progress(fmt::format("{}: {} pairs", scene.name, scene.frames.back().pairs.size()));
    x.engines(scene);
    x.variants(scene);
    if (a.stages) x.stages(scene);
    if (scene.frames.size() > 1) x.frames(scene);
    if (a.threads > 1) x.threads(scene, a.threads);
}

int run_methods(const Arguments& a) {
    MethodsPlan plan;
    plan.timing.seed = a.seed;
    plan.timing.rounds = std::max(a.rounds, 9);
    plan.oracle_pairs = a.oracle_pairs;
    plan.processor = a.processor;
    for (const std::string& folder : a.scenes) print_methods(load_scene(folder, a.margin, 1), plan);
    for (const std::string& name : a.synthetic) print_methods(make_synthetic(name, a.seed, a.pairs, a.margin), plan);
    print_steadiness(a.seed);
    return 0;
}

int run_cliffs(const Arguments& a) {
    CliffsPlan plan;
    plan.timing.seed = a.seed;
    plan.timing.rounds = a.rounds;
    plan.names = a.placements;
    plan.pairs = a.pairs;
    plan.margin = a.margin;
    plan.seed = a.seed;
    plan.processor = a.processor;
    print_cliffs(plan);
    return 0;
}

int run_steady(Results& results, const Arguments& a) {
    SteadyPlan plan;
    plan.names = a.placements;
    plan.angles = a.angles;
    plan.rounds = a.rounds;
    plan.pairs = a.pairs;
    plan.margin = a.margin;
    plan.seed = a.seed;
    plan.processor = a.processor;
    const OtherWork other_work;
    results.bandwidth = copy_bandwidth(kMemoryCopy);
    measure_steady(plan, results);
    results.other_work = other_work.share();
    if (!a.json.empty()) write_json(results, a.json);
    return 0;
}

int run_round(const Arguments& a) {
    RoundPlan plan;
    plan.timing.seed = a.seed;
    plan.timing.rounds = a.rounds;
    plan.timing.pass_seconds = a.pass;
    plan.names = a.kinds;
    plan.adapters = a.adapters;
    plan.peers = !a.no_peers;
    plan.pairs = a.pairs;
    plan.oracle_pairs = a.oracle_pairs;
    plan.margin = a.margin;
    plan.seed = a.seed;
    plan.processor = a.processor;
    return print_round(plan) ? 0 : 1;
}

TimingPlan timing_plan(const Arguments& a) {
    TimingPlan plan;
    plan.seed = a.seed + 1000003 * a.turn;
    plan.rounds = a.rounds;
    plan.pass_seconds = a.pass;
    plan.slowed = a.slowed;
    plan.slowed_by = a.slowed_by;
    return plan;
}

int run_scaling(Results& results, const Arguments& a) {
    if (!a.scenes.empty() && a.frames < kStepFrames) {
        throw std::runtime_error(
            fmt::format("--scaling needs {} consecutive frames of a scene: give --frames {} or "
                        "more, not {}",
                        kStepFrames, kStepFrames, a.frames));
    }
    ScalingPlan plan;
    plan.scenes = a.synthetic;
    plan.pairs = a.sizes;
    plan.most_threads = a.threads != 0 ? a.threads : results.machine.processors;
    plan.rounds = a.rounds;
    plan.margin = a.margin;
    plan.seed = a.seed;
    const OtherWork other_work;
    results.bandwidth = copy_bandwidth(kMemoryCopy);
    for (const unsigned t : thread_counts(plan.most_threads)) results.copies.emplace_back(t, copy_bandwidth_of(t));
    measure_scaling(plan, results);
    for (const std::string& folder : a.scenes) {
        const Scene scene = load_scene(folder, a.margin, a.frames);
        results.scenes.push_back(scene_row(scene));
        measure_steps(scene, plan.most_threads, a.rounds, results);
    }
    results.other_work = other_work.share();
    write_json(results, a.json);
    return 0;
}

int run_count(Experiments& x, const Results& results, const Arguments& a) {
    if (!in_valgrind()) throw std::runtime_error("--count works in valgrind only, with its header: use bench/count");
    for (const std::string& folder : a.scenes) x.count(load_scene(folder, a.margin, 1), a.count);
    for (const std::string& name : a.synthetic) x.count(make_synthetic(name, a.seed, a.pairs, a.margin), a.count);
    if (!a.json.empty()) write_json(results, a.json);
    return 0;
}

int run_certificates(const Arguments& a) {
    if (a.frames < 2) throw std::runtime_error("--certificates needs consecutive frames: give --frames 2 or more");
    for (const std::string& folder : a.scenes) print_certificates(load_scene(folder, a.margin, a.frames));
    return 0;
}

int run_warm(const Arguments& a) {
    if (a.frames < kWarmFrames) {
        throw std::runtime_error(fmt::format("--warm needs {} consecutive frames: give --frames {} or more, not {}",
                                             kWarmFrames, kWarmFrames, a.frames));
    }
    const WarmPlan plan{a.rounds, a.processor};
    for (const std::string& folder : a.scenes) print_warm(load_scene(folder, a.margin, a.frames), plan);
    return 0;
}

int run_moving(Results& results, const Arguments& a) {
    if (a.frames < kMovingFrames) {
        throw std::runtime_error(fmt::format("--moving needs {} consecutive frames: give --frames {} or more, not {}",
                                             kMovingFrames, kMovingFrames, a.frames));
    }
    MovingPlan plan;
    plan.engines = a.engines;
    plan.adapters = a.adapters;
    plan.peers = !a.no_peers;
    plan.rounds = a.rounds;
    plan.seed = a.seed + 1000003 * a.turn;
    plan.processor = a.processor;
    const OtherWork other_work;
    results.bandwidth = copy_bandwidth(kMemoryCopy);
    for (const std::string& folder : a.scenes) measure_moving(load_scene(folder, a.margin, a.frames), plan, results);
    results.other_work = other_work.share();
    for (const std::string& error : results.errors) fmt::print(stderr, "{}\n", error);
    if (!a.json.empty()) write_json(results, a.json);
    return results.errors.empty() ? 0 : 1;
}

int run(const Arguments& a) {
    start_threads();
    if (a.cliffs) return run_cliffs(a);
    if (a.round) return run_round(a);
    if (a.certificates) return run_certificates(a);
    if (a.warm) return run_warm(a);
    if (a.methods) return run_methods(a);
    Results results;
    results.machine = describe_machine();
    results.label = a.label;
    results.seed = a.seed;
    results.turn = a.turn;
    if (a.scaling) return run_scaling(results, a);
    if (a.moving) return run_moving(results, a);
    if (a.steady) return run_steady(results, a);
    Config config;
    config.seed = a.seed;
    config.plan = timing_plan(a);
    config.margin = a.margin;
    config.engines = a.engines;
    config.peers = !a.no_peers;
    config.adapters = a.adapters;
    config.variants = variants_of(a);
    config.oracle_pairs = a.oracle_pairs;
    config.oracle_seconds = 5;
    config.processor = a.processor;
    Experiments x(config, results);
    if (a.count != 0) return run_count(x, results, a);
    const OtherWork other_work;
    results.bandwidth = copy_bandwidth(kMemoryCopy);
    results.cache_bandwidth = copy_bandwidth(kCacheCopy);
    for (const std::string& folder : a.scenes) measure(x, load_scene(folder, a.margin, a.frames), a);
    for (const std::string& name : a.synthetic) measure(x, make_synthetic(name, a.seed, a.pairs, a.margin), a);
    for (const std::string& sweep : single_sweeps(a.sweeps)) {
        progress(sweep);
        if (part_of(sweep, "vertices")) {
            x.vertices(make_synthetic(sweep, a.seed, a.pairs / 2, a.margin));
        } else {
            x.shares(make_synthetic(*part_of(sweep, "share"), a.seed, a.pairs, a.margin));
        }
    }
    if (a.stream_pairs != 0) {
        for (const std::string& name : a.stream_scenes) {
            progress("streaming: " + name);
            Scene scene = make_synthetic(name, a.seed, 2000000, a.margin);
            scene.name += "-stream";
            x.stream(scene, a.stream_pairs, 1);
            if (a.threads > 1) x.stream(scene, a.stream_pairs, a.threads);
        }
    }
    results.other_work = other_work.share();
    print_tables(results);
    if (!a.json.empty()) write_json(results, a.json);
    return results.errors.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Times lanefold and its peers on the same pairs and compares both with a float64 oracle."};
    Arguments arguments;
    describe(app, arguments);
    app.failure_message([](const CLI::App*, const CLI::Error& error) {
        return fmt::format("lanefold_bench: {}; see lanefold_bench --help\n", error.what());
    });
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        if (arguments.list) return print_list(arguments);
        if (!arguments.pile.empty()) {
            write_rock_pile(arguments.pile, arguments.bodies, 128, arguments.seed,
                            static_cast<float>(arguments.margin));
            return 0;
        }
        if (!arguments.everyday.empty()) {
            write_everyday(arguments.everyday[0], arguments.everyday[1], arguments.bodies, arguments.seed);
            return 0;
        }
        complete(arguments);
        return run(arguments);
    } catch (const std::exception& e) {
        fmt::print(stderr, "lanefold_bench: {}\n", e.what());
        return 2;
    }
}
