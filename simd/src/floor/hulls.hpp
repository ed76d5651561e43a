// SPDX-License-Identifier: MIT
//
// Hulls on far larger boxes: where pose.hpp proves that a face of the box decides, the contact is the corners of the
// incident face, which is one of those around the deepest vertex (contact/pick.hpp). Poses have lanes = pairs, supports
// lanes = vertices of one hull.
//
// The deepest vertex is found in float32, whose error is below 3e-7 of the hull's size, so another one may be deeper by
// as much. Heights that become results are float64 sums.
#pragma once

#include "box/features.hpp"
#include "contact/clip_polygons.hpp"
#include "contact/large_faces.hpp"
#include "floor/heights.hpp"
#include "lanes/lowest_row.hpp"
#include "pair/chunk_context.hpp"
#include "record/reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Height of a point of lane l's small hull over the face.
LANEFOLD_INLINE double floor_height(const FloorPose& pose, std::uint32_t l, const Point& x) {
    return pose.height[l] +
           ((pose.n_small[0][l] * static_cast<double>(x.x) + pose.n_small[1][l] * static_cast<double>(x.y)) +
            pose.n_small[2][l] * static_cast<double>(x.z));
}

// The normal of the face in the frame of lane l's small hull.
LANEFOLD_INLINE Point small_normal(const FloorPose& pose, std::uint32_t l) {
    return {static_cast<float>(pose.n_small[0][l]), static_cast<float>(pose.n_small[1][l]),
            static_cast<float>(pose.n_small[2][l])};
}

// A contact of a hull and a floor.
struct FloorPick {
    const float* polygon;  // of the incident face: its plane, then its corners
    std::uint32_t sides;
    std::uint32_t face;
};

// The incident face of the hull, whose deepest vertex is `support`.
LANEFOLD_INLINE FloorPick pick_floor_face(const HullRecord& hull, std::uint32_t support, const Point& normal) {
    const HullTopology t = hull_topology(hull);
    const float n[3] = {normal.x, normal.y, normal.z};
    const std::uint32_t first = t.vertex_first[support];
    const std::uint32_t count = t.vertex_first[support + 1] - first;
    const std::uint32_t face = lowest_row(hull_floats(hull).planes, t.vertex_face + first, count, n);
    const std::uint32_t corner = t.face_first[face];
    return {polygon_at(t.polygons, corner, face), t.face_first[face + 1] - corner, face};
}

// Takes a vertex of lane l's small hull, in that hull's frame, as a point if it is within the margin. `distance`: the
// least height so far.
LANEFOLD_INLINE void take_floor_point(const FloorPose& pose, std::uint32_t l, const Point& x, std::uint32_t feature,
                                      float margin, ClipPoints& points, float& distance) {
    const auto separation = static_cast<float>(floor_height(pose, l, x));
    distance = separation < distance ? separation : distance;
    if (!(separation <= margin)) return;
    const std::uint32_t i = points.count++;
    points.x[i] = x.x;
    points.y[i] = x.y;
    points.z[i] = x.z;
    points.separation[i] = separation;
    points.feature_a[i] = feature;  // on the small hull, whichever of both it is
}

// Sets the points of the contact and returns its distance.
LANEFOLD_INLINE float clip_to_floor(const FloorPlaces& at, const FloorPose& pose, std::uint32_t l,
                                    const FloorPick& pick, float margin, ClipPoints& points) {
    const FeatureCounts counts = at.small[l]->feature_counts();
    float distance = kHighest;
    points.count = 0;
    for (std::uint32_t k = 1; k <= pick.sides; ++k) {
        PolygonCorner c;
        __builtin_memcpy(&c, pick.polygon + std::size_t{4} * k, sizeof c);
        take_floor_point(pose, l, {c.x, c.y, c.z}, counts.faces + counts.edges + c.vertex, margin, points, distance);
    }
    return distance;
}

// Appends a point of the small hull to the record of lane l.
template <class Record>
LANEFOLD_INLINE void write_floor_point(const FloorPlaces& at, const FloorPose& pose, const FloorBody& body,
                                       std::uint32_t l, const ClipPoints& points, std::uint32_t i,
                                       std::uint32_t floor_face, Record& r) {
    const float s = points.separation[i];
    const auto x = static_cast<double>(points.x[i]);
    const auto y = static_cast<double>(points.y[i]);
    const auto z = static_cast<double>(points.z[i]);
    const auto coordinate = [&](int k) LANEFOLD_INLINE_LAMBDA {
        const double turned =
            (static_cast<double>(body.r[3 * k][l]) * x + static_cast<double>(body.r[3 * k + 1][l]) * y) +
            static_cast<double>(body.r[3 * k + 2][l]) * z;
        return static_cast<float>((pose.base[k][l] + turned) - pose.n[k][l] * (0.5 * static_cast<double>(s))) + 0.0F;
    };
    const bool on_b = bit_at(at.on_b, l);
    const std::uint32_t number_a = on_b ? points.feature_a[i] : floor_face;
    const std::uint32_t number_b = on_b ? floor_face : points.feature_a[i];
    // A box has 26 features, so ids of different corners differ (feature_id()).
    append_point(coordinate(0), coordinate(1), coordinate(2), s,
                 feature_id(number_a, number_b, at.places[l].hull_b->feature_counts().total()), r);
}

// Writes the record of lane l, whose features are these.
template <class Record>
LANEFOLD_INLINE void emit_on_floor(Chunk<Record> chunk, const FloorPlaces& at, const FloorPose& pose,
                                   const FloorBody& body, std::uint32_t l, std::uint32_t floor_feature,
                                   std::uint32_t small_feature, float distance, const ClipPoints& points) {
    const bool on_b = bit_at(at.on_b, l);
    const auto normal = [&](int k) LANEFOLD_INLINE_LAMBDA {
        return static_cast<float>(on_b ? -pose.n[k][l] : pose.n[k][l]) + 0.0F;
    };
    const ContactHeader header = {{normal(0), normal(1), normal(2)},
                                  distance,
                                  on_b ? ContactKind::face_b : ContactKind::face_a,
                                  on_b ? small_feature : floor_feature,
                                  on_b ? floor_feature : small_feature};
    Record& r = chunk.out[at.pair[l]];
    begin_record(chunk.job, at.pair[l], header, r);
    if constexpr (!__is_same(Record, PairDistance)) {
        r.total = static_cast<std::uint16_t>(points.count < 65535U ? points.count : 65535U);
        std::uint32_t kept[geometry::kMaxKept];
        const std::uint32_t count = reduce_points(points, small_normal(pose, l), Record::kCapacity, kept);
        for (std::uint32_t i = 0; i < count; ++i)
            write_floor_point(at, pose, body, l, points, kept[i], floor_feature, r);
    }
    ++chunk.totals.counters.face_contacts;
    count_record(chunk.job, at.pair[l], r, chunk.totals);
}

// Contacts of the hulls on floors; others are appended to the float64 list.
template <class Record>
inline void stage_floor_hulls(Chunk<Record> chunk, const PairList& hulls, ClipPoints& points) {
    for (std::uint32_t begin = 0; begin < hulls.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(hulls.count, begin);
        const FloorPlaces at(hulls, begin);
        FloorBody body;
        FloorPose pose;
        pose_on_floors(chunk.job, at, body, pose);
        alignas(64) float margins[kWidth];
        FloorVerdict v = judge_floors(chunk.job, at, pose, body, lane_mask(lanes), margins);
        chunk.totals.counters.rejected_face += count_bits(v.apart);

        FloorPick picks[kWidth];
        for (std::uint32_t rest = v.resolved & ~v.apart; rest != 0; rest &= rest - 1) {
            const std::uint32_t l = lowest_bit(rest);
            const HullFloats h = hull_floats(*at.small[l]);
            const Point n = small_normal(pose, l);
            const Best low = support(h, -n.x, -n.y, -n.z);
            const double s = floor_height(pose, l, vertex_of(h, low.index));
            const bool apart = s > static_cast<double>(margins[l]);
            const bool decided = face_decides(pose, body, l, s);
            chunk.totals.counters.rejected_face += static_cast<std::uint32_t>(apart);
            v.apart |= static_cast<std::uint32_t>(apart) << l;
            v.decided = (v.decided & ~(1U << l)) | static_cast<std::uint32_t>(decided && !apart) << l;
            picks[l] = pick_floor_face(*at.small[l], low.index, n);
        }
        leave_floors(at, lane_mask(lanes) & ~(v.apart | v.decided), chunk.precise, chunk.totals.counters);
        for (std::uint32_t rest = v.decided; rest != 0; rest &= rest - 1) {
            const std::uint32_t l = lowest_bit(rest);
            const float distance = clip_to_floor(at, pose, l, picks[l], margins[l], points);
            if (chunk.job.points == PointSelection::impact) keep_impact(points, kImpactBand * body.size[l]);
            const std::uint32_t floor_face = box_map(at.floor[l]).face(static_cast<std::uint32_t>(pose.face[l]));
            emit_on_floor(chunk, at, pose, body, l, floor_face, picks[l].face, distance, points);
        }
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
