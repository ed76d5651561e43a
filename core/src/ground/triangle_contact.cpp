// SPDX-License-Identifier: MIT
//
// Two questions. Do core and triangle have a common point? Then the way out is the best admissible direction. If they
// are apart, the contact is along the closest points, and it is this triangle's only if that direction is admissible.

#include "ground/triangle_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanefold::detail {

namespace {

// Distance, relative to the body and to the largest coordinate, below which the direction between closest points is
// rounding: the cores count as touching. Both are parts of the promised bound.
constexpr double kTouch = 1e-7;
constexpr double kTouchOfCoordinates = 1e-10;
// Error of the difference of two closest points, relative to the triangle's largest coordinate: eight roundings.
constexpr double kTiltOfCoordinates = 1e-15;
// Separation, relative to the body, by which a face axis may lack of the distance and still be its direction.
constexpr double kSame = 1e-9;
// Height, relative to the body, within which vertices are level.
constexpr double kLevel = 1e-7;

// A direction this close to the triangle's normal is the normal; refused, and this close to its opposite, it is behind.
constexpr double kSnap = 1e-6;

// The part of the triangle that touches along an axis.
SurfacePart part_of(const GroundAxis& a) {
    switch (a.kind) {
        case GroundAxisKind::arc_end:
        case GroundAxisKind::edges:
            return {FeatureType::edge, a.edge};
        case GroundAxisKind::corner:
            return {FeatureType::vertex, a.edge};
        default:
            return {};
    }
}

double lowest_of(const GroundContact& c, const std::vector<GroundPoint>& points) {
    double s = points[c.first].separation;
    for (std::size_t i = 1; i < c.count; ++i) s = std::min(s, points[c.first + i].separation);
    return s;
}

}  // namespace

bool TriangleSolver::is_beyond(std::uint32_t t) {
    Vec3d corner[3];
    surface_.corners(t, corner);
    if (!body_.has_faces()) return is_away(corner);
    const auto separates = [&](std::uint32_t f) {
        const Vec3d& n = body_.normals[f];
        return bottom_of(corner, n) - body_.offsets[f] > ask_.most;
    };
    if (separates(latest_)) return true;
    for (std::uint32_t f = 0; f < body_.faces(); ++f) {
        if (!separates(f)) continue;
        latest_ = f;
        return true;
    }
    return false;
}

// Whether the ball about a triangle is beyond the margin from a point or a segment.
bool TriangleSolver::is_away(const Vec3d (&corner)[3]) const {
    const TriangleBall ball(corner);
    Vec3d from = ball.middle - body_.vertices[0];
    if (!body_.edges.empty()) {
        const GroundEdge& e = body_.edges[0];
        from = from - e.along * std::clamp(dot(from, e.along), 0.0, e.length);
    }
    const double reach = (ask_.most + ball.radius) * (1 + kSame) + kSame * body_.size;
    return length_squared(from) > reach * reach;
}

// How far the core is behind the plane of the latest triangle, if it is wholly so and not deeper than the thickness.
double TriangleSolver::behind(const GroundTriangle& t) const {
    const bool deep = lowest_ - t.offset - body_.radius < -ask_.thickness;
    return deep || body_.radius > 0 ? 0 : std::max(t.offset - highest_, 0.0);
}

bool TriangleSolver::is_far(const GroundTriangle& t) {
    if (!(t.normal() == normal_)) {
        normal_ = t.normal();
        lowest_ = body_.lowest(normal_).value;
        highest_ = body_.highest(normal_);
    }
    const double s = lowest_ - t.offset;
    if (s > ask_.most || s - body_.radius < -ask_.thickness) return true;
    return !(body_.radius > 0) && highest_ < t.offset;
}

bool TriangleSolver::is_too_deep(const GroundTriangle& t) const {
    return body_.lowest(t.normal()).value - t.offset - body_.radius < -ask_.thickness;
}

// With room for the rounding of a plane through one corner.
bool TriangleSolver::is_off_plane(std::uint32_t t) const {
    const Vec3d n = surface_.view().normal(t);
    const Vec3d at = surface_.corner(t);
    const double offset = dot(n, at);
    const double room =
        kTouch * body_.size + kTouchOfCoordinates * (std::fabs(at.x) + std::fabs(at.y) + std::fabs(at.z));
    const double s = body_.lowest(n).value - offset;
    if (s > ask_.most + room || s - body_.radius < -ask_.thickness - room) return true;
    return !(body_.radius > 0) && body_.highest(n) < offset - room;
}

GroundContact TriangleSolver::solve(GroundTriangle& t, std::vector<GroundPoint>& points) {
    GroundContact c;
    c.triangle = t.number;
    if (is_far(t)) {
        c.nearest = behind(t);
        return c;
    }
    if (!body_.has_faces()) GroundSurface::add_sides(t);
    if (overlap(body_, t, work_.cut)) {
        c.place = GroundPlace::cut;
        surface_.complete(t);
        solve_cut(t, c, points);
        return c;
    }
    closest_ = closest_points(body_, t, ask_.most);
    if (closest_.distance > ask_.most) return c;
    surface_.complete(t);
    if (are_touching(t)) {
        c.place = GroundPlace::cut;
        solve_cut(t, c, points);
        return c;
    }
    c.distance = closest_.distance;
    c.nearest = closest_.distance;
    take_axis(t, closest_, c.axis);
    admit(t, c);
    if (c.place == GroundPlace::apart) apart_points(t, closest_, c, points);
    if (c.place == GroundPlace::behind && closest_.distance < body_.radius) solve_cut(t, c, points);
    return c;
}

// So near that the direction between the closest points is rounding, and not wholly below the triangle's plane.
bool TriangleSolver::are_touching(const GroundTriangle& t) const {
    const double touch = kTouch * body_.size + kTouchOfCoordinates * t.largest_coordinate();
    return closest_.distance <= touch && body_.highest(t.normal()) - t.offset > touch;
}

bool TriangleSolver::measure(GroundTriangle& t, GroundContact& c) {
    c.triangle = t.number;
    if (!body_.has_faces()) GroundSurface::add_sides(t);
    if (overlap(body_, t, work_.cut)) return false;
    closest_ = closest_points(body_, t, std::numeric_limits<double>::infinity());
    if (are_touching(t)) return false;
    c.distance = closest_.distance;
    c.nearest = closest_.distance;
    take_axis(t, closest_, c.axis);
    return true;
}

// A face axis that separates by the whole distance is its direction, free of the rounding of closest points.
void TriangleSolver::take_axis(const GroundTriangle& t, const GroundClosest& closest, GroundAxis& axis) const {
    const double enough = closest.distance - kSame * body_.size;
    axis.u = t.normal();
    axis.separation = body_.lowest(axis.u).value - t.offset;
    axis.kind = GroundAxisKind::own_face;
    if (axis.separation >= enough) return;
    for (std::uint32_t f = 0; f < body_.faces(); ++f) {
        const Vec3d& n = body_.normals[f];
        const double s = bottom_of(t.corner, n) - body_.offsets[f];
        if (s < enough) continue;
        axis = {GroundAxisKind::body_face, -n, s, 0, f};
        return;
    }
    axis.kind = GroundAxisKind::closest;
    axis.u = (closest.on_body - closest.on_triangle) * (1 / closest.distance);
    axis.separation = closest.distance;
}

void TriangleSolver::admit(GroundTriangle& t, GroundContact& c) {
    surface_.complete(t);
    const Admission admission = surface_.admission(t, c.axis.u);
    c.place = GroundPlace::apart;
    if (admission == Admission::admitted) return;
    // The rounding of closest points tilts a short direction, on a large triangle by more than its sides tell.
    const double tilt = std::max(kTiltOfCoordinates * t.largest_coordinate() / c.nearest, kSnap);
    const bool opposite = dot(c.axis.u, t.normal()) < 0 && length(cross(c.axis.u, t.normal())) <= tilt;
    c.place = opposite || admission == Admission::behind ? GroundPlace::behind : GroundPlace::refused;
}

void TriangleSolver::accept(const GroundTriangle& t, GroundContact& c, std::vector<GroundPoint>& points) {
    closest_ = closest_points(body_, t, ask_.most);
    if (length(c.axis.u - t.normal()) < kSnap) {
        c.axis.kind = GroundAxisKind::own_face;
        c.axis.u = t.normal();
    }
    c.place = GroundPlace::apart;
    apart_points(t, closest_, c, points);
}

void TriangleSolver::apart_points(const GroundTriangle& t, const GroundClosest& closest, GroundContact& c,
                                  std::vector<GroundPoint>& points) const {
    c.touching = true;
    c.first = points.size();
    const GroundAxis exact = c.axis;
    const double own = body_.lowest(t.normal()).value - t.offset;
    if (c.axis.kind != GroundAxisKind::own_face && body_.has_faces() && own >= c.distance - ask_.preference) {
        c.axis = {GroundAxisKind::own_face, t.normal(), own, 0, 0};
        if (clip_axis(t, c, points) && lowest_of(c, points) <= c.distance + ask_.preference) return;
        points.resize(c.first);
        c.axis = exact;
    }
    if (c.axis.kind == GroundAxisKind::closest) {
        const BodyPart mine = level_part(c.axis.u);
        if (mine.type == FeatureType::edge && closest.triangle.type != FeatureType::face) {
            for (int k = 0; k < 3 && points.size() < c.first + 2; ++k) {
                const bool level =
                    std::fabs(dot(c.axis.u, t.corner[k] - t.corner[(k + 1) % 3])) < kLevel * body_.size &&
                    std::fabs(dot(c.axis.u, t.corner[k] - closest.on_triangle)) < kLevel * body_.size;
                if (!level) continue;
                points.resize(c.first);
                clip_parts(body_, surface_, t, {FeatureType::edge, k}, mine, c.axis.u, ask_.most, work_.clip, points);
                c.axis.edge = k;
                c.axis.part = mine.index;
            }
            c.count = points.size() - c.first;
            if (c.count == 2) {
                c.kind = ContactKind::edge_edge;
                c.feature_body = mine.index;
                c.feature_surface = surface_.edge_number(t.number, c.axis.edge);
                return;
            }
            points.resize(c.first);
        }
    } else if (clip_axis(t, c, points)) {
        return;
    }
    single_point(t, closest, c, points);
}

void TriangleSolver::single_point(const GroundTriangle& t, const GroundClosest& closest, GroundContact& c,
                                  std::vector<GroundPoint>& points) const {
    const bool edge = closest.triangle.type == FeatureType::edge;
    Feature its{closest.triangle.type, t.number};
    if (edge) its.index = surface_.edge_number(t.number, closest.triangle.index);
    if (closest.triangle.type == FeatureType::vertex) {
        its.index = t.face.vertex[static_cast<std::size_t>(closest.triangle.index)];
    }
    points.push_back({(closest.on_body + closest.on_triangle) * 0.5, closest.distance, closest.body, its, t.number});
    c.count = 1;
    c.feature_body = closest.body.index;
    c.feature_surface = its.index;
    if (its.type == FeatureType::face) {
        name(t, part_against(c.axis.u), c);
    } else if (closest.body.type == FeatureType::face) {
        c.kind = ContactKind::face_a;
        c.feature_surface = t.number;
    } else if (closest.body.type == FeatureType::edge) {
        c.kind = edge ? ContactKind::edge_edge : ContactKind::edge_vertex;
    } else {
        c.kind = edge ? ContactKind::vertex_edge : ContactKind::vertex_vertex;
    }
}

void TriangleSolver::solve_cut(const GroundTriangle& t, GroundContact& c, std::vector<GroundPoint>& points) {
    const bool all = c.place == GroundPlace::behind || !body_.has_faces();
    std::vector<GroundAxis>& axes = work_.axes;
    AxisFinder finder(body_, surface_, t, ask_.preference, axes);
    const std::size_t first = points.size();
    finder.find_faces(all);
    for (std::size_t i = 0; i < axes.size() && !c.touching; ++i) c.touching = try_axis(t, axes[i], c, points);
    const double merit = c.touching ? finder.merit(c.axis) : -std::numeric_limits<double>::infinity();
    const std::size_t end = points.size();
    const std::size_t faces = axes.size();
    finder.find_others(merit);
    for (std::size_t i = faces; i < axes.size() && finder.merit(axes[i]) > merit; ++i) {
        GroundContact better = c;
        if (!try_axis(t, axes[i], better, points)) continue;
        c = better;
        c.touching = true;
        points.erase(points.begin() + static_cast<std::ptrdiff_t>(first),
                     points.begin() + static_cast<std::ptrdiff_t>(end));
        c.first = first;
        return;
    }
    if (c.touching) return;
    c.axis = axes[faces < axes.size() && finder.merit(axes[faces]) > finder.merit(axes[0]) ? faces : 0];
    c.count = 0;
}

// Makes the contact one along an axis, if any of the core is over the triangle's part there.
bool TriangleSolver::try_axis(const GroundTriangle& t, const GroundAxis& axis, GroundContact& c,
                              std::vector<GroundPoint>& points) const {
    c.axis = axis;
    if (!clip_axis(t, c, points)) {
        if (!add_lowest(body_, surface_, t, part_of(axis), axis.u, ask_.most, work_.clip, points)) return false;
        c.count = points.size() - c.first;
    }
    c.distance = lowest_of(c, points);
    return true;
}

// Clips along the contact's axis. Returns false if there are no points.
bool TriangleSolver::clip_axis(const GroundTriangle& t, GroundContact& c, std::vector<GroundPoint>& points) const {
    c.first = points.size();
    const GroundAxis& a = c.axis;
    BodyPart mine{FeatureType::face, a.part};
    if (a.kind != GroundAxisKind::body_face && a.kind != GroundAxisKind::edges) mine = part_against(a.u);
    if (a.kind == GroundAxisKind::edges) mine.type = FeatureType::edge;
    clip_parts(body_, surface_, t, part_of(a), mine, a.u, ask_.most, work_.clip, points);
    c.count = points.size() - c.first;
    name(t, mine, c);
    return c.count > 0;
}

void TriangleSolver::name(const GroundTriangle& t, const BodyPart& mine, GroundContact& c) const {
    c.feature_body = mine.type == FeatureType::face || body_.has_faces() ? mine.index : 0;
    c.feature_surface = t.number;
    const SurfaceEdge& edge = t.face.edge[c.axis.edge];
    switch (c.axis.kind) {
        case GroundAxisKind::own_face:
        case GroundAxisKind::closest:
            c.kind = ContactKind::face_b;
            return;
        case GroundAxisKind::body_face:
            c.kind = ContactKind::face_a;
            return;
        case GroundAxisKind::arc_end:
            if (edge.kind != EdgeKind::border) {
                c.kind = ContactKind::face_b;
                c.feature_surface = edge.neighbour;
            } else if (mine.type == FeatureType::face) {
                c.kind = ContactKind::face_a;
            } else {
                c.kind = mine.type == FeatureType::edge ? ContactKind::edge_edge : ContactKind::vertex_edge;
                c.feature_surface = surface_.edge_number(t.number, c.axis.edge);
            }
            return;
        case GroundAxisKind::corner:
            c.kind = mine.type == FeatureType::face   ? ContactKind::face_a
                     : mine.type == FeatureType::edge ? ContactKind::edge_vertex
                                                      : ContactKind::vertex_vertex;
            if (mine.type != FeatureType::face) {
                c.feature_surface = t.face.vertex[static_cast<std::size_t>(c.axis.edge)];
            }
            return;
        case GroundAxisKind::edges:
            c.kind = ContactKind::edge_edge;
            c.feature_surface = surface_.edge_number(t.number, c.axis.edge);
            return;
    }
}

void TriangleSolver::face_points(const GroundTriangle& t, const Vec3d& u, std::vector<GroundPoint>& points) const {
    clip_parts(body_, surface_, t, {}, part_against(u), u, ask_.most, work_.clip, points);
}

bool TriangleSolver::deepest_point(const GroundTriangle& t, const Vec3d& u, std::vector<GroundPoint>& points) const {
    return add_lowest(body_, surface_, t, {}, u, ask_.most, work_.clip, points);
}

void TriangleSolver::keep_support(const GroundTriangle& t, GroundContact& c, std::vector<GroundPoint>& points) const {
    const GroundSupport s = body_.lowest(c.axis.u);
    c.first = points.size();
    c.count = 1;
    c.touching = true;
    c.distance = c.axis.separation;
    const Vec3d middle = body_.vertices[s.vertex] - c.axis.u * (0.5 * c.distance);
    points.push_back({middle, c.distance, {FeatureType::vertex, s.vertex}, {FeatureType::face, t.number}, t.number});
    name(t, part_against(c.axis.u), c);
}

// The face of the core that looks against u, or the whole of a core without faces.
BodyPart TriangleSolver::part_against(const Vec3d& u) const {
    if (body_.has_faces()) {
        if (!(u == against_)) face_against_ = body_.face_against(u, kSame * body_.size);
        against_ = u;
        return {FeatureType::face, face_against_};
    }
    return {body_.vertices.size() == 2 ? FeatureType::edge : FeatureType::vertex, 0};
}

// The edge of the core that is level along u and lowest, otherwise its lowest vertex.
BodyPart TriangleSolver::level_part(const Vec3d& u) const {
    const GroundSupport s = body_.lowest(u);
    for (std::uint32_t e = 0; e < body_.edges.size(); ++e) {
        bool level = true;
        for (const std::uint32_t v : body_.edges[e].v) {
            level = level && dot(u, body_.vertices[v]) <= s.value + kLevel * body_.size;
        }
        if (level) return {FeatureType::edge, e};
    }
    return {FeatureType::vertex, s.vertex};
}

}  // namespace lanefold::detail
