// SPDX-License-Identifier: MIT
//
// Reduction of a patch manifold: by spread as everywhere, but from a corner that does not depend on depths, so that a
// level patch keeps its points while the body trembles. A deepest point that would be missed takes part all the same.
#pragma once

#include "reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Two unit vectors of the plane of n: across x along = n.
LANEFOLD_INLINE void plane_axes(const Point& n, Point& across, Point& along) {
    const float x = n.x < 0.0F ? -n.x : n.x;
    const Point c = cross(n, x < 0.6F ? Point{1.0F, 0.0F, 0.0F} : Point{0.0F, 1.0F, 0.0F});
    const float length = __builtin_sqrtf(dot(c, c));
    across = {c.x / length, c.y / length, c.z / length};
    along = cross(n, across);
}

// The point furthest along c across + s along that is none of `taken`; the first on ties.
LANEFOLD_INLINE std::uint32_t furthest_point(const ClipPoints& p, const Point& across, const Point& along, float c,
                                             float s, const std::uint32_t* taken, std::uint32_t taken_count) {
    const Point d = {across.x * c + along.x * s, across.y * c + along.y * s, across.z * c + along.z * s};
    std::uint32_t best = 0;
    float most = -3.402823466e+38F;
    for (std::uint32_t i = 0; i < p.count; ++i) {
        bool is_taken = false;
        for (std::uint32_t k = 0; k < taken_count; ++k) is_taken = is_taken || taken[k] == i;
        const float reach = dot(d, point_at(p, i));
        if (is_taken || !(reach > most)) continue;
        most = reach;
        best = i;
    }
    return best;
}

LANEFOLD_INLINE void sort_kept(std::uint32_t* kept, std::uint32_t count) {
    for (std::uint32_t i = 1; i < count; ++i) {
        const std::uint32_t x = kept[i];
        std::uint32_t k = i;
        for (; k > 0 && kept[k - 1] > x; --k) kept[k] = kept[k - 1];
        kept[k] = x;
    }
}

// As reduce_points(). `out`: the reference face's outward normal, whose axes do not turn when bodies tremble;
// `spread`: how much shallower than the deepest point the deepest one kept may be.
inline std::uint32_t reduce_patch_points(const ClipPoints& p, const Point& n, const Point& out, float spread,
                                         std::uint32_t capacity, std::uint32_t* kept) {
    if (p.count <= capacity) return reduce_points(p, n, capacity, kept);
    Point across;
    Point along;
    plane_axes(out, across, along);
    // A direction along which the corners of regular polygons do not tie.
    const std::uint32_t first = furthest_point(p, across, along, 0.955F, 0.296F, nullptr, 0);
    const std::uint32_t count = reduce_points_from(p, n, first, capacity, kept);
    const std::uint32_t deepest = deepest_point(p);
    float lowest = p.separation[kept[0]];
    for (std::uint32_t i = 1; i < count; ++i) lowest = p.separation[kept[i]] < lowest ? p.separation[kept[i]] : lowest;
    if (lowest <= p.separation[deepest] + spread) return count;
    if (capacity == 4) {
        // It lies in the middle, as on a round hull: with it three corners that are there whatever it is.
        kept[0] = deepest;
        kept[1] = furthest_point(p, across, along, 1.0F, 0.0F, kept, 1);
        kept[2] = furthest_point(p, across, along, -0.5F, 0.866F, kept, 2);
        kept[3] = furthest_point(p, across, along, -0.5F, -0.866F, kept, 3);
    } else {
        std::uint32_t nearest = 0;
        float least = 3.402823466e+38F;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Point d = in_plane(sub(point_at(p, kept[i]), point_at(p, deepest)), n);
            const float d2 = dot(d, d);
            if (d2 < least) {
                least = d2;
                nearest = i;
            }
        }
        kept[nearest] = deepest;
    }
    sort_kept(kept, count);
    return count;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
