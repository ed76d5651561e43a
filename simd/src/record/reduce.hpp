// SPDX-License-Identifier: MIT
//
// Reduction of one clipped manifold to the capacity of the record by spread. Kept points stay in their order. Lanes =
// points: a scan takes kWidth of them at once, and the places of those that are kept are the same in all lanes.
#pragma once

#include <lanefold/detail/geometry/point_list.hpp>

#include "pair/point.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE Point point_at(const ClipPoints& p, std::uint32_t i) { return {p.x[i], p.y[i], p.z[i]}; }

// Places in space, measured in the plane of a unit normal.
struct InSpace {
    using Spot = WVec3;

    WVec3 normal;

    LANEFOLD_INLINE WFloat wedge(const WVec3& d, const WVec3& e) const { return dot(normal, cross(d, e)); }
    static LANEFOLD_INLINE WFloat along(const WVec3& d, const WVec3& e) { return dot(d, e); }
    LANEFOLD_INLINE WFloat square(const WVec3& d) const {
        const WVec3 beside = d - normal * dot(d, normal);
        return dot(beside, beside);
    }
};

// The points of a manifold for geometry/point_list.hpp. Lanes behind the last point in a step have any numbers.
struct PointSet : InSpace {
    using Number = WFloat;
    using Index = WInt;
    static constexpr int kStep = static_cast<int>(kWidth);

    const ClipPoints& points;

    LANEFOLD_INLINE PointSet(const ClipPoints& p, const Point& n) : InSpace{splat(n)}, points(p) {}
    LANEFOLD_INLINE int size() const { return static_cast<int>(points.count); }
    LANEFOLD_INLINE WVec3 at(int c) const {
        return load_points(points.x.data() + c, points.y.data() + c, points.z.data() + c);
    }
    LANEFOLD_INLINE WFloat separation(int c) const { return WFloat::load(points.separation.data() + c); }
    LANEFOLD_INLINE WInt numbers(int c) const { return WInt::iota() + WInt(c); }
    LANEFOLD_INLINE WMask exists(int c) const { return numbers(c) < WInt(size()); }
    LANEFOLD_INLINE std::uint32_t index_of(WFloat value, WInt step) const { return reduce_blocks(value, step).index; }
    LANEFOLD_INLINE WVec3 spot(std::uint32_t i) const { return splat(point_at(points, i)); }
    LANEFOLD_INLINE WFloat depth(std::uint32_t i) const { return splat(points.separation[i]); }
};

using PointList = geometry::PointList<PointSet>;

// Chooses up to `capacity` of the points; `kept` receives ascending indices. n: unit normal of the contact.
inline std::uint32_t reduce_points(const ClipPoints& p, const Point& n, std::uint32_t capacity, std::uint32_t* kept) {
    if (p.count <= capacity) {
        for (std::uint32_t i = 0; i < p.count; ++i) kept[i] = i;
        return p.count;
    }
    PointList list(PointSet(p, n), capacity);
    geometry::take_by_spread(list, list.take(geometry::deepest_of(list)));
    return list.copy_sorted(kept);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
