// SPDX-License-Identifier: MIT
//
// `lanefold collide`: options in, table or one line of JSON out. The work is in bake/collide_job.cpp.

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <lanefold/hash.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/version.hpp>

#include "bake/collide_job.hpp"
#include "bake/memory_plan.hpp"
#include "commands/capture_options.hpp"
#include "commands/commands.hpp"
#include "commands/common_options.hpp"
#include "commands/events_options.hpp"
#include "commands/method_options.hpp"
#include "commands/whole_number.hpp"
#include "console/failure.hpp"
#include "console/interrupt.hpp"
#include "console/printable.hpp"
#include "console/table.hpp"
#include "contacts/counters_json.hpp"
#include "files/json_number.hpp"
#include "files/system.hpp"

namespace lanefold::tools {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
    CollideRequest request;
    std::string scene;
    std::string output;
    std::string frames;
    std::string shard;
    std::string isa = "automatic";
    std::string progress = "auto";
    MethodOptions method;
    CaptureOptions capture;
    EventsOptions events;
    std::string sync = "frame";
    std::string select = "all";
    std::string compress = "none";
    std::string memory_limit;
    bool no_overlap = false;
    bool json = false;
};

Json status_json(const FrameSummary& total) {
    Json json = Json::object();
    for (std::size_t i = 0; i < kStatusCount; ++i) json[to_string(static_cast<Status>(i))] = total.by_status[i];
    return json;
}

Json stages_json(const StageTimes& t, double together) {
    return {{"read", t.read},   {"search", t.search}, {"narrowphase", t.narrowphase}, {"encode", t.encode},
            {"write", t.write}, {"sync", t.sync},     {"together", together}};
}

Json report_json(const CollideReport& report, const ContactsSettings& settings) {
    Json samples = Json::array();
    for (const double seconds : report.run_seconds) samples.push_back(report.ns_per_pair(seconds));
    return {{"pairs", report.total.pairs},
            {"touching", report.total.touching},
            {"overlapping", report.total.overlapping},
            {"points", report.total.points},
            {"frames", report.frames},
            {"threads", report.threads},
            {"isa", to_string(report.isa)},
            {"margin", as_decimal(settings.margin)},
            {"face_preference", as_decimal(settings.face_preference)},
            {"capacity", settings.capacity},
            {"method", to_string(settings.method)},
            {"points_selected", to_string(settings.points)},
            {"band", as_decimal(settings.band)},
            {"feature_angle", as_decimal(settings.feature_angle)},
            {"seconds_total", report.seconds_total},
            {"seconds_collide", report.fastest_seconds()},
            {"ns_per_pair", report.ns_per_pair(report.fastest_seconds())},
            {"ns_per_pair_median", report.median_ns_per_pair()},
            {"samples", samples},
            {"stages", stages_json(report.stages, report.seconds_to_files)},
            {"processor", stages_json(report.processor, report.processor_to_files)},
            {"record_bytes", report.record_bytes},
            {"stored_bytes", report.stored_bytes},
            {"hash", hash_string(report.hash)},
            {"status", status_json(report.total)},
            {"counters", counters_json(report.counters)}};
}

// "5,784  37.2%"
std::string with_share(std::uint64_t part, std::uint64_t whole) {
    const double share = whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    return fmt::format("{} ({:.1f}%)", with_commas(part), share);
}

void add_output(Table& table, const Arguments& arguments, const CollideReport& report) {
    const ContactsSettings& settings = arguments.request.settings;
    if (settings.select) {
        table.add({"touching, left out", with_commas(report.total.left_out)});
        table.add({"kept: distance below", fmt::format("{}", -settings.select_depth)});
    }
    if (arguments.output.empty() || report.seconds_to_files <= 0) return;
    const StageTimes& t = report.stages;
    table.add({"seconds of the stages, all together", fmt::format("{:.2f}", report.seconds_to_files)});
    table.add({"  read, search, narrowphase", fmt::format("{:.2f}, {:.2f}, {:.2f}", t.read, t.search, t.narrowphase)});
    table.add({"  encode, write, sync", fmt::format("{:.2f}, {:.2f}, {:.2f}", t.encode, t.write, t.sync)});
    const auto stored = static_cast<double>(report.stored_bytes);
    const double ratio = stored > 0 ? static_cast<double>(report.record_bytes) / stored : 1.0;
    table.add({"written", short_number(stored) + "B" +
                              (settings.compression != Compression::none ? fmt::format(" (1 : {:.2f})", ratio) : "")});
}

// The facts about the frames beside their number.
std::string frames_note(const Arguments& arguments, const CollideReport& report) {
    if (report.frames == 0) return fmt::format(" (no frame falls to shard {})", arguments.shard);
    if (report.resumed_frames > 0) return fmt::format(" ({} kept from before)", report.resumed_frames);
    if (report.remade_frames > 0)
        return fmt::format(" ({} were there and were computed again; --resume keeps them)", report.remade_frames);
    return {};
}

void print_table(const Arguments& arguments, const CollideReport& report) {
    const FrameSummary& total = report.total;
    const ContactsSettings& settings = arguments.request.settings;
    Table table("collide " + arguments.scene);
    table.add({"frames", with_commas(report.frames) + frames_note(arguments, report)});
    table.add({"pairs", with_commas(total.pairs)});
    table.add({"touching (distance <= margin)", with_share(total.touching, total.pairs)});
    table.add({"overlapping (distance < 0)", with_share(total.overlapping, total.pairs)});
    const double points_each = static_cast<double>(total.points) / std::max(1.0, static_cast<double>(total.touching));
    table.add({"contact points", fmt::format("{} ({:.2f} a touching pair)", with_commas(total.points), points_each)});
    for (std::size_t i = 1; i < kStatusCount; ++i) {
        if (total.by_status[i] == 0) continue;
        table.add(
            {fmt::format("pairs with status {}", to_string(static_cast<Status>(i))), with_commas(total.by_status[i])});
    }
    table.add({"margin", fmt::format("{}", settings.margin)});
    table.add({"face preference", fmt::format("{}", settings.face_preference)});
    table.add({"capacity", fmt::format("{} points", settings.capacity)});
    table.add({"method, points", fmt::format("{}, {}", to_string(settings.method), to_string(settings.points))});
    if (settings.method == Method::patch) table.add({"band", fmt::format("{}", settings.band)});
    if (settings.method == Method::features) {
        table.add({"feature angle (radians)", fmt::format("{}", settings.feature_angle)});
    }
    table.add({"instruction set, threads", fmt::format("{}, {}", to_string(report.isa), report.threads)});
    table.add({"output", report.output_form});
    add_output(table, arguments, report);
    const double seconds = report.fastest_seconds();
    if (report.timed_pairs > 0) {
        table.add({"ns per pair", fmt::format("{:.2f}", report.ns_per_pair(seconds))});
        if (report.run_seconds.size() > 1) {
            table.add({"  median", fmt::format("{:.2f}", report.median_ns_per_pair())});
            table.add({"  runs", fmt::format("{}, the fastest counts", report.run_seconds.size())});
        }
        table.add(
            {"pairs per second", short_number(seconds > 0 ? static_cast<double>(report.timed_pairs) / seconds : 0)});
    }
    table.add({"seconds in batch calls, in all", fmt::format("{:.4f}, {:.2f}", seconds, report.seconds_total)});
    table.add({"hash", hash_string(report.hash)});
    if (!arguments.output.empty()) table.add({"written to", arguments.output});
    table.print();
}

// The log holds what depends on the machine, so that the frames do not.
void write_log(const Arguments& arguments, const CollideReport& report) {
    Json json = report_json(report, arguments.request.settings);
    json["lanefold"] = version();
    json["host"] = printable(system::host_name());
    json["frames_option"] = arguments.frames;
    json["shard_option"] = arguments.shard;
    json["resumed_frames"] = report.resumed_frames;
    ContactsWriter::write_log(arguments.output, json.dump(2) + "\n");
}

// "all", "overlapping", "deeper-than=0.01".
void parse_select(const std::string& text, ContactsSettings& settings) {
    constexpr std::string_view kDeeper = "deeper-than=";
    if (text == "all") return;
    settings.select = true;
    if (text == "overlapping") return;
    const auto bad = [&] { return bad_input("--select {}: expected all, overlapping or deeper-than=D, D >= 0", text); };
    if (!text.starts_with(kDeeper)) throw bad();
    const char* const begin = text.data() + kDeeper.size();
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, settings.select_depth);
    if (error != std::errc{} || stop != end || !std::isfinite(settings.select_depth) || settings.select_depth < 0) {
        throw bad();
    }
}

void apply_output_options(Arguments& arguments) {
    CollideRequest& request = arguments.request;
    const auto choose = [](const char* option, const std::string& text, auto& out, const auto& choices) {
        for (const auto& [name, value] : choices) {
            if (text != name) continue;
            out = value;
            return;
        }
        std::string names;
        for (const auto& [name, value] : choices) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
        throw bad_input("{} {}: expected one of {}", option, text, names);
    };
    choose("--sync", arguments.sync, request.sync,
           std::array{std::pair{"none", Sync::none}, std::pair{"frame", Sync::frame}, std::pair{"end", Sync::end}});
    std::vector<std::pair<const char*, Compression>> compressions;
    for (const Compression c : kCompressions) compressions.emplace_back(to_string(c), c);
    choose("--compress", arguments.compress, request.settings.compression, compressions);
    parse_select(arguments.select, request.settings);
    if (request.settings.select && request.settings.method == Method::published_literal) {
        throw bad_input("--select {}: its distances are not exact with --method published-literal", arguments.select);
    }
    if (!arguments.memory_limit.empty()) request.memory_limit = parse_bytes(arguments.memory_limit, "--memory-limit");
    request.overlap = !arguments.no_overlap;
    if (!arguments.output.empty()) return;
    if (request.settings.select || request.settings.compression != Compression::none || request.memory_limit) {
        throw bad_input("--select, --compress and --memory-limit are of the folder that -o names, which is missing");
    }
}

// A run that fails or is interrupted leaves what it has captured until then.
std::optional<CollideReport> run_with_capture(Arguments& arguments, const CollideRunner& runner,
                                              std::optional<CaptureRecorder>& recorder) {
    CollideRequest& request = arguments.request;
    request.capture = recorder ? &*recorder : nullptr;
    const Interrupt interrupt;
    std::optional<CollideReport> ran;
    try {
        ran = runner ? runner(request, interrupt.token()) : run_collide(request, interrupt.token());
    } catch (...) {
        if (recorder && recorder->looked_at() > 0) {
            try {
                arguments.capture.write(*recorder, arguments.scene);
            } catch (const std::exception& failed) {
                fmt::print(stderr, "lanefold: {}\n", printable(failed.what()));  // and the first failure goes on
            }
        }
        throw;
    }
    if (recorder) arguments.capture.write(*recorder, arguments.scene);
    return ran;
}

void write_events(const Arguments& arguments) {
    const Interrupt interrupt;
    const EventsReport report = arguments.events.run(arguments.request, interrupt.token());
    if (arguments.json) return fmt::print("{}\n", EventsOptions::report_json(report).dump());
    arguments.events.print(report);
}

void run(Arguments& arguments, const CollideRunner& runner) {
    CollideRequest& request = arguments.request;
    request.scene = arguments.scene;
    if (!arguments.output.empty()) request.output = arguments.output;
    if (!arguments.frames.empty()) request.frames.parse_frames(arguments.frames);
    if (!arguments.shard.empty()) request.frames.parse_shard(arguments.shard);
    request.isa = read_isa(arguments.isa);
    request.progress = read_progress_mode(arguments.progress);
    const auto check_length = [](const char* option, float value) {
        if (!std::isfinite(value) || value < 0.0F) throw bad_input("{} {}: expected a number >= 0", option, value);
    };
    check_length("--margin", request.settings.margin);
    check_length("--face-preference", request.settings.face_preference);
    if (request.settings.capacity != 4 && request.settings.capacity != 16) {
        throw bad_input("--capacity {}: expected 4 or 16", request.settings.capacity);
    }
    arguments.method.apply(request.settings);
    apply_output_options(arguments);
    const bool events = arguments.events.asked();
    if (events && runner) throw bad_input("--events: ranks do not share it; `lanefold collide --shard` does");
    if (request.resume && request.repeat > 0) {
        throw bad_input("--resume and --repeat exclude each other: a measured run computes every frame");
    }
    std::optional<CaptureRecorder> recorder = arguments.capture.recorder(request, static_cast<bool>(runner));
    // With events contacts are computed only for a folder, a capture or the clock.
    const bool contacts = !events || !arguments.output.empty() || recorder || request.repeat > 0;
    if (request.resume && arguments.output.empty() && contacts)
        throw bad_input("--resume needs -o, the folder to go on with");
    if (!contacts) return write_events(arguments);
    if (events) arguments.events.check(request);
    const std::optional<CollideReport> ran = run_with_capture(arguments, runner, recorder);
    if (!ran) return;
    const CollideReport& report = *ran;
    if (request.output) write_log(arguments, report);
    if (arguments.json) {
        Json json = report_json(report, request.settings);
        if (recorder) json["capture"] = arguments.capture.report_json(*recorder);
        fmt::print("{}\n", json.dump());
    } else {
        print_table(arguments, report);
        if (recorder) arguments.capture.print(*recorder, report.resumed_frames);
    }
    if (events) write_events(arguments);
}

void add_output_options(CLI::App& command, Arguments& a) {
    command
        .add_option(
            "--sync", a.sync,
            "When to wait for the disk: frame (default): a frame that is there survives a power cut; end: all do\n"
            "when the program has ended; none: as the kernel likes. Killing the program loses none of them")
        ->type_name("WHEN");
    command
        .add_option(
            "--compress", a.compress,
            "fast: half the bytes or less in little time; small: fewer bytes in more time; zstd: as many bytes\n"
            "as fast in the most time, but `zstd -d` makes the .npy of them. `lanefold unpack` takes them all")
        ->type_name("none|fast|small|zstd");
    command
        .add_option("--select", a.select,
                    "Which records are kept: all (default), overlapping, or deeper-than=D (in the scene's unit).\n"
                    "Pairs whose status is not ok always are")
        ->type_name("WHICH");
    command
        .add_option("--memory-limit", a.memory_limit,
                    "Resident memory to stay below, such as 500M or 2G (default 1G,\n"
                    "or what one frame needs)")
        ->type_name("SIZE");
    command.add_flag("--no-overlap", a.no_overlap, "Stages one after the other: says how long each takes alone");
}

}  // namespace

void add_collide(CLI::App& app, const CollideRunner& runner) {
    CLI::App* const command = app.add_subcommand("collide", "Compute contact manifolds of a scene's candidate pairs");
    auto arguments = std::make_shared<Arguments>();
    Arguments& a = *arguments;
    command->add_option("scene", a.scene, "Scene folder")->required()->type_name("SCENE");
    command
        ->add_option("-o,--output", a.output,
                     "Contacts folder to write. It may exist if it was made from the same scene with the same settings")
        ->type_name("CONTACTS");
    command
        ->add_option("--frames", a.frames,
                     "Frames a up to, not including, b; either may be left out; one frame; several: 2,5:8")
        ->type_name("a:b");
    command
        ->add_option("--shard", a.shard,
                     "Only the i-th of n parts of these frames (0 <= i < n), of about equal cost by pairs and vertices")
        ->type_name("i/n");
    command->add_flag("--resume", a.request.resume, "Keep the frames that CONTACTS holds already, compute the others");
    command->add_option("--threads", a.request.threads, "Threads; 0: as many as the machine has")
        ->check(whole_number())
        ->type_name("N");
    command->add_option("--isa", a.isa, "Instruction set: scalar, sse2, sse4.2, avx2, avx512, neon, automatic")
        ->type_name("NAME");
    command
        ->add_option("--margin", a.request.settings.margin,
                     "Report pairs up to this distance, in the scene's unit (default 0)")
        ->type_name("X");
    command->add_option("--capacity", a.request.settings.capacity, "Points kept per manifold (default 4)")
        ->check(whole_number())
        ->type_name("4|16");
    command
        ->add_option("--face-preference", a.request.settings.face_preference,
                     "How much deeper than the minimum a face contact may be, relative to the smaller hull's size\n"
                     "(default 0.005; 0: the normal is strictly minimal)")
        ->type_name("X");
    a.method.add_to(*command);
    command
        ->add_option("--repeat", a.request.repeat,
                     "Measure: all frames in memory, one run to warm up, then N timed ones; the fastest counts")
        ->check(whole_number())
        ->type_name("N");
    command->add_flag("--find-pairs", a.request.settings.find_pairs,
                      "Find the candidate pairs even if the scene has some stored");
    add_output_options(*command, a);
    a.capture.add_to(*command);
    a.events.add_to(*command);
    command->add_flag("--json", a.json, "One line of JSON on standard output instead of the table");
    command
        ->add_option("--progress", a.progress, "auto (a bar on a terminal), bar, json (lines on standard error), none")
        ->type_name("HOW");
    if (runner) {
        command
            ->add_option("--shared-pairs", a.request.shared_pairs,
                         "Frames of more stored pairs than N are computed by all ranks together, piece by piece\n"
                         "(default: 524,288 for each rank)")
            ->check(whole_number())
            ->type_name("N");
    }
    command->callback([arguments, runner] { run(*arguments, runner); });
}

}  // namespace lanefold::tools
