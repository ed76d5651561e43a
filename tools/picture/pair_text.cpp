// SPDX-License-Identifier: MIT
//
// Writes the story of a pair with `fmt`: a block for each stage, in the order in which the stages run.

#include "picture/pair_text.hpp"

#include <cmath>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include <lanefold/feature.hpp>

#include "picture/steps_text.hpp"

namespace lanefold::tools {
namespace {

void print_body(char name, const PlacedHull& h) {
    fmt::print("  {}: body {}, hull {}: {}\n{}", name, h.body, h.hull, hull_text(*h.record),
               place_text(h.world, h.orientation));
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
        fmt::print("    {:<34} separation {:>12.6g}   normal {}\n", what, axis.separation, vector_text(axis.normal));
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
            features ? fmt::format("{} of a, {} of b", feature_text(features->a), feature_text(features->b))
                     : "not decodable";
        const Vec3d at = to_double(Vec3f{p.position[0], p.position[1], p.position[2]});
        fmt::print("  {} {:>2}  {:<40} separation {:>12.6g}   {}\n", kept ? '*' : ' ', i, vector_text(at), p.separation,
                   who);
    }
    if (s.many.total > s.many.count) fmt::print("  and {} more\n", s.many.total - s.many.count);
}

}  // namespace

std::string hull_text(const HullRecord& hull) {
    return fmt::format("{} vertices, {} faces, {} edges, size {:.6g}{}{}", hull.vertex_count, hull.face_count,
                       hull.edge_count, hull.size, hull.is_box() ? ", a box" : "",
                       hull.round_radius > 0 ? fmt::format(", rounded by {:.6g}", hull.round_radius) : "");
}

std::string place_text(const Vec3d& at, const Quat& orientation) {
    const Quat& q = orientation;
    return fmt::format("     position {}, orientation ({:.6g}, {:.6g}, {:.6g}, {:.6g})\n", vector_text(at), q.x, q.y,
                       q.z, q.w);
}

std::string vector_text(const Vec3d& v) {
    // Prints -0 and rounding errors as 0.
    const auto plain = [](double x) { return std::fabs(x) < 5e-7 ? 0.0 : x; };
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", plain(v.x), plain(v.y), plain(v.z));
}

std::string feature_text(const Feature& f) {
    const char* const names[] = {"face", "edge", "vertex"};
    return fmt::format("{} {}", names[static_cast<std::size_t>(f.type)], f.index);
}

void print_story(const HullSet& hulls, const PairStory& s, const std::string& title) {
    fmt::print("{}\n", title);
    print_body('a', s.a);
    print_body('b', s.b);
    fmt::print("  margin {}, face preference {:.6g} (a length)\n", s.margin, s.preference);
    if (s.axes_tried) {
        fmt::print("\nAxes, by brute force in float64 (the largest separation of all decides)\n");
        print_axes("faces of a", s, s.faces_a);
        print_axes("faces of b", s, s.faces_b);
        print_axes("edges of a x edges of b", s, s.edges);
    } else {
        fmt::print("\nAxes: none tried, of {} pairs of edges\n", s.a.edges.size() * s.b.edges.size());
    }
    fmt::print("\nChosen: {}\n", s.reason);
    if (s.many.kind != ContactKind::none) {
        fmt::print("  {}, distance {:.9g}, normal {}\n", to_string(s.many.kind), s.many.distance,
                   vector_text(to_double(Vec3f{s.many.normal[0], s.many.normal[1], s.many.normal[2]})));
    }
    fmt::print("  oracle:    distance {:.9g}, normal {}\n", s.oracle_distance, vector_text(s.oracle_normal));
    if (s.face_clip) {
        print_face_clip(s);
    } else if (!s.steps.empty()) {
        print_clipping(s);
    }
    if (s.features) print_features(s);
    if (s.many.count > 0) print_points(hulls, s);
}

}  // namespace lanefold::tools
