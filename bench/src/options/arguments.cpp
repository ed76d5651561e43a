// SPDX-License-Identifier: MIT
//
// Describes the options to the parser.
#include "options/arguments.hpp"

#include <limits>

#include <CLI/CLI.hpp>

#include "options/numbers.hpp"

namespace lanefold::bench {
namespace {

// A billion pairs take 100 GB as dense records.
constexpr std::uint64_t kMostPairs = 1000000000;
// More threads than any machine has.
constexpr std::uint64_t kMostThreads = 4096;
constexpr std::uint64_t kMostRounds = 1000000;
constexpr std::uint64_t kMostOf32Bits = std::numeric_limits<std::uint32_t>::max();

void describe_experiments(CLI::App& app, Arguments& a) {
    app.add_flag("--selection", a.selection, "Every engine on the quick scenes and the given ones (default)");
    app.add_flag("--list", a.list, "Print scenes, engines and instruction sets, then stop");
    app.add_flag("--no-peers", a.no_peers, "lanefold only");
    app.add_flag("--stages", a.stages, "Also measure the time of each stage of lanefold");
    app.add_flag("--methods", a.methods, "Only this: cost and quality of the contact methods");
    app.add_flag("--cliffs", a.cliffs,
                 "Only this: families of placements (level faces, edges, corners), each against the cloud of its kind");
    CLI::Option* const steady = app.add_flag(
        "--steady", a.steady,
        "Only this: calls and streams with hysteresis beside those without, on stacks and placements that tremble");
    app.add_option("--angles", a.angles, "With --steady: by how many radians bodies tremble")
        ->delimiter(',')
        ->check(number("0 or more", [](double v) { return v >= 0; }))
        ->needs(steady);
    CLI::Option* const round = app.add_flag(
        "--round", a.round,
        "Only this: each kind of pairs of spheres, capsules, rounded hulls, half-spaces and compounds, beside peers");
    app.add_option("--kinds", a.kinds, "With --round: only these kinds, by name")->delimiter(',')->needs(round);
    app.add_flag("--certificates", a.certificates,
                 "Only this: certificates of motion, simulated in float64 over the frames of the scenes (--frames)");
    app.add_flag("--warm", a.warm,
                 "Only this: consecutive steps of the scenes by a ContactStream, in turns with cold calls (--frames)");
    app.add_flag("--moving", a.moving,
                 "Only this: engines with their caches, streams and cold calls on steps of the scenes in which bodies "
                 "fall, hit, settle and rest (--frames)");
    CLI::Option* const scaling = app.add_flag(
        "--scaling", a.scaling,
        "Only this: on 1 to --threads threads, calls of --sizes pairs of the --synthetic clouds, and the consecutive "
        "steps of each --scene (--frames)");
    app.add_option("--sizes", a.sizes, "With --scaling: numbers of pairs")
        ->delimiter(',')
        ->check(whole_number(1, kMostPairs))
        ->needs(scaling);
    app.add_option("--placements", a.placements, "With --cliffs and --steady: only these families, by name")
        ->delimiter(',');
    app.add_option("--sweep", a.sweeps, "vertices, share, or one of them: vertices-64, share-boxes")->delimiter(',');
    CLI::Option* const stream =
        app.add_option("--stream", a.stream_pairs, "Also stream so many pairs through a fixed buffer")
            ->check(whole_number());
    app.add_option("--stream-scenes", a.stream_scenes, "With --stream: of these clouds")->delimiter(',')->needs(stream);
    app.add_option("--count", a.count,
                   "Only this, in callgrind: count instructions and misses; peers on so many pairs (bench/count)")
        ->check(whole_number());
}

void describe_subjects(CLI::App& app, Arguments& a) {
    app.add_option("--adapter", a.adapters, "Shared library with more engines (bench/adapters/adapter.h)")
        ->type_name("FILE");
    app.add_option("--engines", a.engines, "Only these engines, by id")->delimiter(',');
    app.add_option("--isa", a.isas, "Also time lanefold on these instruction sets, or 'all'")->delimiter(',');
    app.add_option("--output", a.outputs, "Also time these: compact, distance, overlap")->delimiter(',');
    app.add_option("--threads", a.threads, "Also time lanefold on 2 to N threads")
        ->check(whole_number(0, kMostThreads));
    app.add_option("--scene", a.scenes, "Scene folder; may be repeated")->type_name("DIR");
    app.add_option("--scenes", a.scene_root, "Folder of scene folders: use all of them")->type_name("DIR");
    app.add_option("--frames", a.frames,
                   "Frames to read of a scene folder, the last ones; more than 1 also times them in turn")
        ->check(whole_number(1));
    app.add_option("--synthetic", a.synthetic, "Scenes without files, by name, or 'none'")->delimiter(',');
    app.add_option("--pairs", a.pairs, "About how many pairs a synthetic scene gets")
        ->check(whole_number(1, kMostPairs));
    app.add_option("--write-pile", a.pile, "Write a pile of rocks of 32 to 42 vertices to this folder, then stop")
        ->type_name("DIR");
    app.add_option("--write-scene", a.everyday, "Write the first frame of an everyday scene to a folder, then stop")
        ->type_name("NAME DIR")
        ->expected(2);
    app.add_option("--bodies", a.bodies, "With --write-pile and --write-scene: about so many bodies")
        ->check(whole_number(1, kMostOf32Bits));
}

void describe_measurement(CLI::App& app, Arguments& a) {
    app.add_option("--oracle", a.oracle_pairs, "Pairs of each scene to compare with the oracle; 0: none")
        ->check(whole_number());
    app.add_option("--rounds", a.rounds, "Rounds of the clock per engine and scene")
        ->check(whole_number(1, kMostRounds));
    app.add_option("--pass", a.pass, "Seconds that one pass may take; slower engines get every k-th pair")
        ->check(number("more than 0", [](double v) { return v > 0; }));
    app.add_option("--turn", a.turn, "Number of this process in a series: another order of the engines")
        ->check(whole_number(0, kMostOf32Bits));
    app.add_option("--slow", a.slow, "To test comparisons: make an engine slower by a share, e.g. lanefold=0.05")
        ->type_name("ENGINE=SHARE");
    app.add_option("--processor", a.processor, "Tie one-thread runs to this processor")
        ->check(whole_number(0, std::numeric_limits<int>::max()));
    app.add_option("--margin", a.margin, "Contacts up to this distance; peers keep their own")
        ->check(number("0 or more", [](double v) { return v >= 0; }));
    app.add_option("--seed", a.seed, "Another seed gives other scenes, samples and orders")->check(whole_number());
    app.add_option("--json", a.json, "Write all results with raw samples")->type_name("FILE");
    app.add_option("--label", a.label, "A name for this run, kept in the JSON");
}

}  // namespace

void describe(CLI::App& app, Arguments& a) {
    describe_experiments(app, a);
    describe_subjects(app, a);
    describe_measurement(app, a);
}

}  // namespace lanefold::bench
