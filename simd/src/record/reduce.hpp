// SPDX-License-Identifier: MIT
//
// Reduction of a clipped manifold to the capacity of the record. It keeps the deepest point, then the point furthest
// from it, then the one furthest from the line through these two, then the one that adds the largest area outside the
// triangle. Beyond four it adds the point furthest from all kept ones. Ties go to the lower index; kept points stay in
// their order.
#pragma once

#include "pair/point.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline constexpr std::uint32_t kMaxKept = Manifold16::kCapacity;

LANEFOLD_INLINE Point point_at(const ClipPoints& p, std::uint32_t i) { return {p.x[i], p.y[i], p.z[i]}; }

// Component of d perpendicular to the unit normal n.
LANEFOLD_INLINE Point in_plane(const Point& d, const Point& n) {
    const float h = dot(d, n);
    return {d.x - n.x * h, d.y - n.y * h, d.z - n.z * h};
}

LANEFOLD_INLINE std::uint32_t deepest_point(const ClipPoints& p) {
    std::uint32_t deepest = 0;
    for (std::uint32_t i = 1; i < p.count; ++i)
        if (p.separation[i] < p.separation[deepest]) deepest = i;
    return deepest;
}

// The points chosen so far, in the order of choice.
struct Chosen {
    const ClipPoints& points;
    std::uint32_t order[kMaxKept];
    std::uint32_t count;

    LANEFOLD_INLINE bool has(std::uint32_t i) const {
        for (std::uint32_t k = 0; k < count; ++k)
            if (order[k] == i) return true;
        return false;
    }
    // Adds the point with the largest gain among the others; the first on ties. At least one point must be left.
    template <class Gain>
    LANEFOLD_INLINE Point add_best(const Gain& gain) {
        std::uint32_t best = 0;
        float best_gain = -1.0F;
        for (std::uint32_t i = 0; i < points.count; ++i) {
            if (has(i)) continue;
            const float g = gain(point_at(points, i));
            if (g > best_gain) {
                best_gain = g;
                best = i;
            }
        }
        order[count++] = best;
        return point_at(points, best);
    }
};

// Sorts at most kMaxKept entries in ascending order, by insertion.
LANEFOLD_INLINE void sort_kept(std::uint32_t* kept, std::uint32_t count) {
    for (std::uint32_t i = 1; i < count; ++i) {
        const std::uint32_t x = kept[i];
        std::uint32_t k = i;
        for (; k > 0 && kept[k - 1] > x; --k) kept[k] = kept[k - 1];
        kept[k] = x;
    }
}

// Chooses `capacity` points of more, `first` among them; `kept` receives ascending indices. n: unit normal of the
// contact.
inline std::uint32_t reduce_points_from(const ClipPoints& p, const Point& n, std::uint32_t first,
                                        std::uint32_t capacity, std::uint32_t* kept) {
    Chosen chosen = {p, {first}, 1};
    const Point a = point_at(p, first);
    const Point b = chosen.add_best([&](const Point& x) {
        const Point d = in_plane(sub(x, a), n);
        return dot(d, d);
    });
    const Point ab = sub(b, a);
    const Point c = chosen.add_best([&](const Point& x) {
        const float area = dot(n, cross(ab, sub(x, a)));
        return area < 0.0F ? -area : area;
    });
    // Counter-clockwise triangle about n.
    const bool flip = dot(n, cross(ab, sub(c, a))) < 0.0F;
    const Point p1 = flip ? c : b;
    const Point p2 = flip ? b : c;
    chosen.add_best([&](const Point& x) {
        const float e0 = -dot(n, cross(sub(p1, a), sub(x, a)));
        const float e1 = -dot(n, cross(sub(p2, p1), sub(x, p1)));
        const float e2 = -dot(n, cross(sub(a, p2), sub(x, p2)));
        float most = e0 > e1 ? e0 : e1;
        most = most > e2 ? most : e2;
        return most > 0.0F ? most : 0.0F;
    });
    while (chosen.count < capacity) {
        chosen.add_best([&](const Point& x) {
            float nearest = kHighest;
            for (std::uint32_t k = 0; k < chosen.count; ++k) {
                const Point d = in_plane(sub(x, point_at(p, chosen.order[k])), n);
                const float d2 = dot(d, d);
                nearest = d2 < nearest ? d2 : nearest;
            }
            return nearest;
        });
    }
    for (std::uint32_t k = 0; k < chosen.count; ++k) kept[k] = chosen.order[k];
    sort_kept(kept, chosen.count);
    return chosen.count;
}

// Chooses up to `capacity` of the points.
inline std::uint32_t reduce_points(const ClipPoints& p, const Point& n, std::uint32_t capacity, std::uint32_t* kept) {
    if (p.count <= capacity) {
        for (std::uint32_t i = 0; i < p.count; ++i) kept[i] = i;
        return p.count;
    }
    return reduce_points_from(p, n, deepest_point(p), capacity, kept);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
