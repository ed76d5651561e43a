// SPDX-License-Identifier: MIT
//
// `lanefold picture`: one frame of a scene and of its contacts as one SVG or HTML file.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "console/failure.hpp"
#include "console/printable.hpp"
#include "console/table.hpp"
#include "contacts/completeness.hpp"
#include "contacts/frame_range.hpp"
#include "contacts/io.hpp"
#include "files/input_file.hpp"
#include "picture/picture.hpp"
#include "scene/drawn_hulls.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

// The most hidden points that a page holds beside the visible ones: half a megabyte.
constexpr std::uint32_t kMostInside = 40000;

struct Arguments {
    std::string scene;
    std::string contacts;
    std::string output;
    std::string up;
    std::int64_t frame = -1;
    PictureOptions options;
};

Vec3d position_of(const SceneFrame& frame, std::uint32_t body) {
    if (frame.position.empty()) {
        const double* p = frame.position_double.data() + std::size_t{body} * 3;
        return {p[0], p[1], p[2]};
    }
    const float* p = frame.position.data() + std::size_t{body} * 3;
    return to_double(Vec3f{p[0], p[1], p[2]});
}

// Collects the points of every record.
template <class M>
void add_points(const RecordsReader& reader, const SceneFrame& frame, std::uint64_t bodies, PictureInput& input) {
    std::vector<M> records(reader.length());
    reader.read(0, std::span<M>(records));
    for (const M& m : records) {
        if (m.pair[0] >= bodies || m.pair[1] >= bodies) {
            throw bad_input("{}: a record names body {}, but the scene has {}: are these contacts of that scene?",
                            reader.path().string(), std::max(m.pair[0], m.pair[1]), bodies);
        }
        const Vec3d origin = position_of(frame, m.pair[0]);
        const Vec3d normal = to_double(Vec3f{m.normal[0], m.normal[1], m.normal[2]});
        for (std::size_t i = 0; i < std::min<std::size_t>(m.count, M::kCapacity); ++i) {
            const ContactPoint& p = m.points[i];
            input.contacts.push_back(
                {origin + to_double(Vec3f{p.position[0], p.position[1], p.position[2]}), normal, p.separation});
        }
    }
}

void add_contacts(const Arguments& arguments, const Scene& scene, const SceneFrame& frame, PictureInput& input) {
    const ContactsReader contacts(arguments.contacts);
    if (contacts.frames_in_scene() != scene.frames()) {
        throw bad_input("{}: made from a scene of {} frames, {} has {}", arguments.contacts, contacts.frames_in_scene(),
                        arguments.scene, scene.frames());
    }
    const auto finished = contacts.frames();
    if (!std::binary_search(finished.begin(), finished.end(), frame.index)) {
        throw bad_input("{}: frame {} has not been computed", arguments.contacts, frame.index);
    }
    const FrameSummary summary = contacts.summary(frame.index);
    const RecordsReader records = open_whole(contacts, frame.index);
    if (contacts.settings().capacity == 16) {
        add_points<Manifold16>(records, frame, scene.bodies(), input);
    } else {
        add_points<Manifold4>(records, frame, scene.bodies(), input);
    }
    const auto line = [&](std::string name, std::string value) {
        input.legend.emplace_back(std::move(name), std::move(value));
    };
    line("candidate pairs", with_commas(summary.pairs));
    line(fmt::format("touching (margin {} {})", contacts.settings().margin, printable(scene.info().unit)),
         with_commas(summary.touching));
    line("overlapping", with_commas(summary.overlapping));
    line("contact points", with_commas(summary.points));
    const auto kinds = [&](std::initializer_list<ContactKind> of) {
        std::uint64_t sum = 0;
        for (const ContactKind k : of) sum += summary.by_kind[static_cast<std::size_t>(k)];
        return with_commas(sum);
    };
    line("face contacts", kinds({ContactKind::face_a, ContactKind::face_b}));
    line("edge and vertex contacts", kinds({ContactKind::edge_edge, ContactKind::vertex_edge, ContactKind::edge_vertex,
                                            ContactKind::vertex_vertex}));
}

void run(Arguments& arguments) {
    if (!arguments.up.empty()) static_cast<void>(parse_axis(arguments.up, "--up"));
    const fs::path named = arguments.output;
    const std::string extension = named.extension().string();
    if (extension != ".svg" && extension != ".html") {
        throw bad_input("{}: the picture must end in .svg or .html", named.string());
    }
    if (arguments.options.width < 200 || arguments.options.height < 200 || arguments.options.width > 20000 ||
        arguments.options.height > 20000) {
        throw bad_input("--width and --height must be between 200 and 20000 pixels");
    }
    const auto check_angle = [](const char* option, double value) {
        if (!std::isfinite(value)) throw bad_input("{} {}: expected degrees", option, value);
    };
    check_angle("--azimuth", arguments.options.azimuth);
    check_angle("--elevation", arguments.options.elevation);
    static_cast<void>(output_file(named));  // refuses what is no file before the work begins
    const Scene scene(arguments.scene);
    const std::uint64_t frame_number = one_frame(arguments.scene, arguments.frame, scene.frames());
    const HullSet hulls = drawn_hulls(scene, scene.build_hulls(), frame_number);
    SceneFrame frame;
    scene.read_frame(frame_number, frame);
    arguments.options.up = arguments.up.empty() ? scene.info().up_axis() : parse_axis(arguments.up, "--up");
    arguments.options.left_handed = scene.info().is_left_handed();

    PictureInput input;
    input.hulls = &hulls;
    input.bodies = scene.view(frame);
    input.inverse_mass = scene.inverse_mass();
    const fs::path folder = fs::path(arguments.scene).lexically_normal();
    const std::string name =
        folder.has_filename() ? folder.filename().string() : folder.parent_path().filename().string();
    const SceneInfo& info = scene.info();
    input.title = fmt::format("{}, frame {} of {} to {}", printable(name), info.number_of(frame_number),
                              info.number_of(0), info.number_of(scene.frames() - 1));
    input.legend.emplace_back("bodies", with_commas(scene.bodies()));
    if (!frame.active.empty()) {
        const auto there = std::count(frame.active.begin(), frame.active.end(), 1);
        input.legend.emplace_back("  of these in this frame", with_commas(static_cast<std::uint64_t>(there)));
    }
    input.legend.emplace_back("distinct hulls", with_commas(scene.hulls()));
    if (!arguments.contacts.empty()) add_contacts(arguments, scene, frame, input);

    const bool page = extension == ".html";
    if (page) arguments.options.max_inside = kMostInside;
    const Picture picture = draw_picture(input, arguments.options);
    write_output(named, page ? picture_page(picture, input.title) : picture.svg);
    if (picture.faces == 0) {
        std::fprintf(stderr, "lanefold: nothing is in sight: the bodies are too far apart, or there are none\n");
    }
    std::printf("%s: %s, %s faces and %s contact points drawn (%s and %s hidden)\n", printable(named.string()).c_str(),
                input.title.c_str(), with_commas(picture.faces).c_str(), with_commas(picture.contacts).c_str(),
                with_commas(picture.faces_hidden).c_str(), with_commas(picture.contacts_hidden).c_str());
}

}  // namespace

void add_picture(CLI::App& app) {
    CLI::App* const command =
        app.add_subcommand("picture", "Draw one frame's hulls and contacts into an SVG or HTML file");
    auto arguments = std::make_shared<Arguments>();
    Arguments& a = *arguments;
    command->add_option("scene", a.scene, "Scene folder")->required()->type_name("SCENE");
    command->add_option("contacts", a.contacts, "Contacts folder; without it only the hulls are drawn")
        ->type_name("CONTACTS");
    command->add_option("-o,--output", a.output, "File to write; .svg, or .html with switches and zoom")
        ->required()
        ->type_name("FILE");
    command->add_option("--frame", a.frame, "Frame to draw; negative: from the end")->capture_default_str();
    command->add_option("--up", a.up, "Axis that points up: x, y or z; unless given, that of the scene, else y");
    command->add_option("--azimuth", a.options.azimuth, "Direction to look from, degrees")->capture_default_str();
    command->add_option("--elevation", a.options.elevation, "Degrees above the horizon")->capture_default_str();
    command->add_option("--width", a.options.width, "Pixels")->capture_default_str();
    command->add_option("--height", a.options.height, "Pixels")->capture_default_str();
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
