// SPDX-License-Identifier: MIT
//
// Reduction of a manifold to the record's capacity: the deepest point, the one furthest from it, the one
// furthest from their line, the one that adds most area outside their triangle, then whatever is furthest
// from all that is kept. Ties go to the lower index; kept points stay in order.

#include <algorithm>
#include <cmath>
#include <limits>

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

std::uint32_t deepest_point(const std::vector<ClipPoint>& points) {
    std::uint32_t deepest = 0;
    for (std::uint32_t i = 1; i < points.size(); ++i) {
        if (points[i].separation < points[deepest].separation) deepest = i;
    }
    return deepest;
}

// Fills kept[count ..] up to `capacity`.
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

// The point furthest along (c, s) in the contact plane that is not among the kept ones; the first on ties.
std::uint32_t furthest_point(const std::vector<ClipPoint>& points, double c, double s, const std::uint32_t* kept,
                             std::size_t count) {
    std::uint32_t best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        if (std::find(kept, kept + count, i) != kept + count) continue;
        const double reach = points[i].u * c + points[i].v * s;
        if (reach <= most) continue;
        most = reach;
        best = i;
    }
    return best;
}

constexpr std::size_t kMost = Manifold16::kCapacity;

}  // namespace

void reduce_points(std::vector<ClipPoint>& points, std::size_t capacity) {
    if (points.size() <= capacity) return;
    capacity = std::min(capacity, kMost);
    std::uint32_t kept[kMost] = {deepest_point(points)};
    keep_by_spread(points, capacity, 1, kept);
    keep_only(points, kept, capacity);
}

void reduce_patch_points(std::vector<ClipPoint>& points, std::size_t capacity, double spread) {
    if (points.size() <= capacity) return;
    capacity = std::min(capacity, kMost);
    // A direction along which the corners of regular polygons do not tie.
    std::uint32_t kept[kMost] = {furthest_point(points, 0.955, 0.296, nullptr, 0)};
    keep_by_spread(points, capacity, 1, kept);
    const std::uint32_t deepest = deepest_point(points);
    const bool missed = std::none_of(kept, kept + capacity, [&](std::uint32_t i) {
        return points[i].separation <= points[deepest].separation + spread;
    });
    if (missed && capacity == 4) {
        // It lies in the middle, as on a round hull: with it three corners that are there whatever it is.
        kept[0] = deepest;
        kept[1] = furthest_point(points, 1.0, 0.0, kept, 1);
        kept[2] = furthest_point(points, -0.5, 0.866, kept, 2);
        kept[3] = furthest_point(points, -0.5, -0.866, kept, 3);
    } else if (missed) {
        *std::min_element(kept, kept + capacity, [&](std::uint32_t i, std::uint32_t k) {
            return distance2(points[i], points[deepest]) < distance2(points[k], points[deepest]);
        }) = deepest;
    }
    keep_only(points, kept, capacity);
}

}  // namespace lanefold::detail
