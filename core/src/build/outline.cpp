// SPDX-License-Identifier: MIT
//
// Convexity of a face's outline up to a tolerance; see is_convex_loop() in build/merge.hpp.
#include <algorithm>
#include <numeric>

#include "build/merge.hpp"

namespace lanefold::detail {

namespace {

struct Point2 {
    double x;
    double y;
};

double turn(const Point2& a, const Point2& b, const Point2& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Positions of the corners of the convex outline, counter-clockwise (monotone chains, A. M. Andrew, 1979).
std::vector<std::uint32_t> outline_corners(std::span<const Point2> p) {
    std::vector<std::uint32_t> order(p.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (p[a].x != p[b].x) return p[a].x < p[b].x;
        if (p[a].y != p[b].y) return p[a].y < p[b].y;
        return a < b;
    });
    std::vector<std::uint32_t> chain;
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t base = chain.size();
        for (const std::uint32_t i : order) {
            while (chain.size() >= base + 2 && turn(p[chain[chain.size() - 2]], p[chain.back()], p[i]) <= 0) {
                chain.pop_back();
            }
            chain.push_back(i);
        }
        chain.pop_back();  // the other chain starts with this point
        std::reverse(order.begin(), order.end());
    }
    return chain;
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
    std::vector<Point2> p;
    p.reserve(loop.size());
    for (const std::uint32_t i : loop) {
        const Vec3d d = points[i] - points[loop[0]];
        p.push_back({dot(u, d), dot(v, d)});
    }
    std::vector<std::uint32_t> corner = outline_corners(p);
    if (corner.size() < 3) return false;
    std::rotate(corner.begin(), std::min_element(corner.begin(), corner.end()), corner.end());
    if (!std::is_sorted(corner.begin(), corner.end())) return false;  // the loop is not in the order of the outline

    const auto count = static_cast<std::uint32_t>(loop.size());
    for (std::size_t k = 0; k < corner.size(); ++k) {
        const std::uint32_t begin = corner[k];
        const std::uint32_t end = k + 1 < corner.size() ? corner[k + 1] : corner[0] + count;
        const Point2& a = p[begin];
        const Point2& b = p[end % count];
        const Point2 side{b.x - a.x, b.y - a.y};
        const double squared = side.x * side.x + side.y * side.y;
        double before = 0;
        for (std::uint32_t i = begin + 1; i < end; ++i) {
            const Point2& q = p[i % count];
            const double across = turn(a, b, q);
            if (across * across > tolerance * tolerance * squared) return false;
            const double along = (q.x - a.x) * side.x + (q.y - a.y) * side.y;
            if (along <= before || along >= squared) return false;
            before = along;
        }
    }
    return true;
}

}  // namespace lanefold::detail
