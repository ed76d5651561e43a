// SPDX-License-Identifier: MIT
//
// Convexity of a face's outline up to a tolerance; see is_convex_loop() in hull/merge.hpp.
#include <algorithm>

#include <lanefold/detail/plane_hull.hpp>

#include "hull/merge.hpp"

namespace lanefold::detail {

namespace {

// A corner of the loop in the plane of the face.
struct LoopCorner {
    double u;
    double v;
    std::uint32_t place;  // in the loop
};

// Places of the corners of the convex hull, counter-clockwise.
std::vector<std::uint32_t> hull_corners(std::vector<LoopCorner> p) {
    std::sort(p.begin(), p.end(), [](const LoopCorner& a, const LoopCorner& b) {
        if (a.u != b.u) return a.u < b.u;
        if (a.v != b.v) return a.v < b.v;
        return a.place < b.place;
    });
    std::vector<LoopCorner> hull(2 * p.size());
    hull.resize(plane_hull(
        p.data(), p.size(), hull.data(),
        [](const LoopCorner& a, const LoopCorner& b, const LoopCorner& c) { return turn(a, b, c.u, c.v) > 0; }));
    std::vector<std::uint32_t> places;
    places.reserve(hull.size());
    for (const LoopCorner& c : hull) places.push_back(c.place);
    return places;
}

}  // namespace

bool is_convex_loop(std::span<const Vec3d> points, std::span<const std::uint32_t> loop, const Vec3d& n,
                    double tolerance) {
    if (loop.size() < 3) return false;
    // Two axes perpendicular to n, from the input axis in whose direction n is shortest.
    const double ax = std::fabs(n.x), ay = std::fabs(n.y), az = std::fabs(n.z);
    const Vec3d helper = ax <= ay && ax <= az ? Vec3d{1, 0, 0} : ay <= az ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d u = normalized(cross(helper, n));
    const Vec3d v = cross(n, u);
    std::vector<LoopCorner> p;
    p.reserve(loop.size());
    for (const std::uint32_t i : loop) {
        const Vec3d d = points[i] - points[loop[0]];
        p.push_back({dot(u, d), dot(v, d), static_cast<std::uint32_t>(p.size())});
    }
    std::vector<std::uint32_t> corner = hull_corners(p);
    if (corner.size() < 3) return false;
    std::rotate(corner.begin(), std::min_element(corner.begin(), corner.end()), corner.end());
    if (!std::is_sorted(corner.begin(), corner.end())) return false;  // the loop is not in the order of the outline

    const auto count = static_cast<std::uint32_t>(loop.size());
    for (std::size_t k = 0; k < corner.size(); ++k) {
        const std::uint32_t begin = corner[k];
        const std::uint32_t end = k + 1 < corner.size() ? corner[k + 1] : corner[0] + count;
        const LoopCorner& a = p[begin];
        const LoopCorner& b = p[end % count];
        const double side_u = b.u - a.u;
        const double side_v = b.v - a.v;
        const double squared = side_u * side_u + side_v * side_v;
        double before = 0;
        for (std::uint32_t i = begin + 1; i < end; ++i) {
            const LoopCorner& q = p[i % count];
            const double across = turn(a, b, q.u, q.v);
            if (across * across > tolerance * tolerance * squared) return false;
            const double along = (q.u - a.u) * side_u + (q.v - a.v) * side_v;
            if (along <= before || along >= squared) return false;
            before = along;
        }
    }
    return true;
}

}  // namespace lanefold::detail
