// SPDX-License-Identifier: MIT
//
// Pairs of a half-space and a hull, lanes = pairs: the height of the hull's centre over the plane is float64, the hull
// about its centre float32, as for floors (floor/heights.hpp has the errors). A plane has no sides, so it always
// decides. A box gives the corners of its incident face, any other hull, a sphere and a capsule all vertices within the
// margin. A hull with corners of more than one side within the margin that have to be reduced, bodies far from the
// plane's position and great depths are left to the float64 path, which defines the result.
#pragma once

#include <lanefold/detail/half_space_block.hpp>

#include "floor/boxes.hpp"
#include "floor/hulls.hpp"
#include "floor/lists.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// As in the float64 path (core/src/precise/plane_contact.cpp): a vertex stands over another one if it is beside it by
// at most this part of its height over it. Lanes leave what is near the limit, too.
inline constexpr float kStandsOver = 0.126F;

// Rounding of float32 dot products of a unit vector and a vertex, relative to the hull's size: a vertex that is higher
// by more than twice this is not within the margin.
inline constexpr float kDotRounding = 1e-6F;

// The places of the small hulls over their planes. `side` and `half` of the pose are not set: nothing reads them.
LANEFOLD_INLINE void place_on_planes(const FloorPlaces& at, const FloorInputs& in, const FloorBody& body,
                                     FloorPose& out) {
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const auto& plane = *reinterpret_cast<const HalfSpaceBlock*>(at.floor[l]->block);
        double f[9];
        floor_rotation(in, l, f);
        double n[3], x[3], reach[3];
        for (int k = 0; k < 3; ++k) {
            n[k] = (f[3 * k] * plane.normal[0] + f[3 * k + 1] * plane.normal[1]) + f[3 * k + 2] * plane.normal[2];
            const double offset = static_cast<double>(in.offset[k][l]);
            x[k] = in.apart[k][l] + offset;
            out.n[k][l] = n[k];
            out.base[k][l] = in.floor_is_a[l] > 0 ? x[k] : offset;
        }
        for (int j = 0; j < 3; ++j) {
            const double turned =
                (n[0] * static_cast<double>(body.r[j][l]) + n[1] * static_cast<double>(body.r[3 + j][l])) +
                n[2] * static_cast<double>(body.r[6 + j][l]);
            out.n_small[j][l] = turned;
            reach[j] = __builtin_fabs(turned) * static_cast<double>(body.half[j][l]);
        }
        const double height = ((n[0] * x[0] + n[1] * x[1]) + n[2] * x[2]) - plane.offset;
        out.height[l] = height;
        out.low[l] = height - ((reach[0] + reach[1]) + reach[2]);
        out.scale[l] =
            __builtin_fabs(plane.offset) + ((__builtin_fabs(x[0]) + __builtin_fabs(x[1])) + __builtin_fabs(x[2]));
        out.face[l] = 0;
    }
}

// Loads and places the bodies of kWidth pairs. A point or a segment counts with its radius.
LANEFOLD_INLINE void pose_on_planes(const ChunkJob& job, const FloorPlaces& at, FloorBody& body, FloorPose& pose) {
    FloorInputs in;
    load_floors(job, at, in, body);
    for (std::uint32_t l = 0; l < kWidth; ++l) body.size[l] = size_on_plane(*at.small[l]);
    place_on_planes(at, in, body, pose);
}

// Whether float32 distances from the plane are within the bound.
LANEFOLD_INLINE bool is_near_plane(const FloorBody& body, std::uint32_t l, double s) {
    return __builtin_fabs(s) <= kFloorReach * static_cast<double>(body.size[l]);
}

LANEFOLD_INLINE FloorVerdict judge_planes(const ChunkJob& job, const FloorPlaces& at, const FloorPose& pose,
                                          const FloorBody& body, std::uint32_t all, float* margins) {
    const auto decides = [&](std::uint32_t l) LANEFOLD_INLINE_LAMBDA { return is_near_plane(body, l, pose.low[l]); };
    return judge_faces(job, at, pose, body, all, margins, decides);
}

// The lanes whose boxes have a corner of the face opposite to the incident one within the margin.
LANEFOLD_INLINE std::uint32_t thin_boxes(const FloorPose& pose, const FloorBody& body, const FloorCorners& corners,
                                         const float* margins) {
    std::uint32_t lanes = 0;
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const std::uint32_t axis = static_cast<std::uint32_t>(corners.face[l]) / 2;
        const double rise = 2.0 * __builtin_fabs(pose.n_small[axis][l]) * static_cast<double>(body.half[axis][l]);
        const double guard = kFloorGuard * static_cast<double>(body.size[l]);
        lanes |= static_cast<std::uint32_t>(!(pose.low[l] + rise > static_cast<double>(margins[l]) + guard)) << l;
    }
    return lanes;
}

// Sets the features of the contacts: the half-space has one face, so a pair's number is that of the corner.
LANEFOLD_INLINE void name_plane_corners(const FloorPlaces& at, const FloorCorners& corners, LaneContact& contact,
                                        FloorPoints& points) {
    alignas(64) std::uint32_t incident[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) incident[l] = static_cast<std::uint32_t>(corners.face[l]);
    const LaneBoxFace small = LaneBoxFace::load({at.small, incident});
    contact.feature_a = WInt(0);
    contact.feature_b = WInt(0);
    for (std::uint32_t q = 0; q < 4; ++q)
        points.corner[q].feature = lane_mix32(BoxFaceNumbers::incident(small.corners, kCornerInLoop[q]));
}

// Contacts of the boxes on planes; others are appended to the float64 list.
template <class Record>
inline void stage_plane_boxes(Chunk<Record> chunk, const PairList& boxes) {
    for (std::uint32_t begin = 0; begin < boxes.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(boxes.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const FloorPlaces at(boxes, begin);
        FloorBody body;
        FloorPose pose;
        pose_on_planes(chunk.job, at, body, pose);
        alignas(64) float margins[kWidth];
        FloorVerdict v = judge_planes(chunk.job, at, pose, body, lane_mask(lanes), margins);
        FloorCorners corners;
        place_floor_corners(pose, body, corners);
        v.decided &= ~thin_boxes(pose, body, corners, margins);
        leave_floors(at, lane_mask(lanes) & ~(v.apart | v.decided), chunk.precise, chunk.totals.counters);
        chunk.totals.counters.rejected_face += count_bits(v.apart);
        if (v.decided == 0) continue;
        LaneContact contact;
        FloorPoints points;
        take_floor_corners(chunk, at, body, corners, v.decided, margins, contact, points);
        name_plane_corners(at, corners, contact, points);
        write_faces<true>(chunk.job, contact, points, chunk.out, chunk.totals);
    }
}

// Sets the vertices of lane l's hull within the margin as points, in the hull's frame, and returns the distance. False
// if they are more than kQueuedPoints.
LANEFOLD_INLINE bool take_low_vertices(const FloorPlaces& at, const FloorPose& pose, const FloorBody& body,
                                       std::uint32_t l, float margin, ClipPoints& points, float& distance) {
    const HullRecord& hull = *at.small[l];
    const HullFloats h = hull_floats(hull);
    const std::uint32_t first = hull.face_count + hull.edge_count;
    const WVec3 n = splat(small_normal(pose, l));
    const auto height = static_cast<float>(pose.height[l]);
    // The heights are float64 sums; this finds the vertices that can be low enough. Rounding of `height` and of the
    // margin is relative to them, and both are at most kFloorReach sizes.
    const float slack = (2.0F + static_cast<float>(kFloorReach)) * kDotRounding * body.size[l];
    const WFloat limit((margin - height) + (slack + kDotRounding * __builtin_fabsf(margin)));
    distance = kHighest;
    points.count = 0;
    for (std::uint32_t i = 0; i < h.vertices; i += kWidth) {
        std::uint32_t low = bits(vertex_dot(h, i, n.x, n.y, n.z) <= limit);
        if (h.vertices - i < kWidth) low &= lane_mask(h.vertices - i);
        for (; low != 0; low &= low - 1) {
            const std::uint32_t v = i + lowest_bit(low);
            take_floor_point(pose, l, vertex_of(h, v), first + v, margin, points, distance);
            if (points.count > kQueuedPoints) return false;
        }
    }
    return true;
}

// Whether a point stands over another one. `n`: unit normal of the plane, in the hull's frame.
LANEFOLD_INLINE bool some_stand_over(const ClipPoints& points, const Point& n) {
    const WVec3 normal = splat(n);
    const WFloat part(kStandsOver);
    WMask any_over = no_lanes();
    for (std::uint32_t i = 0; i < points.count; ++i) {
        const WVec3 top = splat(point_at(points, i));
        const WFloat height(points.separation[i]);
        for (std::uint32_t k = 0; k < points.count; k += kWidth) {
            const WMask there =
                WInt::iota() + WInt(static_cast<std::int32_t>(k)) < WInt(static_cast<std::int32_t>(points.count));
            const WFloat drop = (height - WFloat::load(points.separation.data() + k)) * part;
            const WVec3 d = top - load_points(points.x.data() + k, points.y.data() + k, points.z.data() + k);
            const WVec3 beside = d - normal * dot(normal, d);
            any_over = any_over | (there & (splat(0.0F) < drop) & (dot(beside, beside) <= drop * drop));
        }
    }
    return any(any_over);
}

// Contacts of the other hulls on planes; others are appended to the float64 list.
template <class Record>
inline void stage_plane_hulls(Chunk<Record> chunk, const PairList& hulls, ClipPoints& points) {
    for (std::uint32_t begin = 0; begin < hulls.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(hulls.count, begin);
        const FloorPlaces at(hulls, begin);
        FloorBody body;
        FloorPose pose;
        pose_on_planes(chunk.job, at, body, pose);
        alignas(64) float margins[kWidth];
        FloorVerdict v = judge_planes(chunk.job, at, pose, body, lane_mask(lanes), margins);
        std::uint32_t left = lane_mask(lanes) & ~v.resolved;
        for (std::uint32_t rest = v.resolved & ~v.apart; rest != 0; rest &= rest - 1) {
            const std::uint32_t l = lowest_bit(rest);
            float distance = kHighest;
            const bool room = take_low_vertices(at, pose, body, l, margins[l], points, distance);
            if (room && !(distance <= margins[l])) {
                v.apart |= 1U << l;
                continue;
            }
            if (chunk.job.points == PointSelection::impact) keep_impact(points, kImpactBand * body.size[l]);
            // The same for records of every form, which all have this distance.
            const bool chosen = points.count <= Manifold4::kCapacity || !some_stand_over(points, small_normal(pose, l));
            // A half-space has one face, so ids of different vertices differ, and the hull's feature is 0: no face of
            // it is part of the contact.
            if (room && chosen && is_near_plane(body, l, static_cast<double>(distance)))
                emit_on_floor(chunk, at, pose, body, l, 0, 0, distance, points);
            else
                left |= 1U << l;
        }
        chunk.totals.counters.rejected_face += count_bits(v.apart);
        leave_floors(at, left, chunk.precise, chunk.totals.counters);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
