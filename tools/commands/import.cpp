// SPDX-License-Identifier: MIT
//
// `lanefold import`: OBJ files and poses, or a glTF file, in, a scene folder and a table out.

#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/common_options.hpp"
#include "commands/whole_number.hpp"
#include "console/failure.hpp"
#include "console/interrupt.hpp"
#include "console/printable.hpp"
#include "console/surface_findings.hpp"
#include "console/table.hpp"
#include "import/imported_scene.hpp"
#include "scene/unit.hpp"

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
    std::string pose_names;
    std::string scales;
    std::string active;
    std::string matrices = "auto";
    std::string poses_are = "world";
    std::string pieces_at;
    std::string sorting = "natural";
    std::string up;
    std::string handedness;
    double fps = 0;
    std::int64_t first_frame = 0;
    CLI::Option* fps_given = nullptr;
    CLI::Option* first_frame_given = nullptr;
    CLI::Option* margin_given = nullptr;
};

// The number of the choice in the list; throws bad_input for another word.
std::size_t choose(const char* option, const std::string& given, std::initializer_list<const char*> words) {
    std::string list;
    std::size_t number = 0;
    for (const char* const word : words) {
        if (given == word) return number;
        list += fmt::format("{}{}", number++ == 0 ? "" : number == words.size() ? " or " : ", ", word);
    }
    throw bad_input("{} must be {}, not '{}'", option, list, given);
}

// How poses, pieces and frames are meant.
void read_meaning(const Arguments& a, ImportRequest& request) {
    request.w_first = choose("--quaternion", a.order, {"xyzw", "wxyz"}) == 1;
    const std::size_t form = choose("--matrices", a.matrices, {"auto", "column", "row"});
    if (form != 0) request.form = form == 1 ? MatrixForm::column : MatrixForm::row;
    const bool world = choose("--poses-are", a.poses_are, {"world", "relative-to-rest"}) == 0;
    request.poses_are = world ? PosesAre::world : PosesAre::relative_to_rest;
    const std::string pieces_at = a.pieces_at.empty() ? world ? "origin" : "rest" : a.pieces_at;
    const bool rest = choose("--pieces-at", pieces_at, {"origin", "rest"}) == 1;
    if (!world && !rest) throw bad_input("--pieces-at origin: poses relative to rest need pieces at rest");
    request.pieces_at = rest ? PiecesAt::rest : PiecesAt::origin;
    request.order_of_files = choose("--order", a.sorting, {"natural", "file"}) == 1;
    if (!a.up.empty()) request.info.up = parse_axis(a.up, "--up");
    if (!a.handedness.empty()) request.info.handedness = parse_handedness(a.handedness, "--handedness");
    if (!a.fps_given->empty()) request.gltf.animation.rate = request.info.frames_per_second = a.fps;
    if (!a.first_frame_given->empty()) request.info.first_frame = a.first_frame;
}

// SI defaults, and the density, in the scene's unit.
void scale_to_unit(const Arguments& a, ImportRequest& request) {
    std::string& unit = request.info.unit;
    // A number is that of a unit, or how many of it a metre is; "0 m" is no length.
    if (unit.find_first_of("+-.0123456789") == 0) {
        const double per_metre = parse_unit(unit, "--unit");
        if (!metres_of(unit)) unit = unit_of(per_metre);
    }
    const std::optional<double> metre = metres_of(unit);
    if (!metre) {
        std::fprintf(stderr,
                     "warning: the unit '%s' is not known: --density %g is taken for mass per its volume, --margin %g "
                     "for lengths in it; known are %s\n",
                     printable(unit).c_str(), request.density, static_cast<double>(request.margin),
                     known_units().c_str());
        return;
    }
    request.density *= *metre * *metre * *metre;
    if (a.margin_given->empty()) request.margin = static_cast<float>(static_cast<double>(request.margin) / *metre);
}

// Pieces of a table; a scene has many, and names.json has all of them.
constexpr std::size_t kMostNames = 20;

// Which pieces were split into how many parts.
void add_split(const ImportReport& report, Table& table) {
    std::uint64_t parts = 0;
    for (const SplitPiece& piece : report.split) parts += piece.parts;
    const std::size_t count = report.split.size();
    if (count == 0) return;
    table.add({"  split by CoACD", fmt::format("{} into {} parts", with_commas(count), with_commas(parts))});
    for (std::size_t i = 0; i < std::min(count, kMostNames); ++i) {
        table.add({"    " + report.split[i].name, with_commas(report.split[i].parts)});
    }
    if (count > kMostNames) table.add({fmt::format("    and {} more", with_commas(count - kMostNames)), ""});
}

void run(Arguments& arguments) {
    ImportRequest& request = arguments.request;
    request.files.assign(arguments.files.begin(), arguments.files.end());
    request.poses = arguments.poses;
    request.folder = arguments.output;
    request.pose_names = arguments.pose_names;
    request.scales = arguments.scales;
    request.active = arguments.active;
    read_meaning(arguments, request);
    constexpr ImportGroups kGroups[] = {ImportGroups::object, ImportGroups::file, ImportGroups::none};
    request.groups = kGroups[choose("--group-by", arguments.groups, {"object", "file", "none"})];
    request.progress = read_progress_mode(arguments.progress);
    scale_to_unit(arguments, request);
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
    if (report.surface_pieces > 0) table.add({"  of these surfaces", with_commas(report.surface_pieces)});
    if (report.bodies != report.pieces) table.add({"  as bodies", with_commas(report.bodies)});
    if (report.compounds > 0) table.add({"  different compounds", with_commas(report.compounds)});
    if (report.hulls != report.pieces - report.surface_pieces)
        table.add({"  different hulls", with_commas(report.hulls)});
    if (report.scaled_bodies > 0) table.add({"  bodies that share them at a scale", with_commas(report.scaled_bodies)});
    add_split(report, table);
    for (const ImportedSurface& surface : report.surfaces) {
        table.add(
            {fmt::format("surface '{}'", surface.name),
             fmt::format("{} vertices, {} triangles", with_commas(surface.vertices), with_commas(surface.triangles))});
        add_findings(table, surface.report);
    }
    if (report.reordered) table.add({"  in the order of", "the numbers in their names"});
    table.add({"vertices", with_commas(report.vertices)});
    const auto length_text = [&](double x) { return fmt::format("{:.2g} {}", x, printable(request.info.unit)); };
    table.add({"  rounded by at most", length_text(report.vertex_rounding)});
    table.add({"frames", with_commas(report.frames)});
    table.add({"  poses rounded by at most", length_text(report.pose_rounding)});
    if (request.pairs) table.add({"candidate pairs", with_commas(report.pairs)});
    if (!report.warnings.empty()) table.add({"warnings", with_commas(report.warnings.size())});
    table.print();
}

// Poses, and what they, the pieces and the frames mean.
void add_meaning(CLI::App* command, Arguments& a) {
    command
        ->add_option("--poses", a.poses,
                     "float32 or float64 [frames, bodies, 7]: position and quaternion of every piece, or of every "
                     "object; or [frames, bodies, 4, 4]: matrices; without it, one frame as modelled")
        ->type_name("NPY");
    command
        ->add_option("--pose-names", a.pose_names,
                     "Names of the rows of --poses: a list in JSON (.json), or a name a line; without it, rows are in "
                     "the order of the pieces")
        ->type_name("FILE");
    command
        ->add_option("--scales", a.scales,
                     "float32 or float64 [bodies]: a factor above 0 for the piece of each row of --poses, about the "
                     "piece's own origin; pieces of one shape share its hull")
        ->type_name("NPY");
    command
        ->add_option("--poses-are", a.poses_are,
                     "world: where each piece is; relative-to-rest: how it moved from where its file has it")
        ->capture_default_str();
    command->add_option("--pieces-at", a.pieces_at,
                        "What the files hold when poses are of the world. origin: each piece about its own origin, the "
                        "default; rest: pieces where they are in frame 0");
    command
        ->add_option("--matrices", a.matrices,
                     "Where matrices have their translation: in the last column, the last row, or auto: found out")
        ->capture_default_str();
    command
        ->add_option("--active", a.active,
                     "bool or uint8 [frames, bodies]: 0 where a piece is not there; its pose then does not count")
        ->type_name("NPY");
    command
        ->add_option("--order", a.sorting,
                     "natural: piece_2 before piece_10, where the files have them otherwise; file: as in the files")
        ->capture_default_str();
    a.first_frame_given = command->add_option("--first-frame", a.first_frame, "What people call the first frame");
    a.fps_given = command->add_option("--fps", a.fps,
                                      "Frames per second; of glTF, where to look at the animation, unless given where "
                                      "its keys are");
    command->add_option("--animation", a.request.gltf.animation.name,
                        "Of glTF: the animation to take; without it, all together");
    command->add_flag("--apply-scale", a.request.gltf.apply_scale,
                      "Of glTF: take the scale, shear and mirroring of nodes, instead of refusing them: into the "
                      "vertices, but nodes of one mesh at several sizes share its hull and get scales");
    command->add_option("--up", a.up, "Axis that points up: x, y or z");
    command->add_option("--handedness", a.handedness, "Of the axes: right or left");
    command->add_option("--quaternion", a.order, "Order in the poses: xyzw or wxyz")->capture_default_str();
}

}  // namespace

void add_import(CLI::App& app) {
    CLI::App* const command = app.add_subcommand(
        "import",
        "Make a scene from convex pieces in OBJ, STL, PLY or glTF files: a hull and a body per piece, poses per frame");
    auto arguments = std::make_shared<Arguments>();
    Arguments& a = *arguments;
    command
        ->add_option(
            "files", a.files,
            "OBJ files, where every group (g) is one convex piece of the object (o) it is in; STL or PLY files, text "
            "or "
            "binary, where every closed surface is a piece; or a glTF file (.gltf, .glb), where every node with a mesh "
            "is a piece, with its poses in the frames of the animation")
        ->required()
        ->type_name("FILE");
    command->add_option("-o,--output", a.output, "Scene folder to write")->required()->type_name("SCENE");
    add_meaning(command, a);
    command->add_option("--scale", a.request.scale, "Factor for vertices and positions")->capture_default_str();
    command
        ->add_option("--unit", a.request.info.unit,
                     "Name of the unit after scaling: m, cm, mm, km, um, dm, in, ft, yd, or "
                     "a number of one, '0.1 m', or how many of it a metre is, 1000")
        ->capture_default_str();
    command->add_option("--density", a.request.density, "kg/m3, whatever the unit")->capture_default_str();
    command->add_option("--fixed", a.request.fixed, "Object that does not move; may be given several times")
        ->type_name("NAME");
    command
        ->add_option("--surface", a.request.surfaces,
                     "Object that is taken as it is, as a surface of triangles that nothing moves but its poses, and "
                     "need not be convex; may be given several times")
        ->type_name("NAME");
    command
        ->add_option("--group-by", a.groups, "Pieces of one object, of one file, or none never collide with each other")
        ->capture_default_str();
    command->add_flag("--accept-concave", a.request.accept_concave,
                      "Take the hull of a piece that is not convex, with a warning, instead of refusing it");
    command->add_flag("--decompose", a.request.decompose,
                      "Split pieces that are not convex into convex parts of one object, by the Python package coacd "
                      "(pip install coacd numpy); LANEFOLD_PYTHON names the Python, python3 otherwise");
    command
        ->add_option("--decompose-threshold", a.request.decompose_threshold,
                     "Concavity that may be left, 0.01 to 1: smaller gives more parts")
        ->capture_default_str();
    command->add_flag("--compounds", a.request.compounds,
                      "Each object is one body, a compound of its pieces; --poses then has a row for each object");
    command->add_flag("--recentre", a.request.recentre,
                      "Move every hull's origin to the middle of its box; pieces that lie far from "
                      "their origin get one of their own without it");
    command->add_flag("--pairs", a.request.pairs, "Find candidate pairs now and store them");
    a.margin_given = command->add_option("--margin", a.request.margin,
                                         "Margin up to which pairs are complete, in the unit; unless given, 2 cm");
    command->add_option("--threads", a.request.threads, "0: all")->check(whole_number())->capture_default_str();
    command->add_flag("--replace", a.request.replace, "Replace a scene that is in the folder already");
    command->add_option("--progress", a.progress, "auto, none, bar or json")->capture_default_str();
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
