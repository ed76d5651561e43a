// SPDX-License-Identifier: MIT
//
// The proof that triangles bound a convex hull, by the exact predicates of the builder, whoever found the triangles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hull/hull_surface.hpp"
#include "hull/predicates.hpp"

namespace lanefold::test {

inline bool has_area(std::span<const Vec3d> points, const detail::Triangle& t) {
    // The cross product must be longer than its rounding error; a doubtful triangle counts as having no area.
    const Vec3d u = points[t[1]] - points[t[0]];
    const Vec3d v = points[t[2]] - points[t[0]];
    return length_squared(cross(u, v)) > 1e-28 * (length_squared(u) * length_squared(v));
}

inline bool is_sphere(const detail::TriangleSurface& s, std::size_t point_count) {
    std::vector<bool> used(point_count, false);
    std::size_t vertices = 0;
    for (const detail::Triangle& t : s.triangle) {
        for (const std::uint32_t v : t) {
            if (!used[v]) ++vertices;
            used[v] = true;
        }
    }
    if (2 * vertices != s.triangle.size() + 4) return false;  // V - E + F = 2 with 2 E = 3 F
    std::vector<bool> seen(s.triangle.size(), false);
    std::vector<std::uint32_t> stack{0};
    seen[0] = true;
    std::size_t reached = 1;
    while (!stack.empty()) {
        const std::uint32_t t = stack.back();
        stack.pop_back();
        for (const std::uint32_t n : s.neighbour[t]) {
            if (seen[n]) continue;
            seen[n] = true;
            ++reached;
            stack.push_back(n);
        }
    }
    return reached == s.triangle.size();
}

// Makes a surface from triangles given as vertex sets: orients each away from `inside`, pairs the edges and proves that
// the result bounds a convex set (closed, of a sphere's topology, no triangle without area, exactly convex at every
// edge, `inside` strictly below every triangle). Returns false if it does not.
inline bool make_convex_surface(std::span<const Vec3d> points, std::vector<detail::Triangle> triangles,
                                const Vec3d& inside, detail::TriangleSurface& out) {
    if (triangles.size() < 4) return false;
    detail::FaceLoops loops;
    for (detail::Triangle& v : triangles) {
        if (!has_area(points, v)) return false;
        // `inside` is not a float32 point, so only a clear distance counts.
        const double h = detail::TrianglePlane(points[v[0]], points[v[1]], points[v[2]]).height(inside);
        if (std::fabs(h) <= 1e-13 * length(inside - points[v[0]])) return false;
        if (h > 0) std::swap(v[1], v[2]);
        loops.add(v);
    }
    const std::vector<std::uint32_t> twin = detail::find_twins(loops, static_cast<std::uint32_t>(points.size()));
    if (twin.empty()) return false;
    out.triangle = std::move(triangles);
    out.neighbour.assign(out.triangle.size(), {});
    for (std::uint32_t s = 0; s < twin.size(); ++s) out.neighbour[s / 3][s % 3] = twin[s] / 3;
    if (!is_sphere(out, points.size())) return false;
    for (std::uint32_t t = 0; t < out.triangle.size(); ++t) {
        const detail::Triangle& v = out.triangle[t];
        const detail::TrianglePlane plane(points[v[0]], points[v[1]], points[v[2]]);
        const auto above = [&](std::uint32_t p) { return plane.side(points[p]) > 0; };
        for (const std::uint32_t n : out.neighbour[t]) {
            if (std::ranges::any_of(out.triangle[n], above)) return false;
        }
    }
    return true;
}

// True if no point is strictly above a face.
inline bool contains_all(std::span<const Vec3d> points, const detail::FaceLoops& faces) {
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        const auto loop = faces.loop(f);
        // Corners that are far apart, because neighbouring ones of a large polygon are nearly collinear.
        const detail::TrianglePlane plane(points[loop[0]], points[loop[loop.size() / 3]],
                                          points[loop[2 * loop.size() / 3]]);
        if (std::ranges::any_of(points, [&](const Vec3d& p) { return plane.side(p) > 0; })) return false;
    }
    return true;
}

}  // namespace lanefold::test
