// SPDX-License-Identifier: MIT
//
// Reduction of a clipped manifold to the capacity of the record. It keeps the deepest point, then the point furthest
// from it, then the one furthest from the line through these two, then the one that adds the largest area outside the
// triangle. Beyond four it adds the point furthest from all kept ones. Ties go to the lower index; kept points stay in
// their order. Lanes = points.
#pragma once

#include "pair/point.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline constexpr std::uint32_t kMaxKept = Manifold16::kCapacity;

LANEFOLD_INLINE Point point_at(const ClipPoints& p, std::uint32_t i) { return {p.x[i], p.y[i], p.z[i]}; }

// kWidth points from i on. Those behind the last are any numbers.
LANEFOLD_INLINE WVec3 points_at(const ClipPoints& p, std::uint32_t i) {
    return load_points(p.x.data() + i, p.y.data() + i, p.z.data() + i);
}

// Component of d perpendicular to the unit normal n.
LANEFOLD_INLINE Point in_plane(const Point& d, const Point& n) {
    const float h = dot(d, n);
    return {d.x - n.x * h, d.y - n.y * h, d.z - n.z * h};
}
LANEFOLD_INLINE WVec3 in_plane(const WVec3& d, const WVec3& n) { return d - n * dot(d, n); }

// The highest value of a list above a first one, and the lowest index that has it, lane by lane.
struct LaneBest {
    WFloat value;
    WInt block = WInt(0);

    // Offers the values of kWidth entries from i on; `counts`: those that do.
    LANEFOLD_INLINE void offer(std::uint32_t i, WFloat values, WMask counts) {
        const WMask better = counts & (values > value);
        value = select(better, values, value);
        block = select(better, WInt(static_cast<std::int32_t>(i)), block);
    }
    LANEFOLD_INLINE std::uint32_t index() const { return reduce_blocks(value, block).index; }
};

inline std::uint32_t deepest_point(const ClipPoints& p) {
    LaneBest best = {splat(kLowest)};
    const WInt count(static_cast<std::int32_t>(p.count));
    for (std::uint32_t i = 0; i < p.count; i += kWidth) {
        const WInt index = WInt::iota() + WInt(static_cast<std::int32_t>(i));
        best.offer(i, negate(WFloat::load(p.separation.data() + i)), index < count);
    }
    return best.index();
}

// The points chosen so far, in the order of choice.
struct Chosen {
    const ClipPoints& points;
    std::uint32_t order[kMaxKept];
    std::uint32_t count;

    // Adds the point with the largest gain among the others; the first on ties. At least one point must be left.
    template <class Gain>
    LANEFOLD_INLINE Point add_best(const Gain& gain) {
        LaneBest best = {splat(-1.0F)};
        const WInt all(static_cast<std::int32_t>(points.count));
        for (std::uint32_t i = 0; i < points.count; i += kWidth) {
            const WInt index = WInt::iota() + WInt(static_cast<std::int32_t>(i));
            WMask open = index < all;
            for (std::uint32_t k = 0; k < count; ++k)
                open = open & ~(index == WInt(static_cast<std::int32_t>(order[k])));
            best.offer(i, gain(points_at(points, i)), open);
        }
        order[count] = best.index();
        return point_at(points, order[count++]);
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
    const WVec3 normal = splat(n);
    const Point start = point_at(p, first);
    const WVec3 a = splat(start);
    const Point b = chosen.add_best([&](const WVec3& x) LANEFOLD_INLINE_LAMBDA {
        const WVec3 d = in_plane(x - a, normal);
        return dot(d, d);
    });
    const Point to_b = sub(b, start);
    const WVec3 ab = splat(to_b);
    const Point c =
        chosen.add_best([&](const WVec3& x) LANEFOLD_INLINE_LAMBDA { return abs(dot(normal, cross(ab, x - a))); });
    // Counter-clockwise triangle about n.
    const bool flip = dot(n, cross(to_b, sub(c, start))) < 0.0F;
    const Point second = flip ? c : b;
    const Point third = flip ? b : c;
    const WVec3 p1 = splat(second);
    const WVec3 p2 = splat(third);
    const WVec3 side0 = splat(sub(second, start));
    const WVec3 side1 = splat(sub(third, second));
    const WVec3 side2 = splat(sub(start, third));
    chosen.add_best([&](const WVec3& x) LANEFOLD_INLINE_LAMBDA {
        const WFloat e0 = negate(dot(normal, cross(side0, x - a)));
        const WFloat e1 = negate(dot(normal, cross(side1, x - p1)));
        const WFloat e2 = negate(dot(normal, cross(side2, x - p2)));
        return max(max(max(e0, e1), e2), splat(0.0F));
    });
    while (chosen.count < capacity) {
        chosen.add_best([&](const WVec3& x) LANEFOLD_INLINE_LAMBDA {
            WFloat nearest(kHighest);
            for (std::uint32_t k = 0; k < chosen.count; ++k) {
                const WVec3 d = in_plane(x - splat(point_at(p, chosen.order[k])), normal);
                nearest = min(dot(d, d), nearest);
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
