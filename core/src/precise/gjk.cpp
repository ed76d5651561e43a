// SPDX-License-Identifier: MIT
//
// Euclidean distance of two hulls that are apart, by the iteration of Gilbert, Johnson and Keerthi (1988) on the
// Minkowski difference in float64, with a bound on its steps. It only finds the closest features; the values of the
// record come from these in closed form. If it does not converge, the brute force at the end of this file finds the
// closest points.

#include "precise/gjk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "precise/edges.hpp"
#include "precise/facets.hpp"
#include "precise/support.hpp"

namespace lanefold::detail {

namespace {

// Bound on the steps. Typical pairs need 3 to 8, large smooth hulls more.
constexpr int kMaxSteps = 128;

struct Simplex {
    Vec3d w[4];  // b - a
    std::uint32_t a[4] = {};
    std::uint32_t b[4] = {};
    double weight[4] = {};
    std::uint32_t count = 0;

    Vec3d point() const {
        Vec3d v{0, 0, 0};
        for (std::uint32_t i = 0; i < count; ++i) v = v + w[i] * weight[i];
        return v;
    }
};

Simplex keep(const Simplex& s, std::initializer_list<std::uint32_t> which, std::initializer_list<double> weights) {
    Simplex r;
    const double* weight = weights.begin();
    for (const std::uint32_t i : which) {
        r.w[r.count] = s.w[i];
        r.a[r.count] = s.a[i];
        r.b[r.count] = s.b[i];
        r.weight[r.count++] = *weight++;
    }
    return r;
}

// The part of a segment, triangle or tetrahedron nearest to the origin.
Simplex nearest_on_segment(const Simplex& s, std::uint32_t i, std::uint32_t j) {
    const Vec3d d = s.w[j] - s.w[i];
    const double dd = length_squared(d);
    const double t = -dot(s.w[i], d);
    if (!(t > 0) || !(dd > 0)) return keep(s, {i}, {1.0});
    if (t >= dd) return keep(s, {j}, {1.0});
    return keep(s, {i, j}, {(dd - t) / dd, t / dd});
}

Simplex nearest_on_triangle(const Simplex& s, std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    const Vec3d p = s.w[i];
    const Vec3d q = s.w[j];
    const Vec3d r = s.w[k];
    const Vec3d n = cross(q - p, r - p);
    const double nn = length_squared(n);
    // Barycentric coordinates of the origin's projection, not normalised. Each is a cross product of a side's own
    // corners.
    const double over_i = dot(n, cross(q, r));
    const double over_j = dot(n, cross(r, p));
    const double over_k = dot(n, cross(p, q));
    if (nn > 0 && over_i > 0 && over_j > 0 && over_k > 0) {
        const double sum = (over_i + over_j) + over_k;
        return keep(s, {i, j, k}, {over_i / sum, over_j / sum, over_k / sum});
    }
    const Simplex sides[3] = {nearest_on_segment(s, i, j), nearest_on_segment(s, j, k), nearest_on_segment(s, i, k)};
    std::uint32_t best = 0;
    double shortest = length_squared(sides[0].point());
    for (std::uint32_t m = 1; m < 3; ++m) {
        const double l = length_squared(sides[m].point());
        if (l < shortest) {
            shortest = l;
            best = m;
        }
    }
    return sides[best];
}

// The hulls are known to be apart, so the origin is outside and the nearest part is on the boundary.
Simplex nearest_on_tetrahedron(const Simplex& s) {
    constexpr std::uint32_t kFaces[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    Simplex best;
    double shortest = std::numeric_limits<double>::infinity();
    for (const auto& f : kFaces) {
        const Simplex t = nearest_on_triangle(s, f[0], f[1], f[2]);
        const double l = length_squared(t.point());
        if (l < shortest) {
            shortest = l;
            best = t;
        }
    }
    return best;
}

Simplex nearest_part(const Simplex& s) {
    if (s.count == 1) return keep(s, {0}, {1.0});
    if (s.count == 2) return nearest_on_segment(s, 0, 1);
    if (s.count == 3) return nearest_on_triangle(s, 0, 1, 2);
    return nearest_on_tetrahedron(s);
}

bool contains(const Simplex& s, std::uint32_t a, std::uint32_t b) {
    for (std::uint32_t i = 0; i < s.count; ++i) {
        if (s.a[i] == a && s.b[i] == b) return true;
    }
    return false;
}

GjkResult describe(const Problem& p, const Simplex& s, double distance) {
    GjkResult r;
    r.distance = distance;
    r.count = s.count;
    for (std::uint32_t i = 0; i < s.count; ++i) {
        r.a[i] = s.a[i];
        r.b[i] = s.b[i];
        r.p = r.p + p.a.vertex(s.a[i]) * s.weight[i];
        r.q = r.q + transform(p.from_b, p.b.vertex(s.b[i])) * s.weight[i];
    }
    return r;
}

}  // namespace

GjkResult closest_points(const Problem& p, const Vec3d& first_axis) {
    // The iteration ends when the upper bound (the simplex) and the lower bound (a supporting plane) are as close as
    // `fine`. It has converged if they are within `converged` when no step improves them.
    Simplex s;
    Vec3d v = first_axis;
    double distance = std::numeric_limits<double>::infinity();
    double lower = -std::numeric_limits<double>::infinity();
    Vec3d axis = first_axis;
    for (int step = 0; step < kMaxSteps; ++step) {
        const double l = length(v);
        if (!(l > 0)) break;
        const Vec3d n{v.x / l, v.y / l, v.z / l};
        const AxisSeparation support = separation_along(p, n);
        if (support.value > lower) {
            lower = support.value;
            axis = n;
        }
        if (lower > p.margin) {
            GjkResult r;
            r.beyond_margin = true;
            r.converged = true;
            return r;
        }
        if (distance - lower <= p.fine || contains(s, support.a, support.b)) break;
        Simplex grown = s;
        grown.w[grown.count] = transform(p.from_b, p.b.vertex(support.b)) - p.a.vertex(support.a);
        grown.a[grown.count] = support.a;
        grown.b[grown.count] = support.b;
        ++grown.count;
        grown = nearest_part(grown);
        const Vec3d next = grown.point();
        const double reached = length(next);
        if (!(reached < distance)) break;
        s = grown;
        v = next;
        distance = reached;
    }
    GjkResult r = describe(p, s, distance);
    r.lower = lower;
    r.axis = axis;
    r.converged = s.count > 0 && distance - lower <= p.converged;
    return r;
}

bool foot_inside(const Solid& s, std::uint32_t facet, const Vec3d& normal, const Vec3d& x, double h, double rounding) {
    const std::uint32_t face = s.face_of(facet);
    const std::uint32_t first = s.view.face_first[face];
    const std::uint32_t end = s.view.face_first[face + 1];
    for (std::uint32_t k = first; k < end; ++k) {
        const Vec3d p = s.vertex(s.view.face_vertex[k]);
        const Vec3d q = s.vertex(s.view.face_vertex[k + 1 < end ? k + 1 : first]);
        if (dot(cross(normal, q - p), x - p) < 0) return false;
    }
    if (!s.triangulated) return true;
    const Vec3d foot = x - normal * h;
    for (std::uint32_t f = s.first_facet(face); f < s.first_facet(face + 1); ++f) {
        if (dot(s.facet_normal(f), foot) - s.offset[f] > rounding) return false;
    }
    return true;
}

namespace {

void nearer(GjkResult& best, const Vec3d& p, const Vec3d& q, const SolidEdge& a, const SolidEdge& b) {
    const double d = length(q - p);
    if (!(d < best.distance)) return;
    best.distance = d;
    best.p = p;
    best.q = q;
    best.count = 2;
    best.a[0] = a.v0;
    best.a[1] = a.v1;
    best.b[0] = b.v0;
    best.b[1] = b.v1;
}

// Lists the features of one hull that can contain the closest point: those at most `gap` below the support plane along
// `axis`.
void gather_slab(const Solid& s, const Vec3d& axis, double gap, SolidMemory& m) {
    m.near_vertices.clear();
    m.near_edges.clear();
    const double limit = furthest(s, axis).value - gap;
    for (std::uint32_t i = 0; i < s.vertices; ++i) {
        if (s.dots[i] >= limit) m.near_vertices.push_back(i);
    }
    for (std::uint32_t e = 0; e < s.edges; ++e) {
        const SolidEdge ends = s.edge(e);
        if (s.dots[ends.v0] >= limit || s.dots[ends.v1] >= limit) m.near_edges.push_back(e);
    }
}

// Tries the listed vertices of `other` against every facet of `own`.
void try_faces(const Problem& p, const Solid& own, const Solid& other, const PoseD& from_other, bool on_b,
               const std::vector<std::uint32_t>& vertices, GjkResult& best) {
    for (std::uint32_t f = 0; f < own.facets; ++f) {
        const Vec3d n = own.triangulated ? own.facet_normal(f) : loop_normal(own, f);
        double offset = 0;
        bool known = false;
        for (const std::uint32_t v : vertices) {
            const Vec3d x = transform(from_other, other.vertex(v));
            // The stored offset is exact enough to find the vertices that are below the facet.
            if (dot(n, x) - own.offset[f] < -p.slack) continue;
            if (!known) offset = furthest(own, n).value;
            known = true;
            const double h = dot(n, x) - offset;
            if (h < 0 || h >= best.distance || !foot_inside(own, f, n, x, h, p.rounding)) continue;
            const Vec3d foot = x - n * h;
            best.distance = h;
            best.p = on_b ? transform(p.from_b, x) : foot;
            best.q = on_b ? transform(p.from_b, foot) : x;
            const std::uint32_t corner = own.view.face_vertex[own.view.face_first[own.face_of(f)]];
            best.count = 1;
            best.a[0] = on_b ? v : corner;
            best.b[0] = on_b ? corner : v;
        }
    }
}

}  // namespace

GjkResult closest_points_brute_force(const Problem& p, PreciseScratch::Impl& memory, const GjkResult& found) {
    // Let the distance be between L (a supporting plane with normal n) and U (two points). The closest points p, q have
    // n.p >= n.q - U >= min B - U = max A + L - U. So only features within U - L of the support plane matter.
    const double gap = std::isfinite(found.distance) ? (found.distance - found.lower) + 10 * p.rounding
                                                     : std::numeric_limits<double>::infinity();
    gather_slab(p.a, found.axis, gap, memory.a);
    gather_slab(p.b, -transpose_times(p.from_b.rotation, found.axis), gap, memory.b);
    GjkResult best;
    best.distance = std::numeric_limits<double>::infinity();
    for (const std::uint32_t i : memory.a.near_edges) {
        for (const std::uint32_t j : memory.b.near_edges) {
            const EdgePoints c = closest_on_edges(p, i, j);
            nearer(best, c.p, c.q, p.a.edge(i), p.b.edge(j));
        }
    }
    try_faces(p, p.a, p.b, p.from_b, false, memory.b.near_vertices, best);
    try_faces(p, p.b, p.a, p.from_a, true, memory.a.near_vertices, best);
    // Closest points of very short edges may be further apart than the points of the iteration. The latter are on both
    // hulls, so they are the better result.
    if (!(best.distance <= found.distance)) best = found;
    best.converged = std::isfinite(best.distance);
    best.axis = found.axis;
    best.lower = found.lower;
    best.beyond_margin = best.distance > p.margin;
    return best;
}

}  // namespace lanefold::detail
