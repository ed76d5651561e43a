// SPDX-License-Identifier: MIT
//
// Reduction of a patch manifold. The rule keeps the choice steady while bodies move a little. A choice that starts at
// the deepest point turns with it when a level patch trembles, and a choice that starts at any corner of a ragged rim
// jumps with that corner. So four points are those in four fixed directions, unless a choice by spread covers much more
// area. The deepest point is added if the choice misses it.
#pragma once

#include "pair/tolerances.hpp"
#include "record/reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The shared constants of the reduction, rounded to float32.
inline constexpr float kPatchMoreArea = static_cast<float>(detail::kPatchMoreArea);
inline constexpr float kPatchAside = static_cast<float>(detail::kPatchAside);
inline constexpr float kPatchTurnCos = static_cast<float>(detail::kPatchTurnCos);
inline constexpr float kPatchTurnSin = static_cast<float>(detail::kPatchTurnSin);
inline constexpr float kPatchMiddle2 = static_cast<float>(detail::kPatchMiddle2);
inline constexpr float kPatchTriangleSin = static_cast<float>(detail::kPatchTriangleSin);

// Two unit vectors in the plane of n, with across x along = n.
LANEFOLD_INLINE void plane_axes(const Point& n, Point& across, Point& along) {
    const float x = n.x < 0.0F ? -n.x : n.x;
    const Point c = cross(n, x < kFlatAxis ? Point{1.0F, 0.0F, 0.0F} : Point{0.0F, 1.0F, 0.0F});
    const float length = __builtin_sqrtf(dot(c, c));
    across = {c.x / length, c.y / length, c.z / length};
    along = cross(n, across);
}

// The contact plane relative to the middle of the points' extent. Its axes depend on the normal from A to B, which
// stays the same when the reference face changes from A to B between frames.
struct PatchPlane {
    Point across;
    Point along;
    float middle[2];
    float half;  // half of the larger extent
};

LANEFOLD_INLINE PatchPlane patch_plane(const ClipPoints& p, const Point& n) {
    PatchPlane plane;
    Point across;
    Point along;
    plane_axes(n, across, along);
    plane.across = {across.x * kPatchTurnCos + along.x * kPatchTurnSin,
                    across.y * kPatchTurnCos + along.y * kPatchTurnSin,
                    across.z * kPatchTurnCos + along.z * kPatchTurnSin};
    plane.along = {along.x * kPatchTurnCos - across.x * kPatchTurnSin,
                   along.y * kPatchTurnCos - across.y * kPatchTurnSin,
                   along.z * kPatchTurnCos - across.z * kPatchTurnSin};
    float low[2] = {kHighest, kHighest};
    float high[2] = {kLowest, kLowest};
    for (std::uint32_t i = 0; i < p.count; ++i) {
        const float at[2] = {dot(plane.across, point_at(p, i)), dot(plane.along, point_at(p, i))};
        for (int k = 0; k < 2; ++k) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
    plane.middle[0] = 0.5F * (low[0] + high[0]);
    plane.middle[1] = 0.5F * (low[1] + high[1]);
    const float extent[2] = {high[0] - low[0], high[1] - low[1]};
    plane.half = 0.5F * (extent[0] > extent[1] ? extent[0] : extent[1]);
    return plane;
}

LANEFOLD_INLINE float patch_u(const PatchPlane& plane, const Point& x) {
    return dot(plane.across, x) - plane.middle[0];
}
LANEFOLD_INLINE float patch_v(const PatchPlane& plane, const Point& x) { return dot(plane.along, x) - plane.middle[1]; }

// The point furthest in the direction (c, s) of that plane that is not in `taken`; the first on ties.
LANEFOLD_INLINE std::uint32_t furthest_point(const ClipPoints& p, const PatchPlane& plane, float c, float s,
                                             const std::uint32_t* taken, std::uint32_t taken_count) {
    std::uint32_t best = 0;
    float most = kLowest;
    for (std::uint32_t i = 0; i < p.count; ++i) {
        bool is_taken = false;
        for (std::uint32_t k = 0; k < taken_count; ++k) is_taken = is_taken || taken[k] == i;
        const float u = patch_u(plane, point_at(p, i));
        const float v = patch_v(plane, point_at(p, i));
        const float aside = v * c - u * s;
        const float reach = (u * c + v * s) - kPatchAside * (aside < 0.0F ? -aside : aside);
        if (is_taken || !(reach > most)) continue;
        most = reach;
        best = i;
    }
    return best;
}

// Twice the area of the quadrilateral of four points: the largest over the three ways to pair them as diagonals.
LANEFOLD_INLINE float quad_area(const ClipPoints& p, const Point& n, const std::uint32_t* k) {
    const Point a = point_at(p, k[0]);
    const Point b = point_at(p, k[1]);
    const Point c = point_at(p, k[2]);
    const Point d = point_at(p, k[3]);
    const float areas[3] = {dot(n, cross(sub(c, a), sub(d, b))), dot(n, cross(sub(b, a), sub(d, c))),
                            dot(n, cross(sub(d, a), sub(c, b)))};
    float most = 0.0F;
    for (const float x : areas) {
        const float size = x < 0.0F ? -x : x;
        most = size > most ? size : most;
    }
    return most;
}

// Same as reduce_points(), for patches. `spread`: length by which the deepest kept point may be shallower than the
// deepest point.
inline std::uint32_t reduce_patch_points(const ClipPoints& p, const Point& n, float spread, std::uint32_t capacity,
                                         std::uint32_t* kept) {
    if (p.count <= capacity) return reduce_points(p, n, capacity, kept);
    const PatchPlane plane = patch_plane(p, n);
    const std::uint32_t first = furthest_point(p, plane, 1.0F, 0.0F, nullptr, 0);
    const std::uint32_t count = reduce_points_from(p, n, first, capacity, kept);
    if (capacity == 4) {
        // The choice by spread changes as a whole with its first point. Four fixed directions do not, but may miss the
        // corners of a long or slanting patch.
        std::uint32_t fixed[4] = {first, 0, 0, 0};
        fixed[1] = furthest_point(p, plane, 0.0F, 1.0F, fixed, 1);
        fixed[2] = furthest_point(p, plane, -1.0F, 0.0F, fixed, 2);
        fixed[3] = furthest_point(p, plane, 0.0F, -1.0F, fixed, 3);
        if (quad_area(p, n, kept) <= kPatchMoreArea * quad_area(p, n, fixed)) {
            for (int k = 0; k < 4; ++k) kept[k] = fixed[k];
        }
    }
    const std::uint32_t deepest = deepest_point(p);
    float lowest = p.separation[kept[0]];
    for (std::uint32_t i = 1; i < count; ++i) lowest = p.separation[kept[i]] < lowest ? p.separation[kept[i]] : lowest;
    if (lowest > p.separation[deepest] + spread) {
        const Point x = point_at(p, deepest);
        const float u = patch_u(plane, x);
        const float v = patch_v(plane, x);
        if (capacity == 4 && u * u + v * v < kPatchMiddle2 * plane.half * plane.half) {
            // It is in the middle, as on a round hull: keep it and the three corners of a fixed triangle.
            kept[0] = deepest;
            kept[1] = furthest_point(p, plane, 1.0F, 0.0F, kept, 1);
            kept[2] = furthest_point(p, plane, -0.5F, kPatchTriangleSin, kept, 2);
            kept[3] = furthest_point(p, plane, -0.5F, -kPatchTriangleSin, kept, 3);
        } else {
            std::uint32_t nearest = 0;
            float least = kHighest;
            for (std::uint32_t i = 0; i < count; ++i) {
                const Point d = in_plane(sub(point_at(p, kept[i]), x), n);
                const float d2 = dot(d, d);
                if (d2 < least) {
                    least = d2;
                    nearest = i;
                }
            }
            kept[nearest] = deepest;
        }
    }
    sort_kept(kept, count);
    return count;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
