// SPDX-License-Identifier: MIT
//
// `lanefold merge` and `lanefold unpack`: frames of contacts folders into another. The work is in contacts/merge.cpp,
// that on events folders in events/job.cpp.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/events_options.hpp"
#include "console/failure.hpp"
#include "console/interrupt.hpp"
#include "console/printable.hpp"
#include "console/progress.hpp"
#include "console/table.hpp"
#include "contacts/completeness.hpp"
#include "contacts/frame_range.hpp"
#include "contacts/merge.hpp"
#include "events/job.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::vector<std::string> inputs;
    std::string output;
    std::string scene;
};

// A bar from the first frame on, when the number of frames is known.
class FrameProgress {
public:
    explicit FrameProgress(std::string task) : task_(std::move(task)) {}

    void operator()(std::uint64_t done, std::uint64_t total) {
        if (!progress_) progress_ = std::make_shared<Progress>(ProgressMode::automatic, task_, "frames", total);
        progress_->update(done);
    }

private:
    std::string task_;
    std::shared_ptr<Progress> progress_;
};

void merge_events_folders(const std::vector<fs::path>& inputs, const Arguments& arguments) {
    const Interrupt interrupt;
    const EventsReport report = merge_events(inputs, arguments.output, ProgressMode::automatic, interrupt.token());
    EventsOptions::print_events(arguments.output, report);
    if (report.missing.empty()) return;
    throw Failure(ExitCode::violation,
                  fmt::format("{}: {} frames are missing", arguments.output, with_commas(report.missing.size())));
}

void merge(const Arguments& arguments) {
    const Interrupt interrupt;
    const std::vector<fs::path> inputs(arguments.inputs.begin(), arguments.inputs.end());
    if (is_events_folder(inputs.front())) return merge_events_folders(inputs, arguments);
    const MergeReport report = merge_folders(inputs, arguments.output, FrameProgress("merge"), interrupt.token());
    Table table("merge into " + arguments.output);
    table.add({"folders", with_commas(inputs.size())});
    table.add({"frames copied", with_commas(report.copied)});
    table.add({"frames there already", with_commas(report.kept)});
    table.add({"damaged frames passed over", with_commas(report.damaged)});
    table.add({"frames of the scene", with_commas(report.frames)});
    table.add({"missing", with_commas(report.missing.size())});
    table.print();
    for (const std::string& what : report.damage) std::fprintf(stderr, "lanefold: %s\n", printable(what).c_str());
    if (report.missing.empty()) return;
    std::printf("missing frames: %s\nmade by: %s\n", frame_list(report.missing).c_str(),
                command_for(ContactsReader(arguments.output), report.missing, arguments.scene).c_str());
    throw Failure(ExitCode::violation, fmt::format("{}: {} of {} frames are missing", arguments.output,
                                                   report.missing.size(), report.frames));
}

void unpack(const Arguments& arguments) {
    const Interrupt interrupt;
    const std::uint64_t frames =
        unpack_folder(arguments.inputs.front(), arguments.output, FrameProgress("unpack"), interrupt.token());
    std::printf("%s: %s frames unpacked%s\n", printable(arguments.output).c_str(), with_commas(frames).c_str(),
                frames == 0 ? ": there were none" : "");
}

}  // namespace

void add_merge(CLI::App& app) {
    CLI::App* const command =
        app.add_subcommand("merge", "Contacts or events folders of one scene into one; says which frames are missing");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("inputs", arguments->inputs, "Contacts folders, or events folders")
        ->required()
        ->type_name("CONTACTS");
    command->add_option("-o,--output", arguments->output, "Folder of the same kind to write or to add to")
        ->required()
        ->type_name("CONTACTS");
    command->add_option("--scene", arguments->scene, "Named in the command that makes missing frames")
        ->type_name("SCENE");
    command->callback([arguments] { merge(*arguments); });
}

void add_unpack(CLI::App& app) {
    CLI::App* const command = app.add_subcommand("unpack", "Compressed contacts as plain .npy files");
    auto arguments = std::make_shared<Arguments>();
    arguments->inputs.resize(1);
    command->add_option("contacts", arguments->inputs.front(), "Compressed contacts folder")
        ->required()
        ->type_name("CONTACTS");
    command->add_option("-o,--output", arguments->output, "Contacts folder to write or to add to")
        ->required()
        ->type_name("CONTACTS");
    command->callback([arguments] { unpack(*arguments); });
}

}  // namespace lanefold::tools
