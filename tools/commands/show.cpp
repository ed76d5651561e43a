// SPDX-License-Identifier: MIT
//
// `lanefold show`: the steps from one pair's axes to its points as text, and as SVG on request.

#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/method_options.hpp"
#include "commands/pair_option.hpp"
#include "commands/whole_number.hpp"
#include "console/failure.hpp"
#include "console/printable.hpp"
#include "contacts/frame_range.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"
#include "picture/candidates_text.hpp"
#include "picture/ground_text.hpp"
#include "picture/pair_story.hpp"
#include "picture/pair_text.hpp"
#include "picture/published_story.hpp"
#include "picture/story.hpp"
#include "scene/hull_sources.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::string scene;
    std::string pair;
    std::string output;
    std::int64_t frame = 0;
    bool candidates = false;
    StoryRequest request;
    MethodOptions method;
};

void apply_method(const MethodOptions& method, StoryRequest& request) {
    ContactsSettings settings;
    settings.margin = request.margin;
    settings.face_preference = request.face_preference;
    method.apply(settings);
    request.face_preference = settings.face_preference;
    request.method = settings.method;
    request.points = settings.points;
    request.band = settings.band;
    request.feature_angle = settings.feature_angle;
}

// Brute force tries each pair of edges against all vertices. Beyond this many products it takes minutes.
constexpr double kMostProducts = 5e9;

std::size_t axes_to_try(const Scene& scene, const HullSet& hulls, const StoryRequest& request) {
    double edges = 1, vertices = 0;
    for (const std::uint32_t body : {request.pair.a, request.pair.b}) {
        if (body >= scene.bodies()) return request.best;  // refused by tell_pair()
        const HullRecord& hull = hulls[scene.body_hull()[body]];
        edges *= hull.edge_count;
        vertices += hull.vertex_count;
    }
    return edges * vertices > kMostProducts ? 0 : request.best;
}

// Only published-literal takes the solids of the source; every other method has the scene's float32.
PairSources sources_of(const Scene& scene, const StoryRequest& request) {
    PairSources out;
    if (request.method != Method::published_literal) return out;
    const auto all = read_hull_sources(scene);
    const auto find = [&](std::uint32_t body) -> std::optional<published::Polyhedron> {
        const auto at = all.find(scene.body_hull()[body]);
        return at == all.end() ? std::nullopt : std::optional(at->second);
    };
    out.a = find(request.pair.a);
    out.b = find(request.pair.b);
    return out;
}

std::string title_of(const Arguments& arguments, std::uint64_t frame) {
    const fs::path folder = fs::path(arguments.scene).lexically_normal();
    const std::string name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
    const Pair& pair = arguments.request.pair;
    return fmt::format("{}, frame {}: bodies {} and {}", printable(name), frame, pair.a, pair.b);
}

// A pair with a surface has another story, without a picture and without candidates.
bool is_told_as_ground(const Arguments& arguments, const HullSet& hulls, const Scene& scene, const SceneFrame& frame,
                       const std::string& title) {
    const Pair& pair = arguments.request.pair;
    const BodyD a = body_of(frame, scene, pair.a);
    const BodyD b = body_of(frame, scene, pair.b);
    if (!has_surface(hulls, a, b)) return false;
    if (!arguments.output.empty() || arguments.candidates) {
        throw bad_input("{}: not of a pair with a surface; `lanefold picture` draws the frame",
                        arguments.output.empty() ? "--candidates" : "-o " + arguments.output);
    }
    fmt::print("{}\n{}", title, tell_ground(hulls, a, b, arguments.request));
    return true;
}

void run(Arguments& arguments) {
    StoryRequest& request = arguments.request;
    request.pair = parse_pair(arguments.pair);
    if (!(request.margin >= 0) || !std::isfinite(request.margin))
        throw bad_input("--margin {}: expected a number >= 0", request.margin);
    if (!(request.face_preference >= 0) || !std::isfinite(request.face_preference)) {
        throw bad_input("--face-preference {}: expected a number >= 0", request.face_preference);
    }
    apply_method(arguments.method, request);
    const fs::path output = arguments.output;
    if (!output.empty() && output.extension() != ".svg") {
        throw bad_input("{}: the picture must end in .svg", output.string());
    }
    if (!output.empty()) static_cast<void>(output_file(output));  // refuses what is no file before the work begins
    const Scene scene(arguments.scene);
    const std::uint64_t number = one_frame(arguments.scene, arguments.frame, scene.frames());
    const HullSet hulls = scene.build_hulls();
    SceneFrame frame;
    scene.read_frame(number, frame);
    const std::string title = title_of(arguments, number);
    require_pair(scene, frame, request.pair);
    if (is_told_as_ground(arguments, hulls, scene, frame, title)) return;
    request.best = axes_to_try(scene, hulls, request);
    const PairStory story = tell_pair(scene, hulls, frame, request);
    if (!output.empty()) write_output(output, draw_story(story, title));
    print_story(hulls, story, title);
    if (arguments.candidates) {
        fmt::print("\nCandidates for the manifold, in float64\n{}", tell_candidates(story, request));
    }
    if (is_impact_only(request.method)) {
        const PairSources sources = sources_of(scene, request);
        fmt::print("\nAs the source prints it ({}, world coordinates{})\n{}", to_string(request.method),
                   sources.a || sources.b ? ", numbers and numbering of hull_sources.json" : "",
                   tell_as_published(story, request.method, sources));
    }
    if (!output.empty()) fmt::print("\nwritten to {}\n", printable(output.string()));
}

}  // namespace

void add_show(CLI::App& app) {
    CLI::App* const command = app.add_subcommand("show", "Show each step for one pair: axes, choice, clipping, points");
    auto arguments = std::make_shared<Arguments>();
    Arguments& a = *arguments;
    command->add_option("scene", a.scene, "Scene folder")->required()->type_name("SCENE");
    command->add_option("--pair", a.pair, "Two bodies, as in 12,57")->required()->type_name("A,B");
    command->add_option("--frame", a.frame, "Frame of the pair; negative: from the end")->capture_default_str();
    command->add_option("--margin", a.request.margin, "As for collide")->capture_default_str();
    command->add_option("--face-preference", a.request.face_preference, "As for collide")->capture_default_str();
    a.method.add_to(*command);
    command->add_option("--axes", a.request.best, "How many axes of each source to print")
        ->check(whole_number())
        ->capture_default_str();
    command->add_flag("--candidates", a.candidates, "List the candidates for the manifold, and why each was refused");
    command->add_option("-o,--output", a.output, "Draw the pair, too")->type_name("FILE.svg");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
