// SPDX-License-Identifier: MIT
//
// See the header.

#include "ground/triangle.hpp"

#include <algorithm>
#include <cmath>

namespace lanefold::detail {

namespace {

constexpr int next(int k) { return k == 2 ? 0 : k + 1; }
constexpr int before(int k) { return k == 0 ? 2 : k - 1; }

// Directions along an edge, relative to the cut's distance, below which the cut through it counts as far away.
constexpr double kLeastSlope = 1e-12;

}  // namespace

GroundTriangle GroundSurface::triangle(std::uint32_t t) const {
    GroundTriangle out;
    out.number = t;
    out.face = view_.bare_face(t);
    for (int k = 0; k < 3; ++k) out.corner[k] = out.face.corner[k] - origin_;
    double offset = dot(out.normal(), out.corner[0]);
    for (int k = 1; k < 3; ++k) offset = std::max(offset, dot(out.normal(), out.corner[k]));
    out.offset = offset;
    return out;
}

void GroundSurface::add_sides(GroundTriangle& t) {
    if (t.has_sides) return;
    for (int k = 0; k < 3; ++k) {
        const Vec3d along = t.corner[next(k)] - t.corner[k];
        t.length[k] = length(along);
        t.side[k] = along * (1 / t.length[k]);
    }
    t.has_sides = true;
}

void GroundSurface::complete(GroundTriangle& t) const {
    add_sides(t);
    if (t.has_edges) return;
    view_.add_edges(t.number, t.face);
    t.has_edges = true;
}

std::uint32_t GroundSurface::edge_number(std::uint32_t t, int k) const {
    const std::uint32_t own = 3 * t + static_cast<std::uint32_t>(k);
    const std::uint32_t other = view_.opposite(t, k);
    return other != kNoNeighbour && other < own ? other : own;
}

const std::vector<std::uint32_t>& GroundSurface::fan(std::uint32_t t, int k) {
    cones_.fan.assign(1, t);
    // Counter-clockwise over the edges that end at the corner, then the other way if there is a border.
    std::uint32_t half = view_.opposite(t, before(k));
    while (half != kNoNeighbour && half / 3 != t) {
        cones_.fan.push_back(half / 3);
        half = view_.opposite(half / 3, before(static_cast<int>(half % 3)));
    }
    closed_ = half != kNoNeighbour;
    if (closed_) return cones_.fan;
    half = view_.opposite(t, k);
    while (half != kNoNeighbour) {
        cones_.fan.push_back(half / 3);
        half = view_.opposite(half / 3, next(static_cast<int>(half % 3)));
    }
    return cones_.fan;
}

GroundCone& GroundCones::place(std::uint32_t vertex, bool take) {
    constexpr std::uint32_t kLast = (1U << kPlaceBits) - 1U;
    const std::uint32_t first = vertex * 0x9E3779B1U >> (32U - kPlaceBits);
    for (std::uint32_t i = 0; i < kTries; ++i) {
        GroundCone& cone = places[(first + i) & kLast];
        if (cone.pair != pair || cone.vertex == vertex) return cone;
    }
    return take ? places[first] : spare;
}

GroundCone& GroundSurface::cone_at(std::uint32_t v, bool take) {
    GroundCone& cone = cones_.place(v, take);
    if (cone.pair == cones_.pair && cone.vertex == v) return cone;
    cone.pair = cones_.pair;
    cone.vertex = v;
    cone.has_rays = false;
    cone.has_ends = false;
    cone.has_rim = false;
    cone.beside.clear();
    const Vec3d at = view_.position(v);
    view_.ring(v, cones_.ring);
    for (const std::uint32_t w : cones_.ring) cone.beside.push_back(view_.position(w) - at);
    return cone;
}

GroundCone* GroundSurface::cone(const GroundTriangle& t, int k) {
    GroundCone& cone = cone_at(t.face.vertex[k], true);
    if (!cone.has_rays) {
        cone.rays.clear();
        for (const Vec3d& along : cone.beside) cone.rays.push_back(normalized(along));
        cone.has_rays = true;
    }
    const bool flat = std::all_of(cone.rays.begin(), cone.rays.end(),
                                  [&](const Vec3d& ray) { return std::fabs(dot(ray, t.normal())) <= kArcSlack; });
    return flat ? nullptr : &cone;
}

Admission GroundSurface::at_edge(const GroundTriangle& t, int k, const Vec3d& u) const {
    const SurfaceEdge& e = t.face.edge[k];
    const Vec3d& n = t.normal();
    if (e.kind == EdgeKind::flat || e.kind == EdgeKind::concave) {
        return dot(u, n) < 0 ? Admission::behind : Admission::refused;
    }
    const Vec3d middle = n + e.arc_end;
    const Vec3d outward = cross(t.side[k], n);
    const bool ahead = dot(u, middle) > 0 || (dot(middle, middle) < kArcSlack && dot(u, outward) >= 0);
    if (!ahead) return Admission::behind;
    const double from = dot(t.side[k], cross(n, u));
    const double to = dot(t.side[k], cross(u, e.arc_end));
    if (from >= -kArcSlack && to >= -kArcSlack) return Admission::admitted;
    return e.kind == EdgeKind::border && to < 0 ? Admission::behind : Admission::refused;
}

Admission GroundSurface::at_vertex(const GroundTriangle& t, int k, const Vec3d& u) {
    const std::uint32_t v = t.face.vertex[k];
    for (const Vec3d& along : cone_at(v, false).beside) {
        const double height = dot(u, along);
        if (height > 0 && height * height > kArcSlack * kArcSlack * length_squared(along)) return Admission::refused;
    }
    // A plane across u just below the vertex cuts its triangles. At the outer side the cut runs counter-clockwise about
    // u; a vertex that is extreme towards the inner side has a cut the other way.
    const Vec3d at = view_.position(v);
    double area = 0;
    for (const std::uint32_t f : fan(t.number, k)) {
        const std::array<std::uint32_t, 3> c = view_.triangle(f);
        const int i = c[0] == v ? 0 : c[1] == v ? 1 : 2;
        const Vec3d p = view_.position(c[static_cast<std::size_t>(next(i))]) - at;
        const Vec3d q = view_.position(c[static_cast<std::size_t>(before(i))]) - at;
        const double slope_p = std::max(-dot(u, p), kLeastSlope * length(p));
        const double slope_q = std::max(-dot(u, q), kLeastSlope * length(q));
        area += dot(u, cross(p, q)) / (slope_p * slope_q);
    }
    return area >= 0 ? Admission::admitted : Admission::behind;
}

Admission GroundSurface::admission(const GroundTriangle& t, const Vec3d& u) {
    double height[3];
    int top = 0;
    for (int k = 0; k < 3; ++k) {
        height[k] = dot(u, t.corner[k]);
        if (height[k] > height[top]) top = k;
    }
    const auto level = [&](int k, int edge) { return height[top] - height[k] <= kArcSlack * t.length[edge]; };
    const bool to_next = level(next(top), top);
    const bool to_last = level(before(top), before(top));
    if (to_next && to_last) return dot(u, t.normal()) > 0 ? Admission::admitted : Admission::behind;
    if (to_next) return at_edge(t, top, u);
    if (to_last) return at_edge(t, before(top), u);
    return at_vertex(t, top, u);
}

}  // namespace lanefold::detail
