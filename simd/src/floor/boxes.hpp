// SPDX-License-Identifier: MIT
//
// Boxes on far larger boxes, lanes = pairs: where pose.hpp proves that a face of the large box decides, the contact is
// the corners of the small box's incident face. Corners are placed in float64, because their offsets from the position
// of a large body may be large.
#pragma once

#include "box/features.hpp"
#include "floor/heights.hpp"
#include "pair/chunk_context.hpp"
#include "record/lane_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The corners of the incident face in the order -a-b, +a-b, +a+b, -a+b, where a and b are the half sides along the two
// axes after the face's own; heights and midway points.
struct FloorCorners {
    alignas(64) float separation[4][kWidth];
    alignas(64) float position[4][3][kWidth];  // from A's position, world axes
    alignas(64) float normal[3][kWidth];       // of the floor's face, world axes
    alignas(64) std::int32_t face[kWidth];     // the incident face's place in BoxMap
};

LANEFOLD_INLINE void place_floor_corners(const FloorPose& pose, const FloorBody& body, FloorCorners& out) {
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const double t[3] = {pose.n_small[0][l], pose.n_small[1][l], pose.n_small[2][l]};
        const double steep[3] = {__builtin_fabs(t[0]), __builtin_fabs(t[1]), __builtin_fabs(t[2])};
        const bool second = steep[1] > steep[0];
        const bool last = steep[2] > (second ? steep[1] : steep[0]);
        // Things of axes 0, 1 and 2: that of the incident face's axis, and those of the two axes after it.
        const auto own = [&](double a, double b, double c) { return last ? c : (second ? b : a); };
        const auto next = [&](double a, double b, double c) { return last ? a : (second ? c : b); };
        const auto after = [&](double a, double b, double c) { return last ? b : (second ? a : c); };
        const double h[3] = {static_cast<double>(body.half[0][l]), static_cast<double>(body.half[1][l]),
                             static_cast<double>(body.half[2][l])};
        const double down = own(t[0], t[1], t[2]) > 0 ? -own(h[0], h[1], h[2]) : own(h[0], h[1], h[2]);
        const double half_a = next(h[0], h[1], h[2]);
        const double half_b = after(h[0], h[1], h[2]);
        const double rise_a = next(t[0], t[1], t[2]) * half_a;
        const double rise_b = after(t[0], t[1], t[2]) * half_b;
        const double middle = pose.height[l] + own(t[0], t[1], t[2]) * down;
        const double s[4] = {(middle - rise_a) - rise_b, (middle + rise_a) - rise_b, (middle + rise_a) + rise_b,
                             (middle - rise_a) + rise_b};
        for (int q = 0; q < 4; ++q) out.separation[q][l] = static_cast<float>(s[q]);
        for (int k = 0; k < 3; ++k) {
            const double r[3] = {static_cast<double>(body.r[3 * k][l]), static_cast<double>(body.r[3 * k + 1][l]),
                                 static_cast<double>(body.r[3 * k + 2][l])};
            const double n = pose.n[k][l];
            const double x = pose.base[k][l] + own(r[0], r[1], r[2]) * down;
            const double a = next(r[0], r[1], r[2]) * half_a;
            const double b = after(r[0], r[1], r[2]) * half_b;
            out.position[0][k][l] = static_cast<float>(((x - a) - b) - n * (0.5 * s[0]));
            out.position[1][k][l] = static_cast<float>(((x + a) - b) - n * (0.5 * s[1]));
            out.position[2][k][l] = static_cast<float>(((x + a) + b) - n * (0.5 * s[2]));
            out.position[3][k][l] = static_cast<float>(((x - a) + b) - n * (0.5 * s[3]));
            out.normal[k][l] = static_cast<float>(n);
        }
        out.face[l] = static_cast<std::int32_t>(own(0.0, 2.0, 4.0) + (down > 0 ? 1.0 : 0.0));
    }
}

// The corners that are kept, in order.
struct FourFloorPoints {
    static constexpr int kPoints = 4;

    LaneRecordPoint p[4];

    LANEFOLD_INLINE const LaneRecordPoint& kept(int k, WInt) const { return p[k]; }
};

// The corners of every lane's incident face.
struct FloorPoints {
    static constexpr int used = 4;  // NOLINT(readability-identifier-naming): a variable of other sources

    LaneRecordPoint corner[4];
    WMask over[4];

    LANEFOLD_INLINE WMask valid(int c) const { return over[c]; }
    LANEFOLD_INLINE const LaneRecordPoint& point(int c) const { return corner[c]; }
    LANEFOLD_INLINE FourFloorPoints four() const {
        FourFloorPoints out = {{no_point(), no_point(), no_point(), no_point()}};
        put_first<0>(over[3], corner[3], out.p);
        put_first<1>(over[2], corner[2], out.p);
        put_first<2>(over[1], corner[1], out.p);
        put_first<3>(over[0], corner[0], out.p);
        return out;
    }
};

// Sets the features of the contacts in canonical numbers.
LANEFOLD_INLINE void name_floor_corners(const FloorPlaces& at, const FloorPose& pose, const FloorCorners& corners,
                                        WMask on_b, LaneContact& contact, FloorPoints& points) {
    alignas(64) std::uint32_t incident[kWidth];
    alignas(64) std::int32_t floor_face[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        incident[l] = static_cast<std::uint32_t>(corners.face[l]);
        const auto face = static_cast<std::uint32_t>(pose.face[l]);
        floor_face[l] = static_cast<std::int32_t>(box_map(at.floor[l]).face(face));
    }
    const LaneBoxFace small = LaneBoxFace::load({at.small, incident});
    const WInt small_face = BoxFaceNumbers::incident(small.corners, BoxMap::kOwn);
    const WInt floor = WInt::loadu(floor_face);
    contact.feature_a = select(on_b, small_face, floor);
    contact.feature_b = select(on_b, floor, small_face);
    for (std::uint32_t q = 0; q < 4; ++q) {
        const WInt corner = BoxFaceNumbers::incident(small.corners, kCornerInLoop[q]);
        points.corner[q].feature =
            lane_mix32(select(on_b, corner, floor) * WInt(kBoxFeatures) + select(on_b, floor, corner));
    }
}

// Sets distance, normal, kind and points of the contacts of the `decided` lanes, which are those of the corners of the
// incident faces.
template <class Record>
LANEFOLD_INLINE void take_floor_corners(Chunk<Record> chunk, const FloorPlaces& at, const FloorBody& body,
                                        const FloorCorners& corners, std::uint32_t decided, const float* margins,
                                        LaneContact& contact, FloorPoints& points) {
    const WFloat margin = WFloat::load(margins);
    const WMask on_b = WInt(0) < WInt::loadu(at.is_b);
    contact.pair = at.pair;
    contact.distance = splat(kHighest);
    for (int q = 0; q < 4; ++q) {
        LaneRecordPoint& p = points.corner[q];
        p.position = load_points(corners.position[q][0], corners.position[q][1], corners.position[q][2]);
        p.separation = WFloat::load(corners.separation[q]);
        contact.distance = min(p.separation, contact.distance);
    }
    const WFloat band = WFloat::load(body.size) * splat(kImpactBand);
    const WFloat limit = chunk.job.points == PointSelection::impact ? min(margin, contact.distance + band) : margin;
    contact.total = WInt(0);
    for (int q = 0; q < 4; ++q) {
        points.over[q] = points.corner[q].separation <= limit;
        contact.total = select(points.over[q], contact.total + WInt(1), contact.total);
    }
    const WVec3 normal = load_points(corners.normal[0], corners.normal[1], corners.normal[2]);
    contact.normal = select(on_b, negate(normal), normal);
    contact.kind = face_kind(on_b);
    // The box around the small hull is the hull, so its lowest corner was as low before it was rounded.
    contact.emitted = decided & bits(contact.distance <= margin);
    chunk.totals.counters.rejected_face += count_bits(decided & ~contact.emitted);
    chunk.totals.counters.face_contacts += count_bits(contact.emitted);
}

// Contacts of the boxes on floors; others are appended to the float64 list.
template <class Record>
inline void stage_floor_boxes(Chunk<Record> chunk, const PairList& boxes) {
    for (std::uint32_t begin = 0; begin < boxes.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(boxes.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const FloorPlaces at(boxes, begin);
        FloorBody body;
        FloorPose pose;
        pose_on_floors(chunk.job, at, body, pose);
        alignas(64) float margins[kWidth];
        const FloorVerdict v = judge_floors(chunk.job, at, pose, body, lane_mask(lanes), margins);
        leave_floors(at, lane_mask(lanes) & ~(v.apart | v.decided), chunk.precise, chunk.totals.counters);
        chunk.totals.counters.rejected_face += count_bits(v.apart);
        if (v.decided == 0) continue;

        FloorCorners corners;
        place_floor_corners(pose, body, corners);
        FloorPoints points;
        LaneContact contact;
        take_floor_corners(chunk, at, body, corners, v.decided, margins, contact, points);
        name_floor_corners(at, pose, corners, WInt(0) < WInt::loadu(at.is_b), contact, points);
        write_faces<true>(chunk.job, contact, points, chunk.out, chunk.totals);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
