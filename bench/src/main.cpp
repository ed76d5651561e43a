// SPDX-License-Identifier: MIT
//
// lanefold_bench: times lanefold and its peers on the same pairs, in the same process, in turns.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <lanefold/isa.hpp>

#include "experiments/certificates.hpp"
#include "experiments/cliffs.hpp"
#include "experiments/experiments.hpp"
#include "experiments/methods.hpp"
#include "experiments/scaling.hpp"
#include "experiments/warm.hpp"
#include "measure/callgrind.hpp"
#include "scenes/everyday.hpp"
#include "scenes/pile.hpp"
#include "scenes/placements.hpp"
#include "scenes/synthetic.hpp"

namespace {

using namespace lanefold::bench;
namespace fs = std::filesystem;

struct Arguments {
    bool selection = false;
    bool list = false;
    bool no_peers = false;
    bool stages = false;
    bool methods = false;
    bool cliffs = false;
    bool scaling = false;
    bool certificates = false;
    bool warm = false;
    std::vector<std::string> scenes;
    std::vector<std::string> adapters;
    std::string scene_root;
    std::vector<std::string> synthetic;
    std::vector<std::string> placements;
    std::vector<std::string> engines;
    std::vector<std::string> isas;
    std::vector<std::string> outputs;
    std::vector<std::string> sweeps;
    std::vector<std::string> stream_scenes{"boxes", "debris"};
    std::vector<std::string> slowed;
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

void describe(CLI::App& app, Arguments& a) {
    app.add_flag("--selection", a.selection, "Every engine on the quick scenes and the given ones (default)");
    app.add_flag("--list", a.list, "Print scenes, engines and instruction sets, then stop");
    app.add_flag("--no-peers", a.no_peers, "lanefold only");
    app.add_flag("--stages", a.stages, "Also measure the time of each stage of lanefold");
    app.add_flag("--methods", a.methods, "Only this: cost and quality of the contact methods");
    app.add_flag("--cliffs", a.cliffs,
                 "Only this: families of placements (level faces, edges, corners), each against the cloud of its kind");
    app.add_flag("--certificates", a.certificates,
                 "Only this: certificates of motion, simulated in float64 over the frames of the scenes (--frames)");
    app.add_flag("--warm", a.warm,
                 "Only this: consecutive steps of the scenes by a ContactStream, in turns with cold calls (--frames)");
    app.add_flag("--scaling", a.scaling,
                 "Only this: lanefold's calls of --sizes pairs of the --synthetic clouds on 1 to --threads threads");
    app.add_option("--sizes", a.sizes, "With --scaling: numbers of pairs")->delimiter(',');
    app.add_option("--placements", a.placements, "With --cliffs: only these families, by name")->delimiter(',');
    app.add_option("--adapter", a.adapters, "Shared library with more engines (bench/adapters/adapter.h)")
        ->type_name("FILE");
    app.add_option("--scene", a.scenes, "Scene folder; may be repeated")->type_name("DIR");
    app.add_option("--scenes", a.scene_root, "Folder of scene folders: use all of them")->type_name("DIR");
    app.add_option("--synthetic", a.synthetic, "Scenes without files, by name, or 'none'")->delimiter(',');
    app.add_option("--engines", a.engines, "Only these engines, by id")->delimiter(',');
    app.add_option("--isa", a.isas, "Also time lanefold on these instruction sets, or 'all'")->delimiter(',');
    app.add_option("--output", a.outputs, "Also time these: compact, distance, overlap")->delimiter(',');
    app.add_option("--sweep", a.sweeps, "vertices, share, or one of them: vertices-64, share-boxes")->delimiter(',');
    app.add_option("--threads", a.threads, "Also time lanefold on 2 to N threads");
    app.add_option("--stream", a.stream_pairs, "Also stream so many pairs through a fixed buffer");
    app.add_option("--stream-scenes", a.stream_scenes, "With --stream: of these clouds")->delimiter(',');
    app.add_option("--frames", a.frames,
                   "Frames to read of a scene folder, the last ones; more than 1 also times them in turn");
    app.add_option("--pairs", a.pairs, "About how many pairs a synthetic scene gets");
    app.add_option("--oracle", a.oracle_pairs, "Pairs of each scene to compare with the oracle; 0: none");
    app.add_option("--rounds", a.rounds, "Rounds of the clock per engine and scene");
    app.add_option("--pass", a.pass, "Seconds that one pass may take; slower engines get every k-th pair");
    app.add_option("--count", a.count,
                   "Only this, in callgrind: count instructions and misses; peers on so many pairs (bench/count)");
    app.add_option("--turn", a.turn, "Number of this process in a series: another order of the engines");
    app.add_option("--slow", a.slowed, "To test comparisons: make an engine slower by a share, e.g. lanefold=0.05");
    app.add_option("--processor", a.processor, "Tie one-thread runs to this processor");
    app.add_option("--margin", a.margin, "Contacts up to this distance; peers keep their own")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--seed", a.seed, "Another seed gives other scenes, samples and orders");
    app.add_option("--json", a.json, "Write all results with raw samples")->type_name("FILE");
    app.add_option("--write-pile", a.pile, "Write a pile of rocks of 32 to 42 vertices to this folder, then stop")
        ->type_name("DIR");
    app.add_option("--write-scene", a.everyday, "Write the first frame of an everyday scene to a folder, then stop")
        ->type_name("NAME DIR")
        ->expected(2);
    app.add_option("--bodies", a.bodies, "With --write-pile and --write-scene: about so many bodies");
    app.add_option("--label", a.label, "A name for this run, kept in the JSON");
}

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

void complete(Arguments& a) {
    if (a.processor < 0) a.processor = allowed_processors().back();
    if (!a.scene_root.empty()) {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(a.scene_root)) {
            if (fs::exists(entry.path() / "scene.json")) found.push_back(entry.path().string());
        }
        std::sort(found.begin(), found.end());
        a.scenes.insert(a.scenes.end(), found.begin(), found.end());
    }
    if (a.synthetic.empty() && !a.scaling) {
        for (const SyntheticInfo& s : synthetic_scenes()) {
            if (s.quick && a.scenes.empty()) a.synthetic.push_back(s.name);
        }
    }
    if (a.synthetic == std::vector<std::string>{"none"}) a.synthetic.clear();
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

// The part of a name such as vertices-64 behind its kind, or nothing if it is of another kind.
std::optional<std::string> part_of(const std::string& name, const std::string& kind) {
    if (name.rfind(kind + "-", 0) != 0) return std::nullopt;
    return name.substr(kind.size() + 1);
}

std::vector<std::string> sweep_scenes(const Arguments& a) {
    std::vector<std::string> out;
    for (const std::string& sweep : a.sweeps) {
        if (sweep == "vertices") {
            for (const int v : {8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 250}) {
                out.push_back(fmt::format("vertices-{}", v));
            }
        } else if (sweep == "share") {
            out.insert(out.end(), {"share-boxes", "share-debris", "share-rocks42"});
        } else if (part_of(sweep, "vertices") || part_of(sweep, "share")) {
            out.push_back(sweep);
        } else {
            throw std::runtime_error("unknown sweep " + sweep + ": vertices, vertices-N, share or share-NAME");
        }
    }
    return out;
}

TimingPlan timing_plan(const Arguments& a) {
    TimingPlan plan;
    plan.seed = a.seed + 1000003 * a.turn;
    plan.rounds = a.rounds;
    plan.pass_seconds = a.pass;
    for (const std::string& text : a.slowed) {
        const std::size_t at = text.find('=');
        if (at == std::string::npos) throw std::runtime_error("--slow ENGINE=SHARE, e.g. lanefold=0.05: " + text);
        plan.slowed = text.substr(0, at);
        plan.slowed_by = std::stod(text.substr(at + 1));
    }
    return plan;
}

int run_scaling(Results& results, const Arguments& a) {
    ScalingPlan plan;
    if (a.json.empty())
        throw std::runtime_error("--scaling needs --json FILE; ./dev bench --scaling prints the tables");
    if (!a.synthetic.empty()) plan.scenes = a.synthetic;
    plan.pairs = a.sizes;
    plan.most_threads = a.threads != 0 ? a.threads : results.machine.processors;
    plan.rounds = a.rounds;
    plan.margin = a.margin;
    plan.seed = a.seed;
    const OtherWork other_work;
    results.bandwidth = copy_bandwidth(kMemoryCopy);
    measure_scaling(plan, results);
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
    for (const std::string& folder : a.scenes) print_certificates(load_scene(folder, a.margin, a.frames));
    return 0;
}

int run_warm(const Arguments& a) {
    const WarmPlan plan{a.rounds, a.processor};
    for (const std::string& folder : a.scenes) print_warm(load_scene(folder, a.margin, a.frames), plan);
    return 0;
}

int run(const Arguments& a) {
    start_threads();
    if (a.cliffs) return run_cliffs(a);
    if (a.certificates) return run_certificates(a);
    if (a.warm) return run_warm(a);
    if (a.methods) return run_methods(a);
    Results results;
    results.machine = describe_machine();
    results.label = a.label;
    results.seed = a.seed;
    results.turn = a.turn;
    if (a.scaling) return run_scaling(results, a);
    const OtherWork other_work;
    if (a.count == 0) {
        results.bandwidth = copy_bandwidth(kMemoryCopy);
        results.cache_bandwidth = copy_bandwidth(kCacheCopy);
    }
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
    for (const std::string& folder : a.scenes) measure(x, load_scene(folder, a.margin, a.frames), a);
    for (const std::string& name : a.synthetic) measure(x, make_synthetic(name, a.seed, a.pairs, a.margin), a);
    for (const std::string& sweep : sweep_scenes(a)) {
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
    CLI11_PARSE(app, argc, argv);
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
