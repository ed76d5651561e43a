// SPDX-License-Identifier: MIT
//
// Reduction of a manifold to the record's capacity: the deepest point, the one furthest from it, the one
// furthest from their line, the one that adds most area outside their triangle, then whatever is furthest
// from all that is kept. Ties go to the lower index; kept points stay in order.

#include <algorithm>
#include <cmath>

#include "precise_types.hpp"

namespace lanefold::detail {

namespace {

double twice_area(const ClipPoint& a, const ClipPoint& b, const ClipPoint& c) {
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

double distance2(const ClipPoint& a, const ClipPoint& b) {
    return (b.u - a.u) * (b.u - a.u) + (b.v - a.v) * (b.v - a.v);
}

// What point c adds to the points kept so far (in the order they were chosen).
double gain(const std::vector<ClipPoint>& points, const std::uint32_t* kept, std::size_t count, const ClipPoint& c) {
    if (count == 1) return distance2(points[kept[0]], c);
    if (count == 2) return std::fabs(twice_area(points[kept[0]], points[kept[1]], c));
    if (count == 3) {
        const double turn = twice_area(points[kept[0]], points[kept[1]], points[kept[2]]) < 0 ? -1.0 : 1.0;
        double outside = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            outside += std::max(0.0, -turn * twice_area(points[kept[k]], points[kept[(k + 1) % 3]], c));
        }
        return outside;
    }
    double nearest = distance2(points[kept[0]], c);
    for (std::size_t k = 1; k < count; ++k) nearest = std::min(nearest, distance2(points[kept[k]], c));
    return nearest;
}

}  // namespace

void reduce_points(std::vector<ClipPoint>& points, std::size_t capacity) {
    constexpr std::size_t kMost = Manifold16::kCapacity;
    if (points.size() <= capacity) return;
    std::uint32_t kept[kMost] = {};
    for (std::uint32_t i = 1; i < points.size(); ++i) {
        if (points[i].separation < points[kept[0]].separation) kept[0] = i;
    }
    std::size_t count = 1;
    while (count < std::min(capacity, kMost)) {
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
    std::sort(kept, kept + count);
    for (std::size_t i = 0; i < count; ++i) points[i] = points[kept[i]];
    points.resize(count);
}

}  // namespace lanefold::detail
