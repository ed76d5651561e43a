// SPDX-License-Identifier: MIT
//
// Neighbours, rings and normals of a mesh, by looking through all of it, and the definition of admissible directions.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include <lanefold/surface_oracle.hpp>

namespace lanefold::reference {

namespace {

double angle_between(const Vec3d& a, const Vec3d& b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

// How far u is beyond the ends of an arc from n to m about `axis`, and off its plane.
double off_arc(const Vec3d& u, const Vec3d& n, const Vec3d& m, const Vec3d& axis) {
    const double whole = std::atan2(dot(axis, cross(n, m)), dot(n, m));
    const double at = std::atan2(dot(axis, cross(n, u)), dot(n, u));
    const double beyond =
        at < 0 ? std::min(-at, std::fabs(at + 2 * std::numbers::pi - whole)) : std::max(0.0, at - whole);
    return std::max(std::fabs(dot(axis, u)), at < 0 || at > whole ? beyond : 0.0);
}

// A side of a triangle at an edge.
struct Side {
    std::uint32_t triangle;
    std::size_t k;
};

// Over an edge that more than two triangles share: turning about it from a triangle towards its normal, the next one
// is its neighbour if it runs through the edge in the other direction.
std::uint32_t next_around(const OracleSurface& s, const std::vector<Side>& sides, const Side& own) {
    const auto corner = [&](const Side& side, std::size_t step) {
        return s.triangles[side.triangle][(side.k + step) % 3];
    };
    const Vec3d& from = s.vertices[corner(own, 0)];
    const Vec3d along = normalized(s.vertices[corner(own, 1)] - from);
    const Vec3d& up = s.normals[own.triangle];
    const Vec3d inward = cross(up, along);
    double least = HUGE_VAL;
    std::uint32_t found = OracleSurface::kNone;
    for (const Side& other : sides) {
        if (other.triangle == own.triangle) continue;
        const Vec3d far = s.vertices[corner(other, 2)] - from;
        double angle = std::atan2(dot(far, up), dot(far, inward));
        const bool opposite = corner(other, 0) != corner(own, 0);
        // Two sides of a sheet: no wedge is inside of it.
        if (angle < 0 || (angle == 0 && opposite)) angle += 2 * std::numbers::pi;
        if (angle >= least) continue;
        least = angle;
        found = opposite ? other.triangle : OracleSurface::kNone;
    }
    return found;
}

// Whether a vertex that is extreme along u is so towards the outer side.
bool is_outward(const OracleSurface& s, std::uint32_t v, const Vec3d& u, BorderCone border) {
    if (!s.at_border[v]) return dot(u, s.vertex_normals[v]) >= 0;
    const std::vector<std::uint32_t>& fan = s.fans[v];
    if (border == BorderCone::that_all_face)
        return std::all_of(fan.begin(), fan.end(), [&](std::uint32_t t) { return dot(u, s.normals[t]) > 1e-9; });
    return std::any_of(fan.begin(), fan.end(), [&](std::uint32_t t) { return dot(u, s.normals[t]) > -1e-6; });
}

}  // namespace

OracleSurface make_oracle_surface(std::span<const Vec3f> vertices,
                                  std::span<const std::array<std::uint32_t, 3>> triangles) {
    OracleSurface s;
    for (const Vec3f& v : vertices) s.vertices.push_back(to_double(v));
    s.triangles.assign(triangles.begin(), triangles.end());
    s.rings.resize(vertices.size());
    s.vertex_normals.resize(vertices.size());
    s.fans.resize(vertices.size());
    s.at_border.assign(vertices.size(), false);
    // By the edge's vertices, the lower one first.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Side>> sides;
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        const auto& c = s.triangles[t];
        const Vec3d& a = s.vertices[c[0]];
        s.normals.push_back(normalized(cross(s.vertices[c[1]] - a, s.vertices[c[2]] - a)));
        for (std::size_t k = 0; k < 3; ++k) {
            sides[std::minmax(c[k], c[(k + 1) % 3])].push_back({t, k});
            s.fans[c[k]].push_back(t);
            auto& ring = s.rings[c[k]];
            for (const std::uint32_t w : {c[(k + 1) % 3], c[(k + 2) % 3]}) {
                if (std::find(ring.begin(), ring.end(), w) == ring.end()) ring.push_back(w);
            }
            const Vec3d p = s.vertices[c[(k + 1) % 3]] - s.vertices[c[k]];
            const Vec3d q = s.vertices[c[(k + 2) % 3]] - s.vertices[c[k]];
            s.vertex_normals[c[k]] = s.vertex_normals[c[k]] + s.normals[t] * angle_between(p, q);
        }
    }
    s.neighbours.assign(triangles.size(), {OracleSurface::kNone, OracleSurface::kNone, OracleSurface::kNone});
    for (const auto& [edge, own] : sides) {
        for (const Side& side : own) {
            std::uint32_t& to = s.neighbours[side.triangle][side.k];
            if (own.size() > 2) {
                to = next_around(s, own, side);
            } else if (own.size() == 2) {
                const Side& other = own[side.triangle == own[0].triangle ? 1 : 0];
                const bool opposite = s.triangles[side.triangle][side.k] != s.triangles[other.triangle][other.k];
                if (opposite) to = other.triangle;
            }
            if (to == OracleSurface::kNone) s.at_border[edge.first] = s.at_border[edge.second] = true;
        }
    }
    return s;
}

double inadmissibility(const OracleSurface& s, std::uint32_t t, const Vec3d& u, BorderCone border) {
    constexpr double flat = 1e-6;
    const auto& c = s.triangles[t];
    const Vec3d& n = s.normals[t];
    double least = length(u - n);
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d along = normalized(s.vertices[c[(k + 1) % 3]] - s.vertices[c[k]]);
        const std::uint32_t other = s.neighbours[t][k];
        if (other == OracleSurface::kNone) {
            least = std::min(least, off_arc(u, n, cross(along, n), along));
        } else if (dot(along, cross(n, s.normals[other])) > flat) {
            least = std::min(least, off_arc(u, n, s.normals[other], along));
        }
        if (!is_outward(s, c[k], u, border)) continue;
        double above = 0;
        for (const std::uint32_t w : s.rings[c[k]]) {
            above = std::max(above, dot(u, normalized(s.vertices[w] - s.vertices[c[k]])));
        }
        least = std::min(least, above);
    }
    return least;
}

}  // namespace lanefold::reference
