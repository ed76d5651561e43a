// SPDX-License-Identifier: MIT
//
// `lanefold replay`: repeats captured pairs on every instruction set of this machine, beside the oracle.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <lanefold/capture.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/version.hpp>

#include "capture/replay.hpp"
#include "capture/replay_text.hpp"
#include "commands/commands.hpp"
#include "commands/whole_number.hpp"
#include "console/failure.hpp"
#include "console/interrupt.hpp"
#include "console/printable.hpp"
#include "console/table.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"
#include "files/json.hpp"
#include "picture/ground_text.hpp"
#include "picture/pair_text.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

// The bytes of a file: 4,096 pairs and their records are 4 MB, the rest are points of hulls.
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30U;

struct Arguments {
    std::vector<std::string> files;
    std::string output;
    std::optional<std::size_t> pair;
    bool any_record = false;
    bool details = false;
    bool steps = false;
    bool json = false;
};

struct Totals {
    std::uint64_t pairs = 0;
    std::uint64_t sets_differ = 0;
    std::uint64_t wrong = 0;
    std::uint64_t not_as_captured = 0;

    bool good(bool any_record) const { return sets_differ == 0 && wrong == 0 && (any_record || not_as_captured == 0); }
};

// The files that are named, and the .lfp files of folders that are.
std::vector<fs::path> list_files(const std::vector<std::string>& names) {
    std::vector<fs::path> out;
    for (const fs::path path : names) {
        if (!fs::is_directory(path)) {
            out.push_back(path);
            continue;
        }
        std::vector<fs::path> inside;
        for (const auto& entry : fs::directory_iterator(path)) {
            if (entry.path().extension() == ".lfp") inside.push_back(entry.path());
        }
        if (inside.empty()) throw bad_input("{}: has no .lfp file", path.string());
        std::sort(inside.begin(), inside.end());
        out.insert(out.end(), inside.begin(), inside.end());
    }
    return out;
}

CaptureResult read_file_of(const fs::path& path) {
    const std::string bytes = read_file(path, kLargestFile);
    CaptureResult result = read_capture(std::as_bytes(std::span(bytes)));
    if (!result) throw bad_input("{}: {} ({})", path.string(), result.status.what, result.status.where);
    return result;
}

StoryRequest story_request(const CapturedPair& pair) {
    StoryRequest request;
    request.pair = pair.bodies;
    request.margin = pair.margin;
    request.face_preference = pair.face_preference;
    request.method = pair.method == ContactMethod::patch ? Method::patch : Method::clip;
    request.points = pair.points;
    request.band = pair.patch_band;
    return request;
}

class Run {
public:
    explicit Run(const Arguments& arguments) : arguments_(arguments) {}

    void replay(const fs::path& path) {
        CaptureResult read = read_file_of(path);
        Capture& capture = read.capture;
        const std::size_t count = capture.pairs().size();
        if (arguments_.pair && *arguments_.pair >= count)
            throw bad_input("{}: --pair {}: it has {} pairs", path.string(), *arguments_.pair, count);
        print_head(path, read);
        Replayer replayer(capture);
        Json pairs = Json::array();
        for (std::size_t i = 0; i < count; ++i) {
            if (arguments_.pair && i != *arguments_.pair) continue;
            if (interrupt_.token().stop_requested()) throw Failure(ExitCode::interrupted, "interrupted");
            const PairReplay replay = replayer.replay(i);
            add(replay);
            if (arguments_.json) {
                pairs.push_back(replay_json(capture, i, replay));
            } else {
                print(capture, i, replay, count);
            }
            if (!arguments_.output.empty()) accept(capture, i, replay);
        }
        if (arguments_.json) {
            files_.push_back({{"file", printable(path.string())},
                              {"note", printable(capture.note)},
                              {"lanefold", printable(capture.version())},
                              {"other_blocks", read.other_blocks},
                              {"pairs", std::move(pairs)}});
        }
        if (!arguments_.output.empty()) write(capture);
    }

    void finish() const {
        const bool good = totals_.good(arguments_.any_record);
        if (arguments_.json) {
            Json names = Json::array();
            for (const Isa isa : available_isas()) names.push_back(to_string(isa));
            fmt::print("{}\n", Json({{"agree", good},
                                     {"lanefold", version()},
                                     {"isas", names},
                                     {"pairs", totals_.pairs},
                                     {"sets_differ", totals_.sets_differ},
                                     {"violations", totals_.wrong},
                                     {"not_as_captured", totals_.not_as_captured},
                                     {"files", files_}})
                                   .dump());
        } else {
            print_table();
        }
        if (!good) throw Failure(ExitCode::violation, "the pairs do not all agree");
    }

private:
    void print_head(const fs::path& path, const CaptureResult& read) const {
        if (arguments_.json) return;
        const Capture& capture = read.capture;
        fmt::print("{}: {} pairs, {} hulls, captured by lanefold {}\n", printable(path.string()),
                   capture.pairs().size(), capture.hulls().size(), printable(capture.version()));
        if (!capture.note.empty()) fmt::print("  {}\n", printable(capture.note));
        if (read.other_blocks > 0) {
            fmt::print("  {} hulls have the same faces, but other planes than in the version that captured them\n",
                       read.other_blocks);
        }
    }

    void add(const PairReplay& replay) {
        ++totals_.pairs;
        totals_.sets_differ += replay.sets_agree() ? 0U : 1U;
        totals_.wrong += replay.right() ? 0U : 1U;
        totals_.not_as_captured += replay.as_captured() ? 0U : 1U;
    }

    void print(const Capture& capture, std::size_t i, const PairReplay& replay, std::size_t count) const {
        const bool alone = count == 1 && arguments_.files.size() == 1;
        const bool bad = !replay.sets_agree() || !replay.right() || (!replay.as_captured() && !arguments_.any_record);
        if (alone || bad || arguments_.pair || arguments_.details || arguments_.steps) {
            fmt::print("{}", replay_details(capture, i, replay));
        } else {
            fmt::print("{}", replay_line(capture, i, replay));
        }
        if (!arguments_.steps) return;
        if (!replay.has_oracle) {
            fmt::print("  no steps: the call is refused, or a pose is none\n");
            return;
        }
        const CapturedPair& pair = capture.pairs()[i];
        if (has_surface(capture.hulls(), pair.a, pair.b)) {
            fmt::print("Step by step, in float64\n{}",
                       tell_ground(capture.hulls(), pair.a, pair.b, story_request(pair)));
            return;
        }
        print_story(capture.hulls(), tell_pair(capture.hulls(), pair.a, pair.b, story_request(pair)),
                    "Step by step, in float64");
    }

    // Takes this run's record. Only what all sets agree on and the judge accepts may become the expected record.
    static void accept(Capture& capture, std::size_t i, const PairReplay& replay) {
        if (!replay.sets_agree() || !replay.right()) return;
        capture.set_record(i, replay.of_call);
    }

    void write(Capture& capture) const {
        if (!totals_.good(true)) {
            throw Failure(ExitCode::violation,
                          fmt::format("{}: not written: its records would be wrong", arguments_.output));
        }
        capture.set_blocks();
        const std::vector<std::byte> bytes = capture.bytes();
        write_output(arguments_.output, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        if (!arguments_.json) fmt::print("written to {}\n", printable(arguments_.output));
    }

    void print_table() const {
        Table table("replay");
        table.add({"pairs", with_commas(totals_.pairs) + (totals_.pairs == 0 ? " (none were captured)" : "")});
        table.add({"instruction sets", available_isa_names()});
        table.add({"instruction sets differ", with_commas(totals_.sets_differ)});
        table.add({"wrong by the oracle", with_commas(totals_.wrong)});
        table.add({"another record than captured",
                   with_commas(totals_.not_as_captured) + (arguments_.any_record ? " (allowed: --any-record)" : "")});
        table.print();
    }

    const Arguments& arguments_;
    Interrupt interrupt_;
    Totals totals_;
    Json files_ = Json::array();
};

void run(const Arguments& arguments) {
    const std::vector<fs::path> files = list_files(arguments.files);
    if (files.size() > 1 && (arguments.pair || !arguments.output.empty()))
        throw bad_input("--pair and -o are for one file, not for {}", files.size());
    if (!arguments.output.empty()) static_cast<void>(output_file(arguments.output));
    Run run(arguments);
    for (const fs::path& file : files) run.replay(file);
    run.finish();
}

}  // namespace

void add_replay(CLI::App& app) {
    CLI::App* const command = app.add_subcommand(
        "replay", "Repeat captured pairs on every instruction set, beside the oracle, stage by stage");
    auto arguments = std::make_shared<Arguments>();
    Arguments& a = *arguments;
    command->add_option("file", a.files, "Files of `collide --capture`, or folders of .lfp files")
        ->required()
        ->type_name("FILE...");
    command->add_option("--pair", a.pair, "Only pair N of the file, from 0")->check(whole_number())->type_name("N");
    command->add_flag("--details", a.details, "Stage by stage for every pair, not only for those that do not agree");
    command->add_flag("--steps", a.steps, "With each axis and each side of the clip, as `lanefold show` tells them");
    command->add_flag("--any-record", a.any_record,
                      "The captured record need not come again: for captures of an error that was mended since");
    command->add_option("-o,--output", a.output, "Write the file again, with the records of this run")
        ->type_name("FILE");
    command->add_flag("--json", a.json, "One line of JSON on standard output");
    command->footer(
        "Exit code 0: for each pair all instruction sets give the same bits, the record is right by the oracle, and it "
        "is\nthe one that was captured. 1: not so.");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
