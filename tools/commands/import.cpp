// SPDX-License-Identifier: MIT
//
// `lanefold import`: OBJ files and poses in, a scene folder and a table out.

#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/common_options.hpp"
#include "console/failure.hpp"
#include "console/interrupt.hpp"
#include "console/printable.hpp"
#include "console/table.hpp"
#include "import/scene.hpp"

namespace lanefold::tools {
namespace {

struct Arguments {
    ImportRequest request;
    std::vector<std::string> files;
    std::string poses;
    std::string output;
    std::string order = "xyzw";
    std::string groups = "object";
    std::string progress = "auto";
};

void run(Arguments& arguments) {
    ImportRequest& request = arguments.request;
    request.files.assign(arguments.files.begin(), arguments.files.end());
    request.poses = arguments.poses;
    request.folder = arguments.output;
    if (arguments.order != "xyzw" && arguments.order != "wxyz") {
        throw bad_input("--quaternion must be xyzw or wxyz, not '{}'", arguments.order);
    }
    request.w_first = arguments.order == "wxyz";
    if (arguments.groups == "file") {
        request.groups = ImportGroups::file;
    } else if (arguments.groups == "none") {
        request.groups = ImportGroups::none;
    } else if (arguments.groups != "object") {
        throw bad_input("--group-by must be object, file or none, not '{}'", arguments.groups);
    }
    request.progress = read_progress_mode(arguments.progress);
    const Interrupt interrupt;
    request.stop = interrupt.token();
    const ImportReport report = import_scene(request);

    for (const std::string& warning : report.warnings)
        std::fprintf(stderr, "warning: %s\n", printable(warning).c_str());
    Table table("scene " + arguments.output);
    table.add({"files", with_commas(request.files.size())});
    table.add({"objects", with_commas(report.objects)});
    table.add({"pieces: hulls and bodies",
               fmt::format("{} ({} boxes)", with_commas(report.pieces), with_commas(report.boxes))});
    table.add({"vertices", with_commas(report.vertices)});
    table.add({"frames", with_commas(report.frames)});
    if (request.pairs) table.add({"candidate pairs", with_commas(report.pairs)});
    if (!report.warnings.empty()) table.add({"warnings", with_commas(report.warnings.size())});
    table.print();
}

}  // namespace

void add_import(CLI::App& app) {
    CLI::App* const command = app.add_subcommand(
        "import", "Make a scene from convex pieces in OBJ files: a hull and a body per group, baked poses per frame");
    auto arguments = std::make_shared<Arguments>();
    Arguments& a = *arguments;
    command->add_option("files", a.files, "OBJ files; every group (g) is one convex piece, of the object (o) it is in")
        ->required()
        ->type_name("OBJ");
    command->add_option("-o,--output", a.output, "Scene folder to write")->required()->type_name("SCENE");
    command
        ->add_option("--poses", a.poses,
                     "float32 or float64 [frames, bodies, 7]: position and quaternion of every piece, or of every "
                     "object; without it, one frame as modelled")
        ->type_name("NPY");
    command->add_option("--quaternion", a.order, "Order in the poses: xyzw or wxyz")->capture_default_str();
    command->add_option("--scale", a.request.scale, "Factor for vertices and positions")->capture_default_str();
    command->add_option("--unit", a.request.unit, "Name of the unit after scaling")->capture_default_str();
    command->add_option("--density", a.request.density, "Mass per volume")->capture_default_str();
    command->add_option("--fixed", a.request.fixed, "Object that does not move; may be given several times")
        ->type_name("NAME");
    command
        ->add_option("--group-by", a.groups, "Pieces of one object, of one file, or none never collide with each other")
        ->capture_default_str();
    command->add_flag("--accept-concave", a.request.accept_concave,
                      "Take the hull of a piece that is not convex, with a warning, instead of refusing it");
    command->add_flag("--recentre", a.request.recentre, "Move every hull's origin to the middle of its box");
    command->add_flag("--pairs", a.request.pairs, "Find candidate pairs now and store them");
    command->add_option("--margin", a.request.margin, "Margin up to which pairs are complete")->capture_default_str();
    command->add_option("--threads", a.request.threads, "0: all")->capture_default_str();
    command->add_flag("--replace", a.request.replace, "Replace a scene that is in the folder already");
    command->add_option("--progress", a.progress, "auto, none, bar or json")->capture_default_str();
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
