// SPDX-License-Identifier: MIT
//
// Contacts of spheres and capsules with boxes, lanes = pairs. The rules are those of core/src/precise/small.cpp: a face
// that is the optimum, or for a segment on it by two points one that is nearly as good; otherwise an edge or a vertex.
// A segment along an edge of the box is left to the float64 path.
#pragma once

#include "box/edge_contact.hpp"
#include "small/box_meeting.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// sin^2 of the angle between a segment and an edge of the box below which they count as parallel.
inline constexpr float kAlongEdgeSine2 = 1e-4F;

// Clips the bar by the sides of one axis: it is at c + t g, the sides at +-h. `side`: that of the positive one.
LANEFOLD_INLINE void clip_by_sides(WFloat c, WFloat g, WFloat h, WFloat outside, int side, BarClip& clip) {
    for (int k = 0; k < 2; ++k) {
        const WFloat at = k == 0 ? c : negate(c);
        const WFloat by = k == 0 ? g : negate(g);
        const WFloat first = h - (at - by);
        const WFloat last = h - (at + by);
        clip.by_side(WInt(side + k), first, last, first < outside, last < outside);
    }
}

// `place`: of the face in BoxMap.
LANEFOLD_INLINE BarOverFace bar_over_face(const BarOnHull& x, const BoxMeeting& m, WFloat margin, WInt& place) {
    const WFloat zero(0.0F);
    const BoxAxis axis = BoxAxis::of(m.face_axis);
    const WVec3 c = axis.last(x.middle);
    const WVec3 g = axis.last(x.bar.half);
    const WVec3 h = axis.last(x.half);
    const WFloat sign = sign_of(c.z);
    const WFloat outside = negate(x.size * splat(kClipTolerance));
    BarOverFace f;
    place = axis.face(sign);
    f.normal = {axis.choose(sign, zero, zero), axis.choose(zero, sign, zero), axis.choose(zero, zero, sign)};
    BarClip clip(x.bar, WInt(static_cast<std::int32_t>(BoxMap::kOwn)));
    clip_by_sides(c.x, g.x, h.x, outside, 0, clip);
    clip_by_sides(c.y, g.y, h.y, outside, 2, clip);
    keep_ends_within(x, clip, abs(c.z) - h.z, sign * g.z, margin, sqrt(dot(g, g)), f);
    return f;
}

// How the contacts of kWidth pairs are made; bits of lanes.
struct OnBoxVerdict {
    std::uint32_t apart;
    std::uint32_t face;
    std::uint32_t feature;
};

LANEFOLD_INLINE OnBoxVerdict judge_on_box(const BarOnHull& x, const BoxMeeting& m, const BarOverFace& f, WFloat margin,
                                          float face_preference) {
    const WFloat slack = x.size * splat(kBarProof);
    const WMask by_face = m.face_value >= m.distance - slack;
    const WFloat preference = x.smaller * splat(face_preference);
    const WMask lies = (f.count == WInt(2)) & (m.face_value >= m.distance - preference) &
                       (f.deepest <= (m.distance + preference) + slack);
    const WMask carries = (WInt(0) < f.count) & (f.deepest <= m.distance + slack);
    const WMask on_face = (by_face & carries) | (~by_face & lies);
    // Along an edge there are two points.
    const WVec3& g = x.bar.half;
    const WFloat gg = dot(g, g) * splat(kAlongEdgeSine2);
    const WFloat xx = g.x * g.x;
    const WFloat yy = g.y * g.y;
    const WFloat zz = g.z * g.z;
    const WMask along = ~x.bar.point & ((yy + zz <= gg) | (zz + xx <= gg) | (xx + yy <= gg));
    const WMask near = m.distance <= margin;
    const WMask beyond = m.face_value - (slack + abs(m.face_value) * splat(1e-6F)) > margin;
    const std::uint32_t touches = bits(m.proven & near & ~beyond);
    const std::uint32_t face = bits(on_face) & touches;
    return {bits((m.proven & ~near) | beyond), face, touches & ~bits(by_face | along) & ~face};
}

// Numbers of box features, lane by lane.
struct BoxNumbers {
    alignas(64) std::int32_t number[kWidth];

    LANEFOLD_INLINE WInt load() const { return WInt::loadu(number); }
};

// Faces or their sides. `place`: of the face; `side`: BoxMap::kOwn is the face itself.
LANEFOLD_INLINE WInt face_numbers(const PairPlaces* places, bool box_is_b, WInt place, WInt side) {
    alignas(64) std::uint32_t at[kWidth], of[kWidth];
    store_indices(place, at);
    store_indices(side, of);
    BoxNumbers out;
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const BoxMap::Face& face = box_map(box_is_b ? places[l].hull_b : places[l].hull_a).faces[at[l]];
        const std::uint32_t packed = of[l] == BoxMap::kOwn ? face.corners : face.sides;
        out.number[l] = static_cast<std::int32_t>(packed >> BoxMap::shift(of[l]) & BoxMap::kMask);
    }
    return out.load();
}

// Edges, or where the point is outside along all axes vertices: their index and their number among all features.
LANEFOLD_INLINE WInt feature_indices(const PairPlaces* places, bool box_is_b, const BoxMeeting& m, WMask vertex) {
    const WFloat zero(0.0F);
    const WMask up[3] = {m.normal.x > zero, m.normal.y > zero, m.normal.z > zero};
    const WInt axis = select(m.outside[0], select(m.outside[1], WInt(2), WInt(1)), WInt(0));
    alignas(64) std::uint32_t edge[kWidth], corner[kWidth];
    store_indices(edge_of_signs(axis, up), edge);
    store_indices((select(up[0], WInt(1), WInt(0)) + select(up[1], WInt(2), WInt(0))) + select(up[2], WInt(4), WInt(0)),
                  corner);
    const std::uint32_t vertices = bits(vertex);
    BoxNumbers out;
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const BoxMap& map = box_map(box_is_b ? places[l].hull_b : places[l].hull_a);
        out.number[l] = static_cast<std::int32_t>(bit_at(vertices, l) ? map.vertex(corner[l]) : map.edge[edge[l]]);
    }
    return out.load();
}

template <class Record>
LANEFOLD_INLINE void emit_on_faces(Chunk<Record> chunk, const BarOnHull& x, const BoxMeeting& m, const BarOverFace& f,
                                   WInt place, const PairPlaces* places, const std::uint32_t* pair, bool box_is_b,
                                   std::uint32_t emitted) {
    const WInt own(static_cast<std::int32_t>(BoxMap::kOwn));
    const WInt face = face_numbers(places, box_is_b, place, own);
    const WInt number[2] = {face_numbers(places, box_is_b, place, f.side[0]),
                            face_numbers(places, box_is_b, place, f.side[1])};
    const HostOfBar host = {pair, emitted, box_is_b, WInt(kBoxFeatures)};
    write_on_face(chunk, x, m.distance, f, host, face, number);
}

template <class Record>
LANEFOLD_INLINE void emit_on_features(Chunk<Record> chunk, const BarOnHull& x, const BoxMeeting& m,
                                      const PairPlaces* places, const std::uint32_t* pair, bool box_is_b,
                                      std::uint32_t emitted) {
    const WMask vertex = m.outside[0] & m.outside[1] & m.outside[2];
    const WInt index = feature_indices(places, box_is_b, m, vertex);
    const WInt number = index + select(vertex, WInt(kBoxFaces + kBoxEdges), WInt(kBoxFaces));
    const HostOfBar host = {pair, emitted, box_is_b, WInt(kBoxFeatures)};
    write_on_feature(chunk, x, {m.t, m.normal, m.distance}, host, {index, number, vertex});
}

// Contacts of the listed pairs, whose boxes all are A's or all B's; those that are not settled are appended to the
// float64 list.
template <class Record>
inline void stage_bars_on_boxes(Chunk<Record> chunk, const PairList& list, bool box_is_b) {
    Counters& counters = chunk.totals.counters;
    counters.small_pairs += list.count;
    for (std::uint32_t begin = 0; begin < list.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(list.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const std::uint32_t all = lane_mask(lanes);
        const std::uint32_t* const pair = list.pair.data() + begin;
        const PairPlaces* const places = list.places.data() + begin;
        LaneFrame box;
        LaneFrame small;
        const BarOnHull x = load_bar_on_hull(chunk.job, places, pair, box_is_b, box, small);
        const WFloat margin = margins_of_bars(chunk.job, pair) + x.radii;
        const BoxMeeting m = meet_box(x, all);
        WInt place;
        const BarOverFace f = bar_over_face(x, m, margin, place);
        const OnBoxVerdict v = judge_on_box(x, m, f, margin, chunk.job.face_preference);
        counters.rejected_distance += count_bits(v.apart & all);
        leave_bars(chunk, pair, all & ~(v.apart | v.face | v.feature));
        if ((v.face & all) != 0) emit_on_faces(chunk, x, m, f, place, places, pair, box_is_b, v.face & all);
        if ((v.feature & all) != 0) emit_on_features(chunk, x, m, places, pair, box_is_b, v.feature & all);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
