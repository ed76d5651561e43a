// SPDX-License-Identifier: MIT
//
// Writes the result of separating axes, then the points of clipping, as text.

#include "picture/published_story.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lanefold/published.hpp>
#include <lanefold/published_literal.hpp>

namespace lanefold::tools {
namespace {

using published::Polyhedron;
using published::Type;

std::string text(const Vec3d& v) { return fmt::format("[ {}, {}, {} ]", v.x, v.y, v.z); }

// The result of separating axes, of either version.
struct Axes {
    bool colliding = false;
    Vec3d mtv;
    std::vector<Vec3d> point;  // one, or none where the source has none
    published::Info info;
};

Axes ask_axes(const Polyhedron& a, const Polyhedron& b, Method method) {
    if (method == Method::published_literal) {
        const published::literal::Result r = published::literal::separating_axes(a, b);
        Axes out{r.colliding && r.found, r.mtv, {}, r.info};
        for (const published::ClipPoint& p : r.points) out.point.push_back(p.position);
        return out;
    }
    const published::Collision c = published::collide(a, b);
    return {c.colliding, c.mtv, {c.point}, c.info};
}

Polyhedron placed(Polyhedron solid, const PoseD& pose) {
    for (Vec3d& p : solid.positions) p = transform(pose, p);
    for (Vec3d& n : solid.normals) n = pose.rotation * n;
    return solid;
}

std::string name_features(const Polyhedron& a, const Polyhedron& b, const published::Info& info) {
    if (info.type == Type::edges) {
        const auto& ea = a.edges[info.index[0]];
        const auto& eb = b.edges[info.index[1]];
        return fmt::format("edge {} of a: vertices {}-{}; edge {} of b: vertices {}-{}", info.index[0], ea[0], ea[1],
                           info.index[1], eb[0], eb[1]);
    }
    const bool on_a = info.type == Type::face_a;
    return fmt::format("face {} of {}: vertices {}; vertex {} of {}", info.index[0], on_a ? 'a' : 'b',
                       fmt::join((on_a ? a : b).faces[info.index[0]], "-"), info.index[1], on_a ? 'b' : 'a');
}

}  // namespace

std::string tell_as_published(const PairStory& story, Method method, const PairSources& sources) {
    const bool literal = method == Method::published_literal;
    const auto polyhedron = [&](const PlacedHull& h, const std::optional<Polyhedron>& source) {
        const PoseD pose{rotation(h.orientation), h.world};
        return literal && source ? placed(*source, pose) : published::make_polyhedron(*h.record, pose);
    };
    const Polyhedron a = polyhedron(story.a, sources.a);
    const Polyhedron b = polyhedron(story.b, sources.b);
    const Axes axes = ask_axes(a, b, method);
    if (!axes.colliding) return "no collision\n";
    const published::Info& info = axes.info;
    std::string out = fmt::format("{{\n  mtv: {},\n", text(axes.mtv));
    out += fmt::format("  point: {},\n",
                       axes.point.empty() ? "not defined: the edges are too short" : text(axes.point[0]));
    out += fmt::format(
        "  info: {{\n    type: {},\n    index: [ {}, {} ],\n    separation: {},\n    normal: {}\n  }}\n}}\n",
        static_cast<int>(info.type), info.index[0], info.index[1], info.separation, text(info.normal));
    out += name_features(a, b, info) + "\n";

    std::vector<published::ClipPoint> points;
    if (literal) {
        points = published::literal::clipping_manifold(a, b).points;
    } else {
        points = published::clip_on_collision_plane(a, b, published::collide(a, b)).points;
    }
    out += fmt::format("points by clipping on the collision plane: {}\n", points.size());
    for (const published::ClipPoint& p : points) out += fmt::format("  {}\n", text(p.position));
    return out;
}

}  // namespace lanefold::tools
