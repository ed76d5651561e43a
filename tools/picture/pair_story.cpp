// SPDX-License-Identifier: MIT
//
// Computes axes by brute force, clips by the method of Sutherland and Hodgman, and adds the engine's record.

#include "picture/pair_story.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include <fmt/format.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/round.hpp>
#include <lanefold/reference.hpp>
#include <lanefold/serial.hpp>

#include "console/failure.hpp"
#include "contacts/reference_batch.hpp"
#include "picture/method_steps.hpp"
#include "scene/other_shapes.hpp"

namespace lanefold::tools {

namespace {

// Two edges with a sine below this between them are parallel: their cross product is no axis.
constexpr double kParallel = 1e-7;
// Separations count as equal below this difference, relative to the smaller hull.
constexpr double kEqual = 2e-6;

PlacedHull place(const HullSet& hulls, const BodyD& body, std::uint32_t index, const Vec3d& origin) {
    PlacedHull out;
    out.body = index;
    out.hull = body.hull;
    out.record = &hulls[body.hull];
    out.world = {body.position[0], body.position[1], body.position[2]};
    normalize(body.orientation, out.orientation);
    const PoseD pose{rotation(out.orientation), out.world - origin};
    for (const Vec3f& v : hulls.vertices(body.hull)) out.vertices.push_back(transform(pose, to_double(v)));
    const detail::HullView view(*out.record);
    const Mat3d turn = pose.rotation * view.internal_to_input().rotation;
    for (std::uint32_t f = 0; f < out.record->face_count; ++f) {
        out.normals.push_back(normalized(turn * view.normal(f)));
        std::vector<std::uint32_t>& loop = out.faces.emplace_back();
        for (std::uint32_t k = view.face_first[f]; k < view.face_first[f + 1]; ++k) {
            loop.push_back(view.face_vertex[k]);
        }
    }
    for (std::uint32_t e = 0; e < out.record->edge_count; ++e) {
        out.edges.push_back({view.edge_vertex[2 * e], view.edge_vertex[2 * e + 1]});
    }
    return out;
}

// The support of the hull, with its radius, along a unit direction.
double highest(const PlacedHull& h, const Vec3d& direction) {
    double out = -std::numeric_limits<double>::infinity();
    for (const Vec3d& v : h.vertices) out = std::max(out, dot(v, direction));
    return out + static_cast<double>(h.record->round_radius);
}

// min over b - max over a.
double separation(const PairStory& s, const Vec3d& normal) { return -highest(s.b, -normal) - highest(s.a, normal); }

void keep(std::vector<StoryAxis>& list, const StoryAxis& axis, std::size_t best) {
    const auto at = std::upper_bound(list.begin(), list.end(), axis, [](const StoryAxis& x, const StoryAxis& y) {
        return x.separation > y.separation;
    });
    list.insert(at, axis);
    if (list.size() > best) list.pop_back();
}

void try_axes(PairStory& s, std::size_t best) {
    for (std::uint32_t f = 0; f < s.a.normals.size(); ++f) {
        const Vec3d& n = s.a.normals[f];
        keep(s.faces_a, {AxisSource::face_a, f, 0, n, separation(s, n)}, best);
    }
    for (std::uint32_t f = 0; f < s.b.normals.size(); ++f) {
        const Vec3d n = -s.b.normals[f];
        keep(s.faces_b, {AxisSource::face_b, 0, f, n, separation(s, n)}, best);
    }
    for (std::uint32_t i = 0; i < s.a.edges.size(); ++i) {
        const Vec3d da = normalized(s.a.vertices[s.a.edges[i].v1] - s.a.vertices[s.a.edges[i].v0]);
        for (std::uint32_t k = 0; k < s.b.edges.size(); ++k) {
            const Vec3d db = normalized(s.b.vertices[s.b.edges[k].v1] - s.b.vertices[s.b.edges[k].v0]);
            const Vec3d across = cross(da, db);
            if (length(across) < kParallel) continue;
            const Vec3d n = normalized(across);
            // Tries both directions: the direction between the centres does not decide the sign.
            const double there = separation(s, n);
            const double back = separation(s, -n);
            keep(s.edges, {AxisSource::edges, i, k, there >= back ? n : -n, std::max(there, back)}, best);
        }
    }
}

// The corners of `polygon` that are not outside the plane through p with this outward normal.
std::vector<Vec3d> cut(const std::vector<Vec3d>& polygon, const Vec3d& p, const Vec3d& outward) {
    std::vector<Vec3d> out;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3d& x = polygon[i];
        const Vec3d& y = polygon[(i + 1) % polygon.size()];
        const double hx = dot(x - p, outward);
        const double hy = dot(y - p, outward);
        if (hx <= 0) out.push_back(x);
        if ((hx < 0 && hy > 0) || (hx > 0 && hy < 0)) out.push_back(x + (y - x) * (hx / (hx - hy)));
    }
    return out;
}

void clip(PairStory& s) {
    const bool on_a = s.many.kind == ContactKind::face_a;
    const PlacedHull& reference = on_a ? s.a : s.b;
    const PlacedHull& incident = on_a ? s.b : s.a;
    const std::uint32_t face = on_a ? s.many.feature_a : s.many.feature_b;
    s.reference = reference.polygon(face);
    s.incident = incident.polygon(on_a ? s.many.feature_b : s.many.feature_a);
    std::vector<Vec3d> left = s.incident;
    const std::vector<std::uint32_t>& loop = reference.faces[face];
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const std::uint32_t from = loop[k];
        const std::uint32_t to = loop[(k + 1) % loop.size()];
        const Vec3d& p = reference.vertices[from];
        left = cut(left, p, normalized(cross(reference.vertices[to] - p, reference.normals[face])));
        s.steps.push_back({from, to, left});
    }
}

double best_of(const std::vector<StoryAxis>& list) {
    return list.empty() ? -std::numeric_limits<double>::infinity() : list.front().separation;
}

std::string explain(const PairStory& s, double small) {
    const double face = std::max(best_of(s.faces_a), best_of(s.faces_b));
    const double edge = best_of(s.edges);
    const double equal = kEqual * small;
    switch (s.many.kind) {
        case ContactKind::none:
            return fmt::format("no contact: the hulls are {:.6g} apart, more than the margin", s.oracle_distance);
        case ContactKind::face_a:
        case ContactKind::face_b:
            if (face >= edge - equal) {
                return "face contact: no pair of edges separates the hulls better than the best face";
            }
            if (face >= edge - s.preference - equal) {
                return fmt::format(
                    "face contact by preference: edges are better by {:.6g}, not more than the preference of {:.6g} "
                    "for contacts with more points",
                    edge - face, s.preference);
            }
            return "face contact: its plane holds the features that are nearest to each other";
        case ContactKind::edge_edge:
            if (edge > face + s.preference - equal) {
                return fmt::format(
                    "edge contact: better than the best face by {:.6g}, more than the preference of {:.6g}",
                    edge - face, s.preference);
            }
            return "edge contact: the clipped face would lack the deepest point, or the edges are nearest when apart";
        default:
            return "apart: these features are nearest to each other; no single face or pair of edges shows the "
                   "distance";
    }
}

std::string explain_reference(const PairStory& s) {
    const std::string method = to_string(s.method);
    if (s.many.kind == ContactKind::none) return method + ": no overlap";
    if (s.method == Method::published_literal) return method + ": the largest separation of the axes that it tests";
    return method + ": the largest separation of all axes; faces win against edges within 1e-8";
}

// Computes the records of 16 and of 4 points by the method.
void compute_records(const HullSet& hulls, const BodyD& a, const BodyD& b, const StoryRequest& request, PairStory& s) {
    if (is_reference(request.method)) {
        const BodyD bodies[] = {a, b};
        const Pair pair[] = {{0, 1}};
        const ReferenceSettings settings{request.method, request.points, static_cast<double>(request.feature_angle)};
        const BodyView view{std::span<const BodyD>(bodies)};
        BatchResult done = collide_reference(hulls, view, pair, settings, {}, std::span(&s.many, 1));
        if (done.status) done = collide_reference(hulls, view, pair, settings, {}, std::span(&s.four, 1));
        if (s.many.status != Status::ok)
            throw bad_input("--pair {},{}: {}", request.pair.a, request.pair.b, to_string(s.many.status));
        if (!done.status) throw bad_input("{} ({})", done.status.what, to_string(done.status.code));
        return;
    }
    Options options;
    options.margin = request.margin;
    options.face_preference = request.face_preference;
    if (request.method == Method::patch) options.method = ContactMethod::patch;
    options.patch_band = request.band;
    options.points = request.points;
    Workspace workspace;
    BatchResult done = collide_pair(hulls, a, b, options, s.many, workspace);
    if (done.status) done = collide_pair(hulls, a, b, options, s.four, workspace);
    if (!done.status) throw bad_input("{} ({})", done.status.what, to_string(done.status.code));
}

// Axes, faces and clips are those of two hulls.
void require_hull(const HullSet& hulls, const BodyD& body, std::uint32_t index) {
    const ShapeKind kind = hulls[body.hull].shape;
    if (kind == ShapeKind::hull) return;
    throw bad_input("body {} is a {}: a pair is told step by step only if both are hulls", index, to_string(kind));
}

}  // namespace

std::vector<Vec3d> PlacedHull::polygon(std::uint32_t face) const {
    if (faces.empty()) return vertices;  // a point or a segment
    std::vector<Vec3d> out;
    for (const std::uint32_t v : faces[face]) out.push_back(vertices[v]);
    return out;
}

PairStory tell_pair(const HullSet& hulls, const BodyD& a, const BodyD& b, const StoryRequest& request) {
    require_hull(hulls, a, request.pair.a);
    require_hull(hulls, b, request.pair.b);
    PairStory s;
    s.margin = request.margin;
    const Vec3d origin{a.position[0], a.position[1], a.position[2]};
    s.a = place(hulls, a, request.pair.a, origin);
    s.b = place(hulls, b, request.pair.b, origin);
    const double small = std::min(detail::unit_size(*s.a.record), detail::unit_size(*s.b.record));
    s.preference = static_cast<double>(request.face_preference) * small;

    s.method = request.method;
    compute_records(hulls, a, b, request, s);

    const reference::OracleHull oracle_a =
        reference::make_oracle_hull(hulls.vertices(a.hull), hulls[a.hull].round_radius);
    const reference::OracleHull oracle_b =
        reference::make_oracle_hull(hulls.vertices(b.hull), hulls[b.hull].round_radius);
    const reference::OracleResult oracle =
        reference::signed_distance(oracle_a, reference::oracle_pose(a.position, a.orientation), oracle_b,
                                   reference::oracle_pose(b.position, b.orientation));
    s.oracle_distance = oracle.distance;
    s.oracle_normal = oracle.normal;
    s.axes_tried = request.best > 0;
    if (s.axes_tried) try_axes(s, request.best);
    const bool face = s.many.kind == ContactKind::face_a || s.many.kind == ContactKind::face_b;
    if (face && !is_reference(request.method)) clip(s);
    if (s.many.kind != ContactKind::none) trace_method(request, s);
    s.reason = is_reference(request.method) ? explain_reference(s)
               : request.best > 0           ? explain(s, small)
                                            : fmt::format("{}: axes were not tried one by one", to_string(s.many.kind));
    if (s.many.kind != ContactKind::none) {
        const Vec3f n{s.many.normal[0], s.many.normal[1], s.many.normal[2]};
        s.separation_along_normal = separation(s, to_double(n));
    }
    return s;
}

}  // namespace lanefold::tools
