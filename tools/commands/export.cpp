// SPDX-License-Identifier: MIT
//
// `lanefold export`: frames of a scene and of its contacts as files of other programs.

#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/common_options.hpp"
#include "commands/whole_number.hpp"
#include "console/interrupt.hpp"
#include "console/printable.hpp"
#include "console/table.hpp"
#include "export/export.hpp"

namespace lanefold::tools {
namespace {

struct Arguments {
    ExportRequest request;
    std::string scene;
    std::string contacts;
    std::string output;
    std::string progress = "auto";
};

void run(Arguments& a) {
    ExportRequest& request = a.request;
    request.scene = a.scene;
    request.contacts = a.contacts;
    request.output = a.output;
    request.progress = read_progress_mode(a.progress);
    const Interrupt interrupt;
    request.stop = interrupt.token();
    const ExportReport report = run_export(request);
    Table table(a.output);
    table.add({"frames", with_commas(report.frames)});
    table.add({"bodies", fmt::format("{} of {} hulls", with_commas(report.bodies), with_commas(report.hulls))});
    if (report.events != 0) {
        table.add({"events", with_commas(report.events)});
    } else if (!a.contacts.empty()) {
        table.add({"contact points",
                   fmt::format("{} of {} records", with_commas(report.points), with_commas(report.records))});
    }
    table.add(
        {"files", fmt::format("{}, {}B", with_commas(report.files), short_number(static_cast<double>(report.bytes)))});
    table.print();
    for (const std::string& note : report.notes) std::printf("note: %s\n", printable(note).c_str());
}

}  // namespace

void add_export(CLI::App& app) {
    CLI::App* const command =
        app.add_subcommand("export", "Write frames and contacts for other programs: USD, VTK, PLY, CSV");
    auto arguments = std::make_shared<Arguments>();
    Arguments& a = *arguments;
    command->add_option("scene", a.scene, "Scene folder")->required()->type_name("SCENE");
    command->add_option("contacts", a.contacts, "Contacts or events folder; without it only the bodies are written")
        ->type_name("CONTACTS");
    command
        ->add_option("-o,--output", a.output,
                     "File to write: .usda, .pvd (VTK, with a folder of .vtp), .ply or .csv (contact points; without "
                     "CONTACTS poses); of events .usda, .csv or .jsonl")
        ->required()
        ->type_name("FILE");
    command->add_option("--frames", a.request.frames,
                        "Frames a up to, not including, b, counted from 0; either may be left out; or one frame");
    command->add_option("--threads", a.request.threads, "0: all. Does not change the result")
        ->check(whole_number())
        ->capture_default_str();
    command->add_option("--progress", a.progress, "auto, none, bar or json")->capture_default_str();
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
