// SPDX-License-Identifier: MIT
//
// The distance of a pair that is apart, and the features that have it. The best separating axis often gives both: its
// support vertex is over the face, or both edge parameters are in 0..1. Otherwise the iteration (precise/gjk.hpp) finds
// the neighbourhood of the closest points, and the canonical (lowest) pair of vertices and edges in it gives distance
// and normal in closed form.

#include "precise/distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "precise/gjk.hpp"
#include "precise/support.hpp"

namespace lanefold::detail {

namespace {

// Factor on Tolerances::equal up to which two distances are equal and the order of the classes decides. The closest
// points of the two classes then differ by at most its square root, so the choice does not turn the normal.
constexpr double kEqualDistance = 1e-2;

// Number of pairs of vertices above which the support sets are reduced to the vertices of the last simplex.
constexpr std::size_t kMaxCombinations = 1024;

bool within(double parameter) { return parameter > 0 && parameter < 1; }

void add_unique(std::vector<std::uint32_t>& list, std::uint32_t value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

void simplex_vertices(const std::uint32_t* from, std::uint32_t count, std::vector<std::uint32_t>& out) {
    out.clear();
    for (std::uint32_t i = 0; i < count; ++i) add_unique(out, from[i]);
}

void support_set(const Solid& s, const Vec3d& axis, double depth, const std::uint32_t* simplex, std::uint32_t count,
                 std::vector<std::uint32_t>& out) {
    simplex_vertices(simplex, count, out);
    const double limit = furthest(s, axis).value - depth;
    for (std::uint32_t i = 0; i < s.vertices; ++i) {
        if (s.dots[i] >= limit) add_unique(out, i);
        if (out.size() > kMaxCombinations) break;
    }
}

// Lists the canonical edges with both ends in the sorted list. The loops around a vertex leave it along each of its
// edges exactly once, so every edge is found once, from its lower end.
void edges_between(const Solid& s, const std::vector<std::uint32_t>& list, std::vector<std::uint32_t>& out) {
    out.clear();
    for (const std::uint32_t v : list) {
        for (std::uint32_t i = s.view.vertex_first[v]; i < s.view.vertex_first[v + 1]; ++i) {
            const std::uint32_t face = s.view.vertex_face[i];
            std::uint32_t k = s.view.face_first[face];
            const std::uint32_t end = s.view.face_first[face + 1];
            while (k < end && s.view.face_vertex[k] != v) ++k;
            if (k == end) continue;
            const std::uint32_t edge = s.view.face_edge[k];
            const std::uint32_t v0 = s.view.edge_vertex[2 * edge];
            const std::uint32_t v1 = s.view.edge_vertex[2 * edge + 1];
            const std::uint32_t other = v0 == v ? v1 : v0;
            if (other > v && std::binary_search(list.begin(), list.end(), other)) out.push_back(edge);
        }
    }
    std::sort(out.begin(), out.end());
}

// Finds the nearest pair of features of each class. The lowest indices win ties.
class ClassSearch {
public:
    ClassSearch(const Problem& p, const SolidMemory& a, const SolidMemory& b)
        : p_(p), tie_(kEqualDistance * p.equal + 0.1 * p.fine) {
        for (const std::uint32_t i : a.near_edges) {
            const SolidEdge ea = p.a.edge(i);
            const Vec3d a0 = p.a.vertex(ea.v0);
            const Vec3d a1 = p.a.vertex(ea.v1);
            for (const std::uint32_t j : b.near_edges) edge_edge(i, j);
            for (const std::uint32_t j : b.near_vertices) {
                const Vec3d q = at_b(j);
                const double t = dot(q - a0, a1 - a0) / length_squared(a1 - a0);
                if (within(t)) offer(ContactKind::edge_vertex, i, j, a0 + (a1 - a0) * t, q);
            }
        }
        for (const std::uint32_t i : a.near_vertices) {
            const Vec3d v = p.a.vertex(i);
            for (const std::uint32_t j : b.near_edges) {
                const SolidEdge eb = p.b.edge(j);
                const Vec3d b0 = at_b(eb.v0);
                const Vec3d along = at_b(eb.v1) - b0;
                const double t = dot(v - b0, along) / length_squared(along);
                if (within(t)) offer(ContactKind::vertex_edge, i, j, v, b0 + along * t);
            }
            for (const std::uint32_t j : b.near_vertices) offer(ContactKind::vertex_vertex, i, j, v, at_b(j));
        }
    }

    FeatureContact best() const {
        double shortest = std::numeric_limits<double>::infinity();
        for (const FeatureContact& c : best_) {
            if (c.kind != ContactKind::none) shortest = std::min(shortest, c.distance);
        }
        for (const FeatureContact& c : best_) {
            if (c.kind != ContactKind::none && c.distance <= shortest + tie_) return c;
        }
        return {};
    }

private:
    Vec3d at_b(std::uint32_t i) const { return transform(p_.from_b, p_.b.vertex(i)); }

    void edge_edge(std::uint32_t i, std::uint32_t j) {
        const EdgePoints c = closest_on_edges(p_, i, j);
        if (!c.parallel && within(c.s) && within(c.t)) offer(ContactKind::edge_edge, i, j, c.p, c.q);
    }

    void offer(ContactKind kind, std::uint32_t i, std::uint32_t j, const Vec3d& p, const Vec3d& q) {
        FeatureContact& c = best_[static_cast<std::size_t>(kind) - static_cast<std::size_t>(ContactKind::edge_edge)];
        const double d = length(q - p);
        if (c.kind != ContactKind::none && !(d < c.distance - tie_)) return;
        c.kind = kind;
        c.feature_a = i;
        c.feature_b = j;
        c.p = p;
        c.q = q;
        c.distance = d;
    }

    const Problem& p_;
    double tie_;
    FeatureContact best_[4];  // edge_edge, vertex_edge, edge_vertex, vertex_vertex
};

// `found`: the closest points of the iteration, `axis`: the best separating axis.
Vec3d contact_normal(const Problem& p, const FeatureContact& c, const GjkResult& found, const Vec3d& axis) {
    const Vec3d apart = c.q - c.p;
    if (c.kind == ContactKind::edge_edge) {
        const SolidEdge ea = p.a.edge(c.feature_a);
        const SolidEdge eb = p.b.edge(c.feature_b);
        const Vec3d u = normalized(p.a.vertex(ea.v1) - p.a.vertex(ea.v0));
        const Vec3d v = p.from_b.rotation * normalized(p.b.vertex(eb.v1) - p.b.vertex(eb.v0));
        const Vec3d x = cross(u, v);
        const double sine = length(x);
        // The cross product does not depend on the distance. It is exact for edges that nearly touch, unless they are
        // nearly parallel. If it does not separate the hulls, the vector between the closest points is only rounding.
        const Vec3d across = dot(x, apart) < 0 ? -normalized(x) : normalized(x);
        if (sine > Tolerances::kEdgeSine && separation_along(p, across).value >= c.distance - p.loss) return across;
    }
    // Rounding turns so short a vector into any direction, so the separating axis is the better normal.
    if (c.distance <= p.fine) return axis;
    const Vec3d n = normalized(apart);
    const double by_axis = separation_along(p, axis).value;
    if (separation_along(p, n).value >= by_axis) return n;
    // The closest points of almost parallel edges slide by what rounding leaves of their distance, and the line between
    // them turns. That of the iteration has its supports at its ends.
    if (found.distance <= p.fine) return axis;
    const Vec3d line = normalized(found.q - found.p);
    return separation_along(p, line).value >= by_axis ? line : axis;
}

// Whether the line between the points of two features separates less than that of the closest points by more than
// rounding. At a distance far below their size, features aside of the closest points are as near to the last digits.
bool lacks_separation(const Problem& p, const FeatureContact& c, const GjkResult& found) {
    // Rounding turns the line, and the turn moves the supports of hulls of this size.
    const double rounding = p.fine * p.scale / c.distance;
    const double enough = found.lower - 10 * p.loss - p.bend - rounding;
    return separation_along(p, normalized(c.q - c.p)).value < enough;
}

FeatureContact canonical_contact(const Problem& p, PreciseScratch::Impl& memory, const GjkResult& found,
                                 const Vec3d& axis) {
    const bool tiny = found.distance <= p.loss;
    const Vec3d n = tiny ? axis : normalized(found.q - found.p);
    SolidMemory& a = memory.a;
    SolidMemory& b = memory.b;
    support_set(p.a, n, p.support_set, found.a, found.count, a.near_vertices);
    support_set(p.b, -transpose_times(p.from_b.rotation, n), p.support_set, found.b, found.count, b.near_vertices);
    if (a.near_vertices.size() * b.near_vertices.size() > kMaxCombinations) {
        simplex_vertices(found.a, found.count, a.near_vertices);
        simplex_vertices(found.b, found.count, b.near_vertices);
    }
    std::sort(a.near_vertices.begin(), a.near_vertices.end());
    std::sort(b.near_vertices.begin(), b.near_vertices.end());
    edges_between(p.a, a.near_vertices, a.near_edges);
    edges_between(p.b, b.near_vertices, b.near_edges);

    FeatureContact c = ClassSearch(p, a, b).best();
    const bool none = c.kind == ContactKind::none || c.distance > found.distance + p.converged + p.bend;
    if (!none && c.distance <= found.distance + p.equal + p.rounding && (tiny || !lacks_separation(p, c, found))) {
        c.normal = contact_normal(p, c, found, axis);
        return c;
    }
    // The closest points lie inside a face or on a chord that is no edge. They give distance and normal. The features
    // stay, at the closest points if they are there, otherwise at their own. If there are none, the lowest vertices of
    // the support sets become the features.
    FeatureContact closest;
    closest.kind = ContactKind::vertex_vertex;
    closest.p = found.p;
    closest.q = found.q;
    closest.distance = found.distance;
    closest.normal = contact_normal(p, closest, found, axis);
    const double away = length(c.p - found.p) + length(c.q - found.q);
    const bool there = c.kind != ContactKind::none && away <= p.tie + 2 * p.bend;
    if (none && !there) {
        closest.feature_a = a.near_vertices.front();
        closest.feature_b = b.near_vertices.front();
        return closest;
    }
    if (there) {
        c.p = found.p;
        c.q = found.q;
    }
    c.aside = !there;
    c.distance = closest.distance;
    c.normal = closest.normal;
    return c;
}

// Whether the support vertex of a face axis is over the face.
bool support_over_face(const Problem& p, const FaceAxis& axis) {
    const Solid& own = axis.on_b ? p.b : p.a;
    const Solid& other = axis.on_b ? p.a : p.b;
    const Vec3d x = transform(axis.on_b ? p.from_a : p.from_b, other.vertex(axis.support));
    return foot_inside(own, axis.facet, axis.normal, x, axis.separation, p.tie);
}

EdgePoints points_of(const Problem& p, const EdgeAxis& e) { return closest_on_edges(p, e.edge_a, e.edge_b); }

bool within_edges(const EdgePoints& c) { return !c.parallel && within(c.s) && within(c.t); }

}  // namespace

FeatureContact edge_contact(const Problem& p, const EdgeAxis& edge) {
    const EdgePoints points = points_of(p, edge);
    FeatureContact c;
    c.kind = ContactKind::edge_edge;
    c.feature_a = edge.edge_a;
    c.feature_b = edge.edge_b;
    c.normal = edge.normal;
    c.p = points.p;
    c.q = points.q;
    c.distance = edge.separation;
    return c;
}

Nearest finish_distance(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& face, const EdgeAxis& edge) {
    Nearest r;
    const bool by_edge = edge.edge_a != kNoIndex;
    const Vec3d axis = by_edge ? edge.normal : axis_normal(p, face);
    if (!by_edge && support_over_face(p, face)) {
        r.distance = face.separation;
        r.face = true;
        return r;
    }
    const bool edges_meet = by_edge && within_edges(points_of(p, edge));
    if (edges_meet) {
        r.distance = edge.separation;
        r.contact = edge_contact(p, edge);
        return r;
    }
    GjkResult found = closest_points(p, axis);
    if (!found.converged) found = closest_points_brute_force(p, memory, found);
    r.beyond_margin = found.beyond_margin;
    if (r.beyond_margin) return r;
    // Even if the face axis gives the distance, the closest features may lie just outside of the face.
    r.contact = canonical_contact(p, memory, found, axis);
    r.face = face.separation >= found.distance - std::max(p.loss, p.bend);
    r.distance = r.face ? found.distance : r.contact.distance;
    r.beyond_margin = r.distance > p.margin;
    return r;
}

}  // namespace lanefold::detail
