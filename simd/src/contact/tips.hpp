// SPDX-License-Identifier: MIT
//
// Points beyond the tip of a face. A clip counts points as inside of a face that are outside of the lines of its sides
// by up to kClipTolerance. Beyond a corner of the angle w such a point may be 1 / sin(w / 2) times as far from the
// face. A pair with a point too far away goes to the float64 path, whose tolerance is smaller and which leaves out such
// points. So does a pair with more points than two convex faces have corners in common.
//
// The points beyond a tip are those nearest to the corner: beyond the end of the side before it and in front of the
// start of the side after it. Only acute corners have such points within the tolerance of both lines at a distance.
#pragma once

#include "contact/clip_polygons.hpp"
#include "pair/point.hpp"
#include "pair/tolerances.hpp"
#include "record/lane_reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Distance from a corner, in (size A + size B), up to which points beyond it are kept. Such a point may prove that the
// separation along the best axis is the distance, which then is too small by at most as much: 1.6e-6 of the larger
// size. Points may be off the surfaces by 4e-6 of it.
inline constexpr float kTip = 8e-7F;

// Sides of the reference face in coordinates of the contact plane, lanes = pairs. Slots beyond the count of a lane are
// copies of corner 0.
struct TipOutline {
    const WFloat* u;
    const WFloat* v;
    std::size_t corners;
    WInt count;
};

// Lanes in which one of the first `used` points is valid and further than `reach` beyond an acute corner.
inline WMask beyond_tips(const TipOutline& face, const LanePoint* points, std::size_t used, WFloat reach) {
    const WFloat zero(0.0F);
    const WFloat reach2 = reach * reach;
    // The side that ends at corner 0 is the last one that has a length.
    WFloat before_u = zero;
    WFloat before_v = zero;
    for (std::size_t k = 1; k < face.corners; ++k) {
        const WMask real = WInt(static_cast<std::int32_t>(k)) < face.count;
        before_u = select(real, face.u[0] - face.u[k], before_u);
        before_v = select(real, face.v[0] - face.v[k], before_v);
    }
    WMask beyond = no_lanes();
    for (std::size_t k = 0; k < face.corners; ++k) {
        const std::size_t next = k + 1 == face.corners ? 0 : k + 1;
        const WFloat after_u = face.u[next] - face.u[k];
        const WFloat after_v = face.v[next] - face.v[k];
        const WMask real = WInt(static_cast<std::int32_t>(k)) < face.count;
        const WMask acute = (before_u * after_u + before_v * after_v < zero) & real;
        if (any(acute)) {
            for (std::size_t i = 0; i < used; ++i) {
                const WFloat du = points[i].u - face.u[k];
                const WFloat dv = points[i].v - face.v[k];
                const WMask ahead = before_u * du + before_v * dv > zero;
                const WMask behind = after_u * du + after_v * dv < zero;
                beyond = beyond | (acute & points[i].valid & ahead & behind & (du * du + dv * dv > reach2));
            }
        }
        before_u = select(real, after_u, before_u);
        before_v = select(real, after_v, before_v);
    }
    return beyond;
}

// Lanes with more than `most` valid points. Two polygons have at most as many corners in common as they have together;
// if a clip finds more, rounding has counted a corner twice.
inline WMask more_points_than(WInt most, const LanePoint* points, std::size_t used) {
    WInt count(0);
    for (std::size_t i = 0; i < used; ++i) count = select(points[i].valid, count + WInt(1), count);
    return most < count;
}

// Whether some corner of the polygon is acute. Lanes = corners.
inline bool has_acute_corner(const ClipPolygon& face) {
    const std::uint32_t last = face.count - 1;
    const WInt corners(static_cast<std::int32_t>(last));
    WMask acute = no_lanes();
    // The corners from 1 on. The first corner stands again behind the last one.
    for (std::uint32_t k = 0; k < last; k += kWidth) {
        const WVec3 at = loadu_points(face.x.data() + k + 1, face.y.data() + k + 1, face.z.data() + k + 1);
        const WVec3 from = load_points(face.x.data() + k, face.y.data() + k, face.z.data() + k);
        const WVec3 to = loadu_points(face.x.data() + k + 2, face.y.data() + k + 2, face.z.data() + k + 2);
        const WMask real = WInt::iota() + WInt(static_cast<std::int32_t>(k)) < corners;
        acute = acute | (real & (dot(at - from, to - at) < splat(0.0F)));
    }
    const auto corner = [&](std::uint32_t k) { return Point{face.x[k], face.y[k], face.z[k]}; };
    const Point first = corner(0);
    return any(acute) || dot(sub(first, corner(last)), sub(corner(1), first)) < 0.0F;
}

// Whether a point of the clip is further than `reach` beyond an acute corner of the polygon, seen along its unit normal
// n.
inline bool beyond_tip(const ClipPolygon& face, const Point& n, const ClipPoints& points, float reach) {
    const auto corner = [&](std::uint32_t k) { return Point{face.x[k], face.y[k], face.z[k]}; };
    if (!has_acute_corner(face)) return false;
    const std::uint32_t last = face.count - 1;
    Point from = corner(last);
    for (std::uint32_t k = 0; k < face.count; ++k) {
        const Point at = corner(k);
        const Point before = sub(at, from);
        const Point after = sub(corner(k == last ? 0 : k + 1), at);
        from = at;
        if (!(dot(before, after) < 0.0F)) continue;
        for (std::uint32_t i = 0; i < points.count; ++i) {
            const Point d = sub(Point{points.x[i], points.y[i], points.z[i]}, at);
            if (!(dot(before, d) > 0.0F) || !(dot(after, d) < 0.0F)) continue;
            const float up = dot(n, d);
            const Point aside = {d.x - n.x * up, d.y - n.y * up, d.z - n.z * up};
            if (dot(aside, aside) > reach * reach) return true;
        }
    }
    return false;
}

// Whether a point is further than `reach` beyond an acute corner of a patch's outline.
inline bool beyond_tip(const PatchSide& patch, const PatchPoints& points, float reach) {
    if (patch.corners < 3) return false;
    for (std::uint32_t k = 0; k < patch.corners; ++k) {
        const PatchCorner& from = patch.outline[k];
        const PatchCorner& at = patch.outline[k + 1];
        const PatchCorner& to = patch.outline[k + 2 <= patch.corners ? k + 2 : 1];
        const float before_u = at.u - from.u;
        const float before_v = at.v - from.v;
        const float after_u = to.u - at.u;
        const float after_v = to.v - at.v;
        if (!(before_u * after_u + before_v * after_v < 0.0F)) continue;
        for (std::uint32_t i = 0; i < points.count; ++i) {
            const float du = points.u[i] - at.u;
            const float dv = points.v[i] - at.v;
            if (!(before_u * du + before_v * dv > 0.0F) || !(after_u * du + after_v * dv < 0.0F)) continue;
            if (du * du + dv * dv > reach * reach) return true;
        }
    }
    return false;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
