// SPDX-License-Identifier: MIT
//
// `lanefold simulate`: options in, a scene folder and a table out.

#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <lanefold/hash.hpp>
#include <lanefold/isa.hpp>

#include "commands/commands.hpp"
#include "commands/common_options.hpp"
#include "commands/events_options.hpp"
#include "commands/whole_number.hpp"
#include "console/failure.hpp"
#include "console/interrupt.hpp"
#include "console/printable.hpp"
#include "console/table.hpp"
#include "scene/unit.hpp"
#include "simulate/job.hpp"

namespace lanefold::tools {
namespace {

struct Arguments {
    SimulateRequest request;
    std::string scene, output, setup;
    std::string method = "clip";
    std::string isa = "automatic";
    std::string progress = "auto";
    std::string unit;
    std::vector<float> gravity;
    bool no_pairs = false;
    bool no_sleep = false;
    bool json = false;
    EventsOptions events;
};

// A link that is off by more than this share of its length is worth a warning.
constexpr double kLinkOff = 0.01;
// Lost bodies that a text names one by one.
constexpr std::size_t kNamed = 5;

// "body 3 in step 7, body 4 in step 9, ..."
std::string lost_bodies(const SimulateReport& r) {
    std::string text;
    for (std::size_t i = 0; i < r.lost.size() && i < kNamed; ++i)
        text += fmt::format("{}body {} in step {}", i == 0 ? "" : ", ", r.lost[i].body, r.lost[i].step);
    return text + (r.lost.size() > kNamed ? ", ..." : "");
}

std::string worst_link(const SimulateReport& r) {
    return fmt::format("link {}, off by {:.3g}% of its length after step {}", r.worst_link, 100 * r.link_error,
                       r.link_error_at);
}

// The table and the exit code do not say these loudly enough.
void print_warnings(const SimulateReport& r) {
    if (!r.lost.empty()) {
        std::fprintf(stderr,
                     "warning: %zu %s lost, because motion was no longer finite or beyond what can be stored; "
                     "frames keep the last place: %s\n",
                     r.lost.size(), r.lost.size() == 1 ? "body was" : "bodies were", lost_bodies(r).c_str());
    }
    if (r.link_error > kLinkOff) {
        std::fprintf(stderr, "warning: links did not keep their lengths; the worst: %s; more --substeps help\n",
                     worst_link(r).c_str());
    }
}

nlohmann::ordered_json lost_json(const SimulateReport& r) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const LostBody& lost : r.lost) list.push_back({{"body", lost.body}, {"step", lost.step}});
    return list;
}

void print_json(const Arguments& a, const SimulateReport& r) {
    nlohmann::ordered_json json{{"scene", a.output},
                                {"unit", r.unit},
                                {"bodies", r.bodies},
                                {"dynamic", r.dynamic},
                                {"links", r.links},
                                {"frames", r.frames},
                                {"steps", a.request.steps},
                                {"rate", a.request.rate},
                                {"substeps", a.request.settings.substeps},
                                {"resumed_at", r.resumed_at},
                                {"steps_run", r.steps_run},
                                {"contacts_last_step", r.contacts},
                                {"pairs", r.pairs},
                                {"carried", r.carried},
                                {"awake", r.awake},
                                {"lost", lost_json(r)},
                                {"link_error", r.link_error},
                                {"worst_link", r.worst_link},
                                {"link_error_at", r.link_error_at},
                                {"fastest_at_end", r.fastest_at_end},
                                {"deepest_overlap", r.deepest},
                                {"smallest", r.smallest},
                                {"largest", r.largest},
                                {"mass", r.mass},
                                {"kinetic_energy", r.kinetic_energy},
                                {"isa", to_string(r.isa)},
                                {"seconds", r.seconds},
                                {"seconds_pairs", r.seconds_pairs},
                                {"seconds_collide", r.seconds_collide},
                                {"seconds_solve", r.seconds_solve},
                                {"state_hash", hash_string(r.state_hash)}};
    if (!a.request.events.empty()) {
        json["events"] = {{"folder", a.events.folder()},
                          {"events", r.events},
                          {"between_frames", r.between},
                          {"impulses", to_string(ImpulseSource::solver)}};
    }
    std::printf("%s\n", json.dump().c_str());
}

void print_table(const Arguments& a, const SimulateReport& r) {
    Table table("scene " + a.output);
    table.add({"bodies", fmt::format("{} ({} dynamic), {} links", with_commas(r.bodies), with_commas(r.dynamic),
                                     with_commas(r.links))});
    table.add({"frames", fmt::format("{}, {} steps of 1/{:g} s in {} substeps", with_commas(r.frames),
                                     with_commas(a.request.steps), a.request.rate, a.request.settings.substeps)});
    if (r.resumed_at != 0) table.add({"resumed after step", with_commas(r.resumed_at)});
    table.add({"contacts of the last step", with_commas(r.contacts)});
    if (a.request.settings.reuse > 0)
        table.add({"carried pairs", fmt::format("{} of {}", with_commas(r.carried), with_commas(r.pairs))});
    table.add({"awake at the end", with_commas(r.awake)});
    const std::string unit = printable(r.unit);
    table.add({"sizes (half diagonals)", fmt::format("{:.4g} to {:.4g} {}", r.smallest, r.largest, unit)});
    table.add({"mass of dynamic bodies", fmt::format("{:.4g} kg", r.mass)});
    if (!r.lost.empty()) table.add({"lost bodies", fmt::format("{}: {}", with_commas(r.lost.size()), lost_bodies(r))});
    if (r.links != 0) table.add({"worst link", worst_link(r)});
    table.add({"fastest body at the end", fmt::format("{:.4g} {}/s", r.fastest_at_end, unit)});
    table.add({"deepest overlap at the end", fmt::format("{:.4g} {}", r.deepest, unit)});
    if (!a.request.events.empty())
        table.add(
            {"events", fmt::format("{}, {} of them between frames", with_commas(r.events), with_commas(r.between))});
    table.add({"instruction set", to_string(r.isa)});
    const double n = r.steps_run == 0 ? 1 : 1e-3 * static_cast<double>(r.steps_run);
    table.add({"ms per step", fmt::format("{:.3f} pairs, {:.3f} narrowphase, {:.3f} solver", r.seconds_pairs / n,
                                          r.seconds_collide / n, r.seconds_solve / n)});
    table.add({"state hash", hash_string(r.state_hash)});
    table.print();
}

void run(Arguments& a) {
    SimulateRequest& request = a.request;
    request.scene = a.scene;
    request.output = a.output;
    request.setup = a.setup;
    request.pairs = !a.no_pairs;
    request.settings.sleep = !a.no_sleep;
    request.settings.isa = read_isa(a.isa);
    if (a.method != "clip" && a.method != "patch") throw bad_input("--method {}: expected clip or patch", a.method);
    request.settings.method = a.method == "clip" ? ContactMethod::clip : ContactMethod::patch;
    request.gravity_given = !a.gravity.empty();
    if (request.gravity_given) request.settings.gravity = {a.gravity[0], a.gravity[1], a.gravity[2]};
    request.progress = read_progress_mode(a.progress);
    if (!a.unit.empty()) request.unit = parse_unit(a.unit, "--unit");
    if (a.events.asked_of_simulation()) {
        request.events = a.events.folder();
        request.asked = a.events.options();
    }
    const Interrupt interrupt;
    request.stop = interrupt.token();
    const SimulateReport report = run_simulation(request);
    for (const std::string& warning : report.warnings)
        std::fprintf(stderr, "warning: %s\n", printable(warning).c_str());
    print_warnings(report);
    if (a.json) {
        print_json(a, report);
    } else {
        print_table(a, report);
    }
}

void add_solver_options(CLI::App& command, WorldSettings& s) {
    command.add_option("--substeps", s.substeps, "Parts of a step")->check(whole_number())->capture_default_str();
    command
        .add_option("--contact-hertz", s.contact_hertz,
                    "Frequency of contacts as springs; a sixth of the substeps a second is the most that acts")
        ->capture_default_str();
    command.add_option("--contact-damping", s.contact_damping, "Damping ratio of contacts; below 1 they tremble")
        ->capture_default_str();
    command.add_option("--push-speed", s.push_speed, "Speed at which overlap is taken back at most, m/s")
        ->capture_default_str();
    command
        .add_option("--restitution-threshold", s.restitution_threshold, "Closing speeds up to this do not bounce, m/s")
        ->capture_default_str();
}

void add_contact_options(CLI::App& command, Arguments& a) {
    WorldSettings& s = a.request.settings;
    command.add_option("--method", a.method, "How contacts become points: clip or patch")->capture_default_str();
    command.add_option("--hysteresis", s.hysteresis, "Against flicker of features; 0: off")->capture_default_str();
    command
        .add_option("--reuse", s.reuse,
                    "Carry contacts of bodies that have moved by less, as a share of the smaller one's size; 0: off")
        ->capture_default_str();
}

}  // namespace

void add_simulate(CLI::App& app) {
    CLI::App* const command =
        app.add_subcommand("simulate", "Let a scene's bodies move: contacts, friction, links; frames as a scene");
    auto arguments = std::make_shared<Arguments>();
    Arguments& a = *arguments;
    SimulateRequest& r = a.request;
    WorldSettings& s = r.settings;
    command->add_option("scene", a.scene, "Scene folder: hulls, bodies, first poses, masses")
        ->required()
        ->type_name("SCENE");
    command->add_option("-o,--output", a.output, "Scene folder to write")->required()->type_name("SCENE2");
    command->add_option("--setup", a.setup, "Data that a scene lacks, as JSON: docs/formats.md")->type_name("FILE");
    command->add_option("--frame", r.frame, "Frame of SCENE to begin with; -1: its last")->capture_default_str();
    command->add_option("--steps", r.steps, "Steps in all")->check(whole_number())->capture_default_str();
    command->add_option("--rate", r.rate, "Steps a second")->capture_default_str();
    command->add_option("--every", r.every, "Steps a frame; the first frame is that of SCENE")
        ->check(whole_number())
        ->capture_default_str();
    add_solver_options(*command, s);
    command
        ->add_option(
            "--gravity", a.gravity,
            "x y z in the scene's unit; unless given, 9.81 m/s2 against the scene's up axis (y if it has none)")
        ->expected(3)
        ->type_name("X Y Z");
    command
        ->add_option("--density", r.defaults.density, "For bodies without a mass in the scene, kg/m3 whatever its unit")
        ->capture_default_str();
    command->add_option("--friction", r.defaults.friction, "Coulomb's coefficient")->capture_default_str();
    command->add_option("--restitution", r.defaults.restitution, "0 to 1")->capture_default_str();
    command
        ->add_option(
            "--unit", a.unit,
            "The scene's unit of length, by name (mm) or as how many of it a metre is (1000); unless given, as "
            "the scene says. Defaults and --density are in SI units, all else is in the scene's")
        ->type_name("UNIT");
    command->add_option("--linear-damping", s.linear_damping, "Share of velocity lost in a second")
        ->capture_default_str();
    command->add_option("--angular-damping", s.angular_damping, "Share of spin lost in a second")
        ->capture_default_str();
    add_contact_options(*command, a);
    command->add_flag("--no-sleep", a.no_sleep, "Never let bodies at rest sleep");
    command->add_option("--pairs-margin", r.pairs_margin,
                        "Margin up to which the stored pairs are complete, in the scene's unit; unless given, 2 cm");
    command->add_flag("--no-pairs", a.no_pairs, "Store no candidate pairs");
    a.events.add_to_simulation(*command);
    command->add_flag("--replace", r.replace, "Replace a scene that is in SCENE2 already, and an unfinished run");
    command->add_flag("--resume", r.resume, "Go on with an unfinished run from its last checkpoint: the same bytes");
    command->add_option("--checkpoint", r.checkpoint_seconds, "Seconds of running between checkpoints")
        ->capture_default_str();
    command->add_option("--threads", s.threads, "0: all. Does not change the result")
        ->check(whole_number())
        ->capture_default_str();
    command->add_option("--isa", a.isa, "Instruction set: scalar, sse2, sse4.2, avx2, avx512, neon, automatic")
        ->capture_default_str();
    command->add_option("--progress", a.progress, "auto, none, bar or json")->capture_default_str();
    command->add_flag("--json", a.json, "End with one line of JSON instead of the table");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
