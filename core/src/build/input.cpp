// SPDX-License-Identifier: MIT
//
// Classifies degenerate point sets in float64; see build/input.hpp.
#include "build/input.hpp"

#include <algorithm>
#include <numeric>

#include "build/predicates.hpp"

namespace lanefold::detail {

namespace {

// Limits of coordinates and extents, in the caller's unit. Beyond them the products in the computation of hulls leave
// float32's range: a volume is the product of three lengths, a squared normal of four.
constexpr double kLargestCoordinate = 1e15;
constexpr double kSmallestExtent = 1e-15;

HullReport failure(HullError error, std::uint32_t culprit, const char* what) {
    HullReport r;
    r.error = error;
    r.culprit = culprit;
    r.what = what;
    return r;
}

// Drops later copies of equal points. -0 counts as +0 and is stored as +0.
void remove_duplicates(std::span<const Vec3f> points, HullInput& out) {
    std::vector<std::uint32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
        const Vec3f& p = points[i];
        const Vec3f& q = points[j];
        if (p.x != q.x) return p.x < q.x;
        if (p.y != q.y) return p.y < q.y;
        if (p.z != q.z) return p.z < q.z;
        return i < j;
    });
    out.index.clear();
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (k == 0 || !(points[order[k]] == points[order[k - 1]])) out.index.push_back(order[k]);
    }
    std::sort(out.index.begin(), out.index.end());
    out.points.clear();
    out.points.reserve(out.index.size());
    for (const std::uint32_t i : out.index) out.points.push_back(to_double(points[i]) + Vec3d{0.0, 0.0, 0.0});
}

// Index of the largest value of f over the points, lowest index on ties.
template <class F>
std::uint32_t furthest(const std::vector<Vec3d>& points, const F& f) {
    std::uint32_t best = 0;
    double best_value = f(points[0]);
    for (std::uint32_t i = 1; i < points.size(); ++i) {
        const double value = f(points[i]);
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}

// Four points: one, the furthest from it, the furthest from their line, the furthest from their plane.
struct Spread {
    std::uint32_t a = 0, b = 0, c = 0, d = 0;
    double line_distance = 0;
    double thickness = 0;  // of all points across the plane of a, b, c

    explicit Spread(const std::vector<Vec3d>& p) {
        a = furthest(p, [](const Vec3d& q) { return -q.x; });
        b = furthest(p, [&](const Vec3d& q) { return length_squared(q - p[a]); });
        const Vec3d line = normalized(p[b] - p[a]);
        const auto from_line = [&](const Vec3d& q) { return length(cross(q - p[a], line)); };
        c = furthest(p, from_line);
        line_distance = from_line(p[c]);
        const TrianglePlane plane(p[a], p[b], p[c]);
        double lowest = 0;
        double highest = 0;
        for (const Vec3d& q : p) {
            const double h = plane.height(q);
            lowest = std::min(lowest, h);
            highest = std::max(highest, h);
        }
        d = furthest(p, [&](const Vec3d& q) { return std::fabs(plane.height(q)); });
        thickness = highest - lowest;
    }

    std::array<std::uint32_t, 4> tetrahedron(const std::vector<Vec3d>& p) const {
        if (side_of_plane(p[a], p[b], p[c], p[d]) > 0) return {a, b, c, d};
        return {a, c, b, d};
    }
};

}  // namespace

HullReport prepare_input(std::span<const Vec3f> points, HullInput& out) {
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        if (!is_finite(points[i])) return failure(HullError::not_finite, i, "a coordinate is NaN or infinite");
    }
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const Vec3d p = to_double(points[i]);
        const double m = std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
        if (m > kLargestCoordinate) return failure(HullError::too_large, i, "a coordinate is beyond 1e15");
    }
    remove_duplicates(points, out);
    const auto& p = out.points;
    if (p.size() < 4) return failure(HullError::too_few_points, 0, "fewer than 4 distinct points");

    out.box_min = out.box_max = p[0];
    for (const Vec3d& q : p) {
        out.box_min = {std::min(out.box_min.x, q.x), std::min(out.box_min.y, q.y), std::min(out.box_min.z, q.z)};
        out.box_max = {std::max(out.box_max.x, q.x), std::max(out.box_max.y, q.y), std::max(out.box_max.z, q.z)};
    }
    const Vec3d extent = out.box_max - out.box_min;
    out.size = 0.5 * length(extent);
    if (std::max({extent.x, extent.y, extent.z}) < kSmallestExtent)
        return failure(HullError::too_small, 0, "the points lie within 1e-15");

    const Spread s(p);
    if (s.line_distance < kFlatness * out.size)
        return failure(HullError::collinear, out.index[s.c], "all points lie on a line");
    if (s.thickness < kFlatness * out.size)
        return failure(HullError::flat, out.index[s.d], "all points lie in a plane");
    out.start = s.tetrahedron(p);
    out.thickness = s.thickness;
    return {};
}

std::array<std::uint32_t, 4> spanning_tetrahedron(const std::vector<Vec3d>& points) {
    return Spread(points).tetrahedron(points);
}

}  // namespace lanefold::detail
