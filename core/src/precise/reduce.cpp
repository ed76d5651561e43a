// SPDX-License-Identifier: MIT
//
// Reduction of a manifold to the record's capacity. Chooses the deepest point, the point furthest from it, the point
// furthest from their line, the point that adds most area outside of their triangle, and then repeatedly the point
// furthest from all kept ones. The lower index wins ties. Kept points stay in order.

#include "precise/reduce.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/detail/plane_hull.hpp>

namespace lanefold::detail {

namespace {

double distance2(const ClipPoint& a, const ClipPoint& b) {
    return (b.u - a.u) * (b.u - a.u) + (b.v - a.v) * (b.v - a.v);
}

// Measures what point c adds to the kept points, which are in the order of choice.
double gain(const std::vector<ClipPoint>& points, const std::uint32_t* kept, std::size_t count, const ClipPoint& c) {
    if (count == 1) return distance2(points[kept[0]], c);
    if (count == 2) return std::fabs(turn(points[kept[0]], points[kept[1]], c.u, c.v));
    if (count == 3) {
        const ClipPoint& third = points[kept[2]];
        const double sign = turn(points[kept[0]], points[kept[1]], third.u, third.v) < 0 ? -1.0 : 1.0;
        double outside = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            outside += std::max(0.0, -sign * turn(points[kept[k]], points[kept[(k + 1) % 3]], c.u, c.v));
        }
        return outside;
    }
    double nearest = distance2(points[kept[0]], c);
    for (std::size_t k = 1; k < count; ++k) nearest = std::min(nearest, distance2(points[kept[k]], c));
    return nearest;
}

}  // namespace

std::uint32_t deepest_point(const std::vector<ClipPoint>& points) {
    std::uint32_t deepest = 0;
    for (std::uint32_t i = 1; i < points.size(); ++i) {
        if (points[i].separation < points[deepest].separation) deepest = i;
    }
    return deepest;
}

void keep_by_spread(const std::vector<ClipPoint>& points, std::size_t capacity, std::size_t count,
                    std::uint32_t* kept) {
    while (count < capacity) {
        double best = -1;
        std::uint32_t choice = 0;
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            if (std::find(kept, kept + count, i) != kept + count) continue;
            const double g = gain(points, kept, count, points[i]);
            if (g > best) {
                best = g;
                choice = i;
            }
        }
        kept[count++] = choice;
    }
}

void keep_only(std::vector<ClipPoint>& points, std::uint32_t* kept, std::size_t count) {
    std::sort(kept, kept + count);
    for (std::size_t i = 0; i < count; ++i) points[i] = points[kept[i]];
    points.resize(count);
}

void reduce_points(std::vector<ClipPoint>& points, std::size_t capacity) {
    if (points.size() <= capacity) return;
    capacity = std::min<std::size_t>(capacity, Manifold16::kCapacity);
    std::uint32_t kept[Manifold16::kCapacity] = {deepest_point(points)};
    keep_by_spread(points, capacity, 1, kept);
    keep_only(points, kept, capacity);
}

}  // namespace lanefold::detail
