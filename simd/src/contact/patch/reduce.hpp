// SPDX-License-Identifier: MIT
//
// Reduction of one patch manifold by the rule of geometry/patch.hpp, lanes = points.
#pragma once

#include <lanefold/detail/geometry/patch.hpp>

#include "pair/tolerances.hpp"
#include "record/reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Two unit vectors in the plane of n, with across x along = n.
LANEFOLD_INLINE void plane_axes(const Point& n, Point& across, Point& along) {
    const float x = n.x < 0.0F ? -n.x : n.x;
    const Point c = cross(n, x < kFlatAxis ? Point{1.0F, 0.0F, 0.0F} : Point{0.0F, 1.0F, 0.0F});
    const float length = __builtin_sqrtf(dot(c, c));
    across = {c.x / length, c.y / length, c.z / length};
    along = cross(n, across);
}

// The points of a patch manifold. The axes of the plan depend on the normal from A to B, which stays the same when the
// reference face changes from A to B between frames.
struct PatchPointSet : PointSet {
    WVec3 across, along;  // turned axes
    LaneSpot middle = {splat(0.0F), splat(0.0F)};
    WFloat half;

    LANEFOLD_INLINE PatchPointSet(const ClipPoints& p, const Point& n) : PointSet(p, n) {
        Point u;
        Point v;
        plane_axes(n, u, v);
        const WFloat c(static_cast<float>(kPatchTurnCos));
        const WFloat s(static_cast<float>(kPatchTurnSin));
        across = splat(u) * c + splat(v) * s;
        along = splat(v) * c - splat(u) * s;
        const auto extent = geometry::extent_of(*this, [&](int k) LANEFOLD_INLINE_LAMBDA { return plan(k); });
        middle = extent.middle;
        half = extent.half;
    }
    LANEFOLD_INLINE LaneSpot plan_of(const WVec3& x) const { return LaneSpot{dot(across, x), dot(along, x)} - middle; }
    LANEFOLD_INLINE LaneSpot plan(int c) const { return plan_of(at(c)); }
    static LANEFOLD_INLINE WFloat most(WFloat x) { return splat(reduce_max(x)); }
    static LANEFOLD_INLINE WFloat least(WFloat x) { return negate(most(negate(x))); }
};

// Same as reduce_points(), for patches. `slack`: see keep_patch().
inline std::uint32_t reduce_patch_points(const ClipPoints& p, const Point& n, float slack, std::uint32_t capacity,
                                         std::uint32_t* kept) {
    if (p.count <= capacity) return reduce_points(p, n, capacity, kept);
    geometry::PointList<PatchPointSet> list(PatchPointSet(p, n), capacity);
    PointList by_spread(PointSet(p, n), capacity);
    geometry::keep_patch(list, by_spread, ~no_lanes(), splat(slack));
    return list.copy_sorted(kept);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
