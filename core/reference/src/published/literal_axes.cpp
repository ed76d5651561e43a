// SPDX-License-Identifier: MIT
//
// Separating axes, literally as published. Operations and their order are those of the source and of its vector
// routines, so ties by rounding are the same.
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include <lanefold/fp_environment.hpp>
#include <lanefold/published_literal.hpp>

#include "published/literal_steps.hpp"

namespace lanefold::published::literal {
namespace {

// |cross product| of unit edges below which a pair of edges counts as parallel: 30 degrees.
constexpr double kParallel = 0.5;

// Extremes of a hull's heights above the plane through `origin`; the first index wins ties.
Supports heights_above(const Polyhedron& hull, const Vec3d& origin, const Vec3d& normal) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Supports s;
    s.min_value = kInfinity;
    s.max_value = -kInfinity;
    const double offset = dot(normal, origin);
    for (std::uint32_t i = 0; i < hull.positions.size(); ++i) {
        const double height = dot(normal, hull.positions[i]) - offset;
        if (height < s.min_value) s.min_index = i, s.min_value = height;
        if (height > s.max_value) s.max_index = i, s.max_value = height;
    }
    return s;
}

Vec3d unit_edge(const Polyhedron& hull, std::uint32_t edge) {
    return unit(hull.positions[hull.edges[edge][0]] - hull.positions[hull.edges[edge][1]]);
}

}  // namespace

Vec3d unit(const Vec3d& v) {
    const double squared = length_squared(v);
    return v * (squared > 0.0 ? 1.0 / std::sqrt(squared) : squared);
}

std::optional<FaceDirection> query_face_directions(const Polyhedron& hull, const Polyhedron& other) {
    return in_default_environment([&]() -> std::optional<FaceDirection> {
        FaceDirection best;
        best.separation = -std::numeric_limits<double>::infinity();
        for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
            const Supports s = heights_above(other, hull.positions[hull.faces[f][0]], hull.normals[f]);
            if (s.min_value > 0.0 && s.max_value > 0.0) return std::nullopt;
            if (s.min_value < 0.0 && s.max_value < 0.0) continue;
            if (s.min_value > best.separation) best = {true, f, s.min_index, s.min_value};
        }
        return best;
    });
}

std::optional<EdgeDirection> query_edge_directions(const Polyhedron& a, const Polyhedron& b) {
    return in_default_environment([&]() -> std::optional<EdgeDirection> {
        EdgeDirection best;
        best.separation = -std::numeric_limits<double>::infinity();
        for (std::uint32_t i = 0; i < a.edges.size(); ++i) {
            const Vec3d& on_a = a.positions[a.edges[i][0]];
            const Vec3d along_a = unit_edge(a, i);
            for (std::uint32_t j = 0; j < b.edges.size(); ++j) {
                Vec3d normal = cross(along_a, unit_edge(b, j));
                if (length(normal) < kParallel) continue;
                normal = unit(normal);
                if (dot(normal, b.positions[b.edges[j][0]]) > dot(normal, on_a)) normal = -normal;
                const Supports own = heights_above(a, on_a, normal);
                const Supports his = heights_above(b, on_a, normal);
                if (own.min_value >= his.max_value) return std::nullopt;
                const double separation = his.min_value - own.max_value;
                if (separation > best.separation) best = {true, i, j, separation, normal, 0.0, 0.0};
            }
        }
        return best;
    });
}

std::optional<LinePoints> line_line(const Vec3d& p1, const Vec3d& p2, const Vec3d& p3, const Vec3d& p4) {
    return in_default_environment([&]() -> std::optional<LinePoints> {
        const Vec3d from_q = p1 - p3;
        const Vec3d q = p4 - p3;
        if (length(q) < kEpsilon) return std::nullopt;
        const Vec3d p = p2 - p1;
        if (length(p) < kEpsilon) return std::nullopt;
        const double from_q_q = dot(from_q, q);
        const double q_p = dot(q, p);
        const double q_q = dot(q, q);
        const double determinant = dot(p, p) * q_q - q_p * q_p;
        if (std::fabs(determinant) < kEpsilon) return std::nullopt;
        LinePoints r;
        r.mu_p = (from_q_q * q_p - dot(from_q, p) * q_q) / determinant;
        r.mu_q = (from_q_q + q_p * r.mu_p) / q_q;
        r.on_p = p1 + p * r.mu_p;
        r.on_q = p3 + q * r.mu_q;
        return r;
    });
}

std::optional<LinePoints> edges_meeting(const Polyhedron& a, const Polyhedron& b, const EdgeDirection& e) {
    const auto [a0, a1] = a.edges[e.edge_a];
    const auto [b0, b1] = b.edges[e.edge_b];
    return line_line(a.positions[a0], a.positions[a1], b.positions[b0], b.positions[b1]);
}

void set_face(Result& r, Type type, const FaceDirection& q, const Polyhedron& reference) {
    const Vec3d& n = reference.normals[q.face];
    const bool on_a = type == Type::face_a;
    r.found = true;
    r.info = {type, {q.face, q.support}, q.separation, on_a ? n : -n};
    r.mtv = n * (on_a ? -q.separation : q.separation);
}

void set_edges(Result& r, const EdgeDirection& q) {
    r.found = true;
    r.info = {Type::edges, {q.edge_a, q.edge_b}, q.separation, q.normal};
    r.mtv = q.normal * -q.separation;
}

void add_point(Result& r, const Vec3d& x, PointSource source, const std::array<std::uint32_t, 2>& index) {
    r.points.push_back({x, r.info.separation, source, index});
}

Result separating_axes(const Polyhedron& a, const Polyhedron& b) {
    return in_default_environment([&]() -> Result {
        Result r;
        const auto of_a = literal::query_face_directions(a, b);
        if (!of_a) return r;
        const auto of_b = literal::query_face_directions(b, a);
        if (!of_b) return r;
        const auto of_edges = literal::query_edge_directions(a, b);
        if (!of_edges) return r;
        r.colliding = true;
        const double face = of_b->separation > of_a->separation ? of_b->separation : of_a->separation;
        if (of_edges->separation > face) {
            set_edges(r, *of_edges);
            const auto lines = edges_meeting(a, b, *of_edges);
            if (lines) add_point(r, lines->on_p, PointSource::edges, r.info.index);
        } else if (of_b->separation > of_a->separation) {
            set_face(r, Type::face_b, *of_b, b);
            add_point(r, a.positions[of_b->support], PointSource::incident_vertex, {of_b->support, of_b->support});
        } else if (of_a->found) {
            set_face(r, Type::face_a, *of_a, a);
            add_point(r, b.positions[of_a->support], PointSource::incident_vertex, {of_a->support, of_a->support});
        }
        return r;
    });
}

}  // namespace lanefold::published::literal
