// SPDX-License-Identifier: MIT
//
// A body before the triangles of a surface: all axes, all admissible directions, all pairs of features.

#include <algorithm>
#include <cmath>

#include <lanefold/surface_oracle.hpp>

#include "closest.hpp"

namespace lanefold::reference {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

SurfaceExaminer::SurfaceExaminer(const OracleSurface& surface, const PoseD& surface_pose, const OracleHull& body,
                                 const PoseD& body_pose, double margin)
    : surface_(surface), margin_(margin), radius_(body.round_radius), size_(body.size + body.round_radius) {
    const Mat3d turn = transpose(surface_pose.rotation) * body_pose.rotation;
    shift_ = transpose_times(surface_pose.rotation, surface_pose.position - body_pose.position);
    for (const Vec3d& v : body.vertices) vertices_.push_back(turn * v);
    for (const Vec3d& n : body.normals) normals_.push_back(turn * n);
    for (const auto& t : body.triangles)
        triangles_.push_back({vertices_[t.v[0]], vertices_[t.v[1]], vertices_[t.v[2]]});
    for (const auto& e : body.edges) edges_.emplace_back(vertices_[e.v[0]], vertices_[e.v[1]]);
    if (body.triangles.empty() && vertices_.size() == 2) edges_.assign(1, {vertices_[0], vertices_[1]});
}

double SurfaceExaminer::lowest(const Vec3d& u) const {
    double low = kInfinity;
    for (const Vec3d& x : vertices_) low = std::fmin(low, dot(u, x));
    return low;
}

double SurfaceExaminer::separation(const std::array<Vec3d, 3>& c, const Vec3d& u) const {
    return lowest(u) - std::fmax(dot(u, c[0]), std::fmax(dot(u, c[1]), dot(u, c[2])));
}

std::array<Vec3d, 3> SurfaceExaminer::corners(std::uint32_t t) const {
    std::array<Vec3d, 3> out{};
    for (std::size_t k = 0; k < 3; ++k) {
        out[k] = surface_.vertices[surface_.triangles[t][k]] + shift_;
    }
    return out;
}

OracleTriangle SurfaceExaminer::lies(std::uint32_t t) const {
    const std::array<Vec3d, 3> c = corners(t);
    OracleTriangle out;
    out.axes = largest_separation(c, surface_.normals[t]);
    closest(c, out);
    return out;
}

OracleTriangle SurfaceExaminer::examine(std::uint32_t t) const {
    const std::array<Vec3d, 3> c = corners(t);
    OracleTriangle out = lies(t);
    out.best = -kInfinity;
    const auto offer = [&](const Vec3d& u, Over over, const Vec3d& corner = {}) {
        const double s = separation(c, u);
        if (s <= out.best || inadmissibility(surface_, t, u, BorderCone::that_all_face) > 1e-9) return;
        if (out.axes < 0 && over == Over::extreme && !is_over_extreme(c, u)) return;
        if (out.axes < 0 && over == Over::corner && !is_over(corner, corner, u)) return;
        out.best = s;
        out.way = u;
    };
    each_normal(t, c, offer);
    out.normals = out.best;
    out.normal = out.way;
    each_direction(t, c, offer);
    return out;
}

double SurfaceExaminer::largest_separation(const std::array<Vec3d, 3>& c, const Vec3d& normal) const {
    double s = std::fmax(separation(c, normal), separation(c, -normal));
    for (const Vec3d& n : normals_) s = std::fmax(s, separation(c, -n));
    for (const auto& e : edges_) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d u = cross(e.second - e.first, c[(k + 1) % 3] - c[k]);
            if (!(length(u) > 1e-9 * length(e.second - e.first) * length(c[(k + 1) % 3] - c[k]))) continue;
            s = std::fmax(s, std::fmax(separation(c, normalized(u)), separation(c, -normalized(u))));
        }
    }
    return s;
}

double SurfaceExaminer::euclidean(const std::array<Vec3d, 3>& c) const {
    OracleTriangle out;
    closest(c, out);
    return out.distance;
}

// The least way along u from a point of the segment (p, q) to the core: in the plane of both, the polygon that the
// core's faces leave. Infinite if no such line meets it.
double SurfaceExaminer::deepest_over(const Vec3d& p, const Vec3d& q, const Vec3d& u) const {
    using Spot = std::pair<double, double>;  // along the segment, and along u in sizes
    const double far = 1e3 * (size_ + length(p) + length(q));
    std::vector<Spot> polygon{{0, -far}, {1, -far}, {1, far}, {0, far}};
    for (std::size_t f = 0; f < normals_.size(); ++f) {
        const Vec3d& n = normals_[f];
        const double limit = dot(n, triangles_[f][0]) + 1e-9 * size_;
        const auto height = [&](const Spot& x) { return dot(n, p + (q - p) * x.first + u * x.second) - limit; };
        std::vector<Spot> rest;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const Spot& a = polygon[i];
            const Spot& b = polygon[(i + 1) % polygon.size()];
            const double ha = height(a);
            const double hb = height(b);
            if (ha <= 0) rest.push_back(a);
            if ((ha < 0) == (hb < 0)) continue;
            const double w = ha / (ha - hb);
            rest.emplace_back(a.first + (b.first - a.first) * w, a.second + (b.second - a.second) * w);
        }
        polygon = rest;
        if (polygon.empty()) return kInfinity;
    }
    double least = kInfinity;
    for (const Spot& x : polygon) least = std::fmin(least, x.second);
    return least;
}

// Whether a line along u from a point of the segment (p, q) meets the core within the margin.
bool SurfaceExaminer::is_over(const Vec3d& p, const Vec3d& q, const Vec3d& u) const {
    return normals_.empty() ? is_segment_over(p, q, u) : deepest_over(p, q, u) <= margin_;
}

// The core is convex, so its deepest point is over a side of the triangle, or it is a vertex.
double SurfaceExaminer::separation_over(const std::array<Vec3d, 3>& c, const Vec3d& u) const {
    if (normals_.empty()) return separation(c, u);
    double least = kInfinity;
    for (std::size_t k = 0; k < 3; ++k) least = std::fmin(least, deepest_over(c[k], c[(k + 1) % 3], u));
    const Vec3d normal = cross(c[1] - c[0], c[2] - c[0]);
    for (const Vec3d& x : vertices_) {
        const double s = dot(normal, x - c[0]) / dot(normal, u);
        const Vec3d foot = x - u * s;
        bool over = true;
        for (std::size_t k = 0; k < 3; ++k) {
            over = over && dot(cross(normal, c[(k + 1) % 3] - c[k]), foot - c[k]) >= 0;
        }
        if (over) least = std::fmin(least, s);
    }
    return least;
}

bool SurfaceExaminer::is_segment_over(const Vec3d& p, const Vec3d& q, const Vec3d& u) const {
    if (edges_.empty()) return true;
    const auto& e = edges_[0];
    const Vec3d d = e.second - e.first;
    if (length(q - p) == 0) {
        const Vec3d along = normalized(d - u * dot(d, u));
        const Vec3d from = (p - e.first) - u * dot(p - e.first, u);
        const double at = dot(from, along);
        return length(from - along * at) <= 1e-9 * size_ && at >= 0 && at <= dot(d, along);
    }
    const double det = dot(u, cross(d, q - p));
    if (std::fabs(det) < 1e-9 * length(d) * length(q - p)) return true;
    const double at_body = dot(u, cross(p - e.first, q - p)) / det;
    const double at_surface = dot(u, cross(p - e.first, d)) / det;
    return at_body >= -1e-9 && at_body <= 1 + 1e-9 && at_surface >= -1e-9 && at_surface <= 1 + 1e-9;
}

bool SurfaceExaminer::is_over_extreme(const std::array<Vec3d, 3>& c, const Vec3d& u) const {
    std::size_t top = 0;
    for (std::size_t k = 1; k < 3; ++k) {
        if (dot(u, c[k]) > dot(u, c[top])) top = k;
    }
    std::size_t other = top;
    for (std::size_t k = 0; k < 3; ++k) {
        if (k != top && dot(u, c[top] - c[k]) <= 1e-9 * length(c[top] - c[k])) other = k;
    }
    return is_over(c[top], c[other], u);
}

// The directions across an edge of the surface and one of the body that is lowest along them.
template <class Offer>
void SurfaceExaminer::across(const Vec3d& along, const std::pair<Vec3d, Vec3d>& e, const Offer& offer) const {
    const Vec3d d = e.second - e.first;
    const Vec3d u = cross(along, d);
    if (!(length(u) > 1e-7 * length(along) * length(d))) return;
    for (const Vec3d& way : {normalized(u), -normalized(u)}) {
        const double low = lowest(way) + 1e-9 * size_;
        if (dot(way, e.first) <= low && dot(way, e.second) <= low) offer(way);
    }
}

// Directions at the rim of a vertex's cone: across two edges from it, or across one and an edge of the body. They are
// the vertex's: another feature that they are admissible for has its own.
template <class Offer>
void SurfaceExaminer::each_rim(std::uint32_t v, const Offer& offer) const {
    const OracleSurface& s = surface_;
    const auto offer_top = [&](const Vec3d& u) {
        for (const std::uint32_t w : s.rings[v]) {
            const Vec3d beside = s.vertices[w] - s.vertices[v];
            if (dot(u, beside) > 1e-9 * length(beside)) return;
        }
        offer(u, Over::corner, s.vertices[v] + shift_);
    };
    const auto both = [&](const Vec3d& a, const Vec3d& b) {
        const Vec3d u = cross(a, b);
        if (!(length(u) > 1e-7 * length(a) * length(b))) return;
        offer_top(normalized(u));
        offer_top(-normalized(u));
    };
    for (const std::uint32_t w : s.rings[v]) {
        const Vec3d a = s.vertices[w] - s.vertices[v];
        for (const std::uint32_t x : s.rings[v]) {
            if (x > w) both(a, s.vertices[x] - s.vertices[v]);
        }
        for (const auto& e : edges_) across(a, e, offer_top);
    }
}

// Along the normals of the triangle and of its neighbours over convex edges, and out of borders: the ends of arcs.
template <class Offer>
void SurfaceExaminer::each_normal(std::uint32_t t, const std::array<Vec3d, 3>& c, const Offer& offer) const {
    const Vec3d& n = surface_.normals[t];
    offer(n, Over::any);
    for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t other = surface_.neighbours[t][k];
        const Vec3d along = normalized(c[(k + 1) % 3] - c[k]);
        const Vec3d u = other == OracleSurface::kNone ? cross(along, n) : surface_.normals[other];
        const Vec3d inward = c[(k + 2) % 3] - c[k];
        if (dot(u, inward) <= 1e-9 * length(inward)) offer(u, Over::extreme);
    }
}

// All others.
template <class Offer>
void SurfaceExaminer::each_direction(std::uint32_t t, const std::array<Vec3d, 3>& c, const Offer& offer) const {
    const OracleSurface& s = surface_;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d along = normalized(c[(k + 1) % 3] - c[k]);
        const Vec3d opposite = c[(k + 2) % 3];
        const auto offer_top = [&](const Vec3d& u) {
            if (dot(u, opposite - c[k]) <= 1e-9 * length(opposite - c[k])) offer(u, Over::extreme);
        };
        for (const auto& e : edges_) across(along, e, offer_top);
    }
    for (const Vec3d& m : normals_) offer(-m, Over::any);
    for (const std::uint32_t v : s.triangles[t]) each_rim(v, offer);
}

void SurfaceExaminer::closest(const std::array<Vec3d, 3>& c, OracleTriangle& out) const {
    Vec3d best{kInfinity, 0, 0};
    const auto offer = [&](const Vec3d& v) {
        if (length_squared(v) < length_squared(best)) best = v;
    };
    for (const Vec3d& x : vertices_) offer(x - closest_on_triangle(x, c[0], c[1], c[2]));
    for (const auto& e : edges_) {
        for (std::size_t k = 0; k < 3; ++k) {
            offer(-segment_to_segment(e.first, e.second, c[k], c[(k + 1) % 3]));
        }
    }
    for (const auto& f : triangles_) {
        for (const Vec3d& x : c) offer(closest_on_triangle(x, f[0], f[1], f[2]) - x);
    }
    out.distance = length(best);
    if (out.distance > 0) out.direction = best * (1 / out.distance);
}

}  // namespace lanefold::reference
