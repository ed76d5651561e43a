// SPDX-License-Identifier: MIT
//
// `lanefold show`: the steps from one pair's axes to its points as text, and as SVG on request.

#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <lanefold/feature.hpp>

#include "commands/commands.hpp"
#include "commands/method_options.hpp"
#include "console/failure.hpp"
#include "console/printable.hpp"
#include "contacts/frame_range.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"
#include "picture/pair_story.hpp"
#include "picture/published_story.hpp"
#include "picture/story.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::string scene;
    std::string pair;
    std::string output;
    std::int64_t frame = 0;
    StoryRequest request;
    MethodOptions method;
};

std::string text(const Vec3d& v) {
    // Prints -0 and rounding errors as 0.
    const auto plain = [](double x) { return std::fabs(x) < 5e-7 ? 0.0 : x; };
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", plain(v.x), plain(v.y), plain(v.z));
}

std::string text(const Feature& f) {
    const char* const names[] = {"face", "edge", "vertex"};
    return fmt::format("{} {}", names[static_cast<std::size_t>(f.type)], f.index);
}

void print_body(char name, const PlacedHull& h) {
    const HullRecord& r = *h.record;
    fmt::print("  {}: body {}, hull {}: {} vertices, {} faces, {} edges, size {:.6g}{}\n", name, h.body, h.hull,
               r.vertex_count, r.face_count, r.edge_count, r.size, r.is_box() ? ", a box" : "");
    const Quat& q = h.orientation;
    fmt::print("     position {}, orientation ({:.6g}, {:.6g}, {:.6g}, {:.6g})\n", text(h.world), q.x, q.y, q.z, q.w);
}

void print_axes(const char* title, const PairStory& s, const std::vector<StoryAxis>& axes) {
    fmt::print("  {}\n", title);
    for (const StoryAxis& axis : axes) {
        std::string what;
        if (axis.source == AxisSource::face_a) what = fmt::format("face {}", axis.a);
        if (axis.source == AxisSource::face_b) what = fmt::format("face {}", axis.b);
        if (axis.source == AxisSource::edges) {
            const PlacedHull::Edge& a = s.a.edges[axis.a];
            const PlacedHull::Edge& b = s.b.edges[axis.b];
            what = fmt::format("edge {} ({}-{}) x edge {} ({}-{})", axis.a, a.v0, a.v1, axis.b, b.v0, b.v1);
        }
        fmt::print("    {:<34} separation {:>12.6g}   normal {}\n", what, axis.separation, text(axis.normal));
    }
    if (axes.empty()) fmt::print("    none\n");
}

void print_clipping(const PairStory& s) {
    const bool on_a = s.many.kind == ContactKind::face_a;
    fmt::print("\nClipping: face {} of {} ({} corners) by the sides of face {} of {}\n",
               on_a ? s.many.feature_b : s.many.feature_a, on_a ? 'b' : 'a', s.incident.size(),
               on_a ? s.many.feature_a : s.many.feature_b, on_a ? 'a' : 'b');
    std::size_t before = s.incident.size();
    for (std::size_t i = 0; i < s.steps.size(); ++i) {
        const ClipStep& step = s.steps[i];
        fmt::print("  side {} (vertex {} to {}): {} corners become {}\n", i, step.from, step.to, before,
                   step.left.size());
        before = step.left.size();
    }
}

void print_points(const HullSet& hulls, const PairStory& s) {
    fmt::print("\nPoints (offsets from a's position, {}): {}",
               is_impact_only(s.method) ? "on the incident hull" : "midway between the surfaces", s.many.total);
    if (s.many.total > s.four.count) fmt::print(", of which a manifold of 4 keeps those marked *");
    fmt::print("\n");
    const FeatureCounts counts_a = hulls[s.a.hull].feature_counts();
    const FeatureCounts counts_b = hulls[s.b.hull].feature_counts();
    for (std::size_t i = 0; i < s.many.count; ++i) {
        const ContactPoint& p = s.many.points[i];
        bool kept = false;
        for (std::size_t k = 0; k < s.four.count; ++k) kept = kept || s.four.points[k].feature == p.feature;
        const std::optional<FeaturePair> features = decode_feature(counts_a, counts_b, p.feature);
        const std::string who =
            features ? fmt::format("{} of a, {} of b", text(features->a), text(features->b)) : "not decodable";
        const Vec3d at = to_double(Vec3f{p.position[0], p.position[1], p.position[2]});
        fmt::print("  {} {:>2}  {:<40} separation {:>12.6g}   {}\n", kept ? '*' : ' ', i, text(at), p.separation, who);
    }
    if (s.many.total > s.many.count) fmt::print("  and {} more\n", s.many.total - s.many.count);
}

void print_story(const HullSet& hulls, const PairStory& s, const std::string& title) {
    fmt::print("{}\n", title);
    print_body('a', s.a);
    print_body('b', s.b);
    fmt::print("  margin {}, face preference {:.6g} (a length)\n", s.margin, s.preference);
    fmt::print("\nAxes, by brute force in float64 (the largest separation of all decides)\n");
    print_axes("faces of a", s, s.faces_a);
    print_axes("faces of b", s, s.faces_b);
    print_axes("edges of a x edges of b", s, s.edges);
    fmt::print("\nChosen: {}\n", s.reason);
    if (s.many.kind != ContactKind::none) {
        fmt::print("  {}, distance {:.9g}, normal {}\n", to_string(s.many.kind), s.many.distance,
                   text(to_double(Vec3f{s.many.normal[0], s.many.normal[1], s.many.normal[2]})));
    }
    fmt::print("  oracle:    distance {:.9g}, normal {}\n", s.oracle_distance, text(s.oracle_normal));
    if (!s.steps.empty()) print_clipping(s);
    if (s.many.count > 0) print_points(hulls, s);
}

Pair parse_pair(const std::string& given) {
    Pair pair{};
    const char* const end = given.data() + given.size();
    const auto [comma, first] = std::from_chars(given.data(), end, pair.a);
    if (first == std::errc{} && comma != end && *comma == ',') {
        const auto [stop, second] = std::from_chars(comma + 1, end, pair.b);
        if (second == std::errc{} && stop == end) return pair;
    }
    throw bad_input("--pair {}: expected two bodies, as in 12,57", given);
}

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
    const PairStory story = tell_pair(scene, hulls, frame, request);
    const fs::path folder = fs::path(arguments.scene).lexically_normal();
    const std::string name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
    const std::string title =
        fmt::format("{}, frame {}: bodies {} and {}", printable(name), number, request.pair.a, request.pair.b);
    if (!output.empty()) write_output(output, draw_story(story, title));
    print_story(hulls, story, title);
    if (is_impact_only(request.method)) {
        fmt::print("\nAs the source prints it ({}, world coordinates)\n{}", to_string(request.method),
                   tell_as_published(story, request.method));
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
    command->add_option("--axes", a.request.best, "How many axes of each source to print")->capture_default_str();
    command->add_option("-o,--output", a.output, "Draw the pair, too")->type_name("FILE.svg");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
