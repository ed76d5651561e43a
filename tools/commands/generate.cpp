// SPDX-License-Identifier: MIT
//
// `lanefold generate`: options in, a scene folder and a table out.

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <lanefold/isa.hpp>

#include "commands/commands.hpp"
#include "commands/common_options.hpp"
#include "commands/whole_number.hpp"
#include "console/failure.hpp"
#include "console/interrupt.hpp"
#include "console/printable.hpp"
#include "console/table.hpp"
#include "generate/figures.hpp"
#include "generate/presets.hpp"
#include "generate/scene.hpp"
#include "generate/stacks.hpp"
#include "generate/terrain.hpp"

namespace lanefold::tools {
namespace {

struct Arguments {
    GenerateRequest request;
    std::string kind;
    std::string output;
    std::string progress = "auto";
    std::string engine = "lanefold";
    std::string isa = "automatic";
    std::string floor = "box";
    bool rigid = false;
    bool no_pairs = false;
    bool json = false;
    TerrainRequest terrain;
    const CLI::App* command = nullptr;
    const CLI::Option* bodies = nullptr;  // stacks and figures have defaults of their own
};

void print_json(const Arguments& arguments, const GenerateReport& r) {
    const GenerateRequest& q = arguments.request;
    const nlohmann::ordered_json json{{"kind", arguments.kind},
                                      {"scene", printable(arguments.output)},
                                      {"seed", q.seed},
                                      {"engine", to_string(q.engine)},
                                      {"bodies", r.bodies},
                                      {"hulls", r.hulls},
                                      {"bins", r.bins},
                                      {"frames", q.frames},
                                      {"pairs", r.pairs},
                                      {"pairs_last_frame", r.pairs_last_frame},
                                      {"simulated_seconds", r.simulated_seconds},
                                      {"seconds_shapes", r.seconds_shapes},
                                      {"seconds_fall", r.seconds_fall},
                                      {"seconds_write", r.seconds_write},
                                      {"fastest_at_end", r.fastest_at_end},
                                      {"escaped", r.escaped}};
    std::printf("%s\n", json.dump().c_str());
}

void print_table(const Arguments& arguments, const GenerateReport& r) {
    const GenerateRequest& q = arguments.request;
    Table table("scene " + arguments.output);
    table.add({"kind", fmt::format("{}, seed {}", arguments.kind, q.seed)});
    table.add({"simulated by", to_string(q.engine)});
    table.add({"bodies", fmt::format("{} ({} immovable, {} bin{})", with_commas(r.bodies),
                                     with_commas(r.bodies - q.bodies), r.bins, r.bins == 1 ? "" : "s")});
    table.add({"hulls", with_commas(r.hulls)});
    table.add({"frames", fmt::format("{} over {:.1f} simulated seconds", with_commas(q.frames), r.simulated_seconds)});
    if (q.pairs) {
        table.add({"candidate pairs", with_commas(r.pairs)});
        table.add({"  in the last frame", with_commas(r.pairs_last_frame)});
        table.add({"  found for margin", fmt::format("{}", q.margin)});
    }
    table.add({"fastest body at the end", fmt::format("{:.2f} m/s", r.fastest_at_end)});
    if (r.escaped != 0) table.add({"poses outside their bin", with_commas(r.escaped)});
    table.add({"time", fmt::format("{:.1f} s shapes, {:.1f} s fall, {:.1f} s pairs and files", r.seconds_shapes,
                                   r.seconds_fall, r.seconds_write)});
    table.print();
}

// A user would believe that an ignored option had an effect.
void refuse_all_but(const Arguments& arguments, std::initializer_list<std::string_view> taken) {
    for (const CLI::Option* option : arguments.command->get_options()) {
        const std::string name = option->get_name();
        if (option->count() == 0 || !name.starts_with("--")) continue;
        if (std::find(taken.begin(), taken.end(), name) != taken.end()) continue;
        throw bad_input("{}: not with {}, which takes {} alone", name, arguments.kind, fmt::join(taken, ", "));
    }
}

void run_presets(const Arguments& arguments) {
    refuse_all_but(arguments, {"--replace"});
    write_presets(arguments.output, arguments.request.replace);
    Table table("scene " + arguments.output, {"pair", "what it shows"});
    std::uint32_t body = 0;
    for (const Preset& preset : presets()) {
        table.add({fmt::format("{},{}  {}", body, body + 1, preset.name), preset.shows});
        body += 2;
    }
    table.print();
}

void run_stack(const Arguments& arguments, StackKind kind) {
    refuse_all_but(arguments, {"--bodies", "--seed", "--replace", "--json"});
    const GenerateRequest& request = arguments.request;
    const std::uint32_t usual = kind == StackKind::tower ? kTowerBoxes : kPyramidBoxes;
    const std::uint32_t boxes = arguments.bodies->count() != 0 ? request.bodies : usual;
    write_stack(arguments.output, kind, boxes, request.seed, request.replace);
    if (arguments.json) {
        const nlohmann::ordered_json json{{"kind", arguments.kind},
                                          {"scene", printable(arguments.output)},
                                          {"seed", request.seed},
                                          {"bodies", std::uint64_t{boxes} + 1},
                                          {"frames", 1}};
        std::printf("%s\n", json.dump().c_str());
        return;
    }
    Table table("scene " + arguments.output);
    table.add({"kind", arguments.kind});
    table.add({"bodies", fmt::format("{} (1 immovable)", with_commas(std::uint64_t{boxes} + 1))});
    table.add({"frames", "1; lanefold simulate makes more"});
    table.print();
}

void run_figures(const Arguments& arguments, FigureKind kind) {
    const GenerateRequest& q = arguments.request;
    if (arguments.floor != "box" && arguments.floor != "plane")
        throw bad_input("--floor must be box or plane, not '{}'", arguments.floor);
    FiguresRequest request{kind, arguments.output, q.bodies, 1, q.seed, q.replace, arguments.floor == "plane"};
    if (kind == FigureKind::crowd) {
        refuse_all_but(arguments, {"--bodies", "--frames", "--floor", "--seed", "--replace", "--json"});
        request.frames = q.frames;
    } else {
        refuse_all_but(arguments, {"--bodies", "--floor", "--rigid", "--seed", "--replace", "--json"});
        request.rigid = arguments.rigid;
    }
    if (arguments.bodies->count() == 0) {
        request.bodies = kind == FigureKind::crowd ? kWalkers : kFigureBodies;
        if (request.rigid) request.bodies /= kPartsOfAFigure;
    }
    write_figures(request);
    if (arguments.json) {
        const nlohmann::ordered_json json{{"kind", arguments.kind},
                                          {"scene", printable(arguments.output)},
                                          {"seed", request.seed},
                                          {"bodies", std::uint64_t{request.bodies} + 1},
                                          {"frames", request.frames}};
        std::printf("%s\n", json.dump().c_str());
        return;
    }
    Table table("scene " + arguments.output);
    table.add({"kind", fmt::format("{}, seed {}", arguments.kind, request.seed)});
    table.add({"bodies", fmt::format("{} (1 immovable)", with_commas(std::uint64_t{request.bodies} + 1))});
    table.add({"frames", with_commas(request.frames)});
    if (kind == FigureKind::ragdolls && !request.rigid)
        table.add({"links", fmt::format("{} in it, for lanefold simulate --setup", kSetupFile)});
    table.print();
}

void run_terrain(const Arguments& arguments) {
    refuse_all_but(arguments, {"--bodies", "--cells", "--cell", "--seed", "--replace", "--json"});
    TerrainRequest request = arguments.terrain;
    request.folder = arguments.output;
    request.seed = arguments.request.seed;
    request.replace = arguments.request.replace;
    if (arguments.bodies->count() != 0) request.bodies = arguments.request.bodies;
    write_terrain(request);
    const std::uint64_t triangles = 2 * std::uint64_t{request.cells} * request.cells;
    if (arguments.json) {
        const nlohmann::ordered_json json{{"kind", arguments.kind}, {"scene", printable(arguments.output)},
                                          {"seed", request.seed},   {"bodies", std::uint64_t{request.bodies} + 1},
                                          {"triangles", triangles}, {"frames", 1}};
        std::printf("%s\n", json.dump().c_str());
        return;
    }
    Table table("scene " + arguments.output);
    table.add({"kind", fmt::format("{}, seed {}", arguments.kind, request.seed)});
    table.add({"bodies", fmt::format("{} (1 immovable)", with_commas(std::uint64_t{request.bodies} + 1))});
    table.add({"ground", fmt::format("{0} x {0} cells of {1} m, {2} triangles", request.cells, request.cell,
                                     with_commas(triangles))});
    table.add({"frames", "1; lanefold simulate makes more"});
    table.print();
}

void run(Arguments& arguments) {
    GenerateRequest& request = arguments.request;
    request.folder = arguments.output;
    if (const std::optional<StackKind> stack = parse_stack_kind(arguments.kind)) {
        run_stack(arguments, *stack);
        return;
    }
    if (const std::optional<FigureKind> figures = parse_figure_kind(arguments.kind)) {
        run_figures(arguments, *figures);
        return;
    }
    if (arguments.kind == "terrain") {
        run_terrain(arguments);
        return;
    }
    if (arguments.kind == "presets") {
        run_presets(arguments);
        return;
    }
    if (arguments.rigid) throw bad_input("--rigid: not with {}; ragdolls take it", arguments.kind);
    if (arguments.command->count("--floor") != 0)
        throw bad_input("--floor: not with {}; crowd and ragdolls take it", arguments.kind);
    for (const char* const option : {"--cells", "--cell"}) {
        if (arguments.command->count(option) != 0)
            throw bad_input("{}: not with {}; terrain takes it", option, arguments.kind);
    }
    request.pairs = !arguments.no_pairs;
    request.progress = read_progress_mode(arguments.progress);
    const std::optional<ShapeKind> kind = parse_shape_kind(arguments.kind);
    if (!kind)
        throw bad_input(
            "'{}': no such kind; boxes, debris, rocks, big, mixed, gravel, tower, pyramid, crowd, ragdolls, terrain or "
            "presets",
            arguments.kind);
    request.kind = *kind;
    const std::optional<FallEngine> engine = parse_fall_engine(arguments.engine);
    if (!engine) throw bad_input("--engine must be lanefold or bullet, not '{}'", arguments.engine);
    request.engine = *engine;
    request.isa = read_isa(arguments.isa);
    const Interrupt interrupt;
    request.stop = interrupt.token();
    const GenerateReport report = generate_scene(request);
    if (arguments.json) {
        print_json(arguments, report);
    } else {
        print_table(arguments, report);
    }
}

}  // namespace

void add_generate(CLI::App& app) {
    CLI::App* const command = app.add_subcommand("generate", "Make a scene: hulls fall into bins and settle");
    auto arguments = std::make_shared<Arguments>();
    GenerateRequest& request = arguments->request;
    arguments->command = command;
    command
        ->add_option(
            "kind", arguments->kind,
            "boxes; debris (8 to 32 vertices); rocks (32 to 64); big (128 to 250); mixed; gravel (spheres); tower or "
            "pyramid: boxes that stand, one frame for `simulate`, with --bodies, --seed, --replace, --json alone; "
            "ragdolls: linked capsules, the same options; crowd: capsules that walk, the same options and --frames; "
            "terrain: capsules, rocks and boxes over rough ground, the same options, --cells and --cell; "
            "presets: small pairs to learn from, with --replace alone")
        ->required()
        ->type_name("KIND");
    command->add_option("scene", arguments->output, "Folder to write")->required()->type_name("OUT");
    arguments->bodies =
        command->add_option("--bodies", request.bodies, "Bodies that move; floors and walls come on top")
            ->check(whole_number())
            ->capture_default_str();
    command->add_option("--frames", request.frames, "Frames, spread evenly over the fall; the last one is at rest")
        ->check(whole_number())
        ->capture_default_str();
    command
        ->add_option("--seed", request.seed, "The same seed gives the same scene; with --engine bullet, on one machine")
        ->check(whole_number())
        ->capture_default_str();
    command->add_option("--hulls", request.hulls, "Distinct shapes")->check(whole_number())->capture_default_str();
    command->add_option("--margin", request.margin, "Margin up to which the stored pairs are complete, metres")
        ->capture_default_str();
    command
        ->add_option("--floor", arguments->floor, "Of crowd and ragdolls: box, or plane, a half-space that has no end")
        ->type_name("box|plane")
        ->capture_default_str();
    command->add_flag("--rigid", arguments->rigid, "Of ragdolls: each figure is one body, a compound of its parts");
    command->add_option("--cells", arguments->terrain.cells, "Of terrain: cells of a side of the ground")
        ->check(whole_number())
        ->capture_default_str();
    command->add_option("--cell", arguments->terrain.cell, "Of terrain: the side of a cell, metres")
        ->capture_default_str();
    command->add_flag("--no-pairs", arguments->no_pairs, "Store no candidate pairs");
    command->add_option("--seconds", request.seconds, "Simulated time; 0: until the pile is at rest")
        ->capture_default_str();
    command->add_option("--threads", request.threads, "0: all. Does not change the scene")
        ->check(whole_number())
        ->capture_default_str();
    command
        ->add_option("--engine", arguments->engine,
                     "lanefold, or bullet: a second opinion, and the piles of the benchmark")
        ->capture_default_str();
    command->add_option("--isa", arguments->isa, "Instruction set of lanefold's engine. Does not change the scene")
        ->capture_default_str();
    command->add_flag("--replace", request.replace, "Replace a scene that is in the folder already");
    command->add_option("--progress", arguments->progress, "auto, none, bar or json")->capture_default_str();
    command->add_flag("--json", arguments->json, "End with one line of JSON instead of the table");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
