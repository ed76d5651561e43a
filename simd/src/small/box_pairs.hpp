// SPDX-License-Identifier: MIT
//
// Contacts of spheres and capsules with boxes, lanes = pairs. The rules are those of core/src/precise/small.cpp: a face
// that is the optimum, or for a segment on it by two points one that is nearly as good; otherwise an edge or a vertex.
// A segment along an edge of the box is left to the float64 path.
#pragma once

#include "box/edge_contact.hpp"
#include "small/bar_pairs.hpp"
#include "small/box_meeting.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// sin^2 of the angle between a segment and an edge of the box below which they count as parallel.
inline constexpr float kAlongEdgeSine2 = 1e-4F;

LANEFOLD_INLINE BarOnBox load_bar_on_box(const ChunkJob& job, const PairPlaces* places, const std::uint32_t* pair,
                                         bool box_is_b, LaneFrame& box, LaneFrame& small) {
    const DoublePositions positions(job, pair);
    box = LaneFrame::load(FrameRows{places, box_is_b});
    small = LaneFrame::load(FrameRows{places, !box_is_b});
    const WVec3 between = box_is_b ? negate(positions.between(small.position, box.position))
                                   : positions.between(box.position, small.position);
    const LaneExtent extent = LaneExtent::load({places, box_is_b});
    WFloat last[2];
    load_rows2(RadiusRows{places, box_is_b}, last);
    BarOnBox x;
    x.half = {extent.half[0], extent.half[1], extent.half[2]};
    x.middle = rotate_back(box.world.r, between + (small.world.t - box.world.t));
    x.bar = load_bar(places, !box_is_b, small.world.r);
    x.bar.half = rotate_back(box.world.r, x.bar.half);
    x.radii = x.bar.round + last[1];
    x.size = x.bar.size + extent.size;
    x.smaller = min(x.bar.size, extent.size);
    x.turn = box.world.r;
    // From A's position to the box's middle; where A is the other one, by way of its own.
    x.offset = box_is_b ? small.world.t - rotate(box.world.r, x.middle) : box.world.t;
    return x;
}

// The part of the bar over the best face.
struct BarOverFace {
    WFloat t[2], height[2];
    WInt side[2];  // place in BoxMap of the side that cuts there; BoxMap::kOwn: none does
    WInt count;    // 0 to 2 ends within the margin
    WFloat deepest;
    WVec3 normal;
    WInt place;  // of the face in BoxMap
};

// Cuts the bar at the sides of one axis: the bar is at c + t g, the sides at +-h. `side`: that of the positive one.
LANEFOLD_INLINE void cut_at_sides(WFloat c, WFloat g, WFloat h, WFloat inside, int side, BarOverFace& f, WMask& over) {
    for (int k = 0; k < 2; ++k) {
        const WFloat at = k == 0 ? c : negate(c);
        const WFloat by = k == 0 ? g : negate(g);
        const WFloat first = h - (at - by);
        const WFloat last = h - (at + by);
        const WMask cut_first = first < negate(inside);
        const WMask cut_last = last < negate(inside);
        over = over & ~(cut_first & cut_last);
        const WFloat cut = (first + first) / (first - last) - splat(1.0F);
        const WMask low = cut_first & (cut > f.t[0]);
        const WMask high = cut_last & ~cut_first & (cut < f.t[1]);
        f.t[0] = select(low, cut, f.t[0]);
        f.t[1] = select(high, cut, f.t[1]);
        f.side[0] = select(low, WInt(side + k), f.side[0]);
        f.side[1] = select(high, WInt(side + k), f.side[1]);
    }
}

LANEFOLD_INLINE BarOverFace bar_over_face(const BarOnBox& x, const BoxMeeting& m, WFloat margin) {
    const WFloat zero(0.0F);
    const WFloat one(1.0F);
    const BoxAxis axis = BoxAxis::of(m.face_axis);
    const WVec3 c = axis.last(x.middle);
    const WVec3 g = axis.last(x.bar.half);
    const WVec3 h = axis.last(x.half);
    const WFloat sign = sign_of(c.z);
    const WFloat inside = x.size * splat(kClipTolerance);
    const WInt own(static_cast<std::int32_t>(BoxMap::kOwn));
    BarOverFace f;
    f.t[0] = select(x.bar.point, zero, negate(one));
    f.t[1] = select(x.bar.point, zero, one);
    f.side[0] = own;
    f.side[1] = own;
    f.place = axis.face(sign);
    f.normal = {axis.choose(sign, zero, zero), axis.choose(zero, sign, zero), axis.choose(zero, zero, sign)};
    WMask over = ~no_lanes();
    cut_at_sides(c.x, g.x, h.x, inside, 0, f, over);
    cut_at_sides(c.y, g.y, h.y, inside, 2, f, over);
    over = over & (f.t[0] <= f.t[1]);
    for (int k = 0; k < 2; ++k) f.height[k] = (abs(c.z) - h.z) + (sign * g.z) * f.t[k];
    const WFloat same = x.size * splat(kSameBarPoint);
    const WMask together = (f.t[1] - f.t[0]) * sqrt(dot(g, g)) <= same;
    // One point: the lower end. Of two the one within the margin comes first.
    const WMask second_only = (together & (f.height[1] < f.height[0])) | (~together & (f.height[0] > margin));
    const WFloat height = f.height[1];
    f.t[0] = select(second_only, f.t[1], f.t[0]);
    f.height[0] = select(second_only, height, f.height[0]);
    f.side[0] = select(second_only, f.side[1], f.side[0]);
    const WMask has_first = over & (f.height[0] <= margin);
    const WMask has_second = has_first & ~together & ~second_only & (height <= margin);
    f.count = select(has_second, WInt(2), select(has_first, WInt(1), WInt(0)));
    f.deepest = select(has_second, min(f.height[0], f.height[1]), f.height[0]);
    return f;
}

// How the contacts of kWidth pairs are made; bits of lanes.
struct OnBoxVerdict {
    std::uint32_t apart;
    std::uint32_t face;
    std::uint32_t feature;
};

LANEFOLD_INLINE OnBoxVerdict judge_on_box(const BarOnBox& x, const BoxMeeting& m, const BarOverFace& f, WFloat margin,
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

// A point of the record: `number` is that of the box's feature.
LANEFOLD_INLINE LaneRecordPoint on_box_point(const BarOnBox& x, bool box_is_b, const WVec3& normal, WFloat t,
                                             WFloat height, WInt number) {
    const WFloat separation = height - x.radii;
    const WVec3 p = (x.middle + x.bar.half * t) - normal * (x.bar.round + separation * splat(0.5F));
    const WInt own = number_on_bar(x.bar, t);
    const WInt features = select(x.bar.point, WInt(1), WInt(3));
    const WInt id = box_is_b ? own * WInt(kBoxFeatures) + number : number * features + own;
    return {x.offset + rotate(x.turn, p), separation, lane_mix32(id)};
}

template <class Record>
LANEFOLD_INLINE void emit_on_faces(Chunk<Record> chunk, const BarOnBox& x, const BoxMeeting& m, const BarOverFace& f,
                                   const PairPlaces* places, const std::uint32_t* pair, bool box_is_b,
                                   std::uint32_t emitted) {
    const WInt own(static_cast<std::int32_t>(BoxMap::kOwn));
    const WInt face = face_numbers(places, box_is_b, f.place, own);
    const WMask on_b = WInt(0) < WInt(box_is_b ? 1 : 0);
    const WVec3 normal = rotate(x.turn, f.normal);
    BarPoints points;
    for (int k = 0; k < 2; ++k) {
        const WInt number = face_numbers(places, box_is_b, f.place, f.side[k]);
        points.p[k] = on_box_point(x, box_is_b, f.normal, f.t[k], f.height[k], number);
        points.over[k] = WInt(k) < f.count;
    }
    if (chunk.job.points == PointSelection::impact) {
        const WFloat limit = (f.deepest - x.radii) + x.smaller * splat(kImpactBand);
        for (int k = 0; k < 2; ++k) points.over[k] = points.over[k] & (points.p[k].separation <= limit);
    }
    const WInt zero(0);
    const WInt total = select(points.over[0], WInt(1), zero) + select(points.over[1], WInt(1), zero);
    const LaneContact c = {pair,
                           emitted,
                           select(on_b, negate(normal), normal),
                           m.distance - x.radii,
                           box_is_b ? zero : face,
                           box_is_b ? face : zero,
                           face_kind(on_b),
                           total};
    chunk.totals.counters.face_contacts += count_bits(emitted);
    write_bars<ContactKind::face_a, ContactKind::face_b>(chunk, c, points);
}

template <class Record>
LANEFOLD_INLINE void emit_on_features(Chunk<Record> chunk, const BarOnBox& x, const BoxMeeting& m,
                                      const PairPlaces* places, const std::uint32_t* pair, bool box_is_b,
                                      std::uint32_t emitted) {
    const WMask vertex = m.outside[0] & m.outside[1] & m.outside[2];
    const WInt index = feature_indices(places, box_is_b, m, vertex);
    const WInt number = index + select(vertex, WInt(kBoxFaces + kBoxEdges), WInt(kBoxFaces));
    const WInt own = select(m.t >= splat(1.0F), WInt(1), WInt(0));
    const WMask end = end_of_bar(x.bar, m.t);
    const WVec3 normal = rotate(x.turn, m.normal);
    const LaneContact c = {pair,
                           emitted,
                           box_is_b ? negate(normal) : normal,
                           m.distance - x.radii,
                           box_is_b ? own : index,
                           box_is_b ? index : own,
                           box_is_b ? feature_kind(end, vertex) : feature_kind(vertex, end),
                           WInt(1)};
    chunk.totals.counters.edge_contacts += count_bits(emitted);
    const LaneRecordPoint only = on_box_point(x, box_is_b, m.normal, m.t, m.distance, number);
    chunk.totals.points += write_records(chunk.job, c, OnePoint{only}, chunk.out);
    count_contacts<true, ContactKind::edge_edge, ContactKind::vertex_vertex>(chunk.job, c, chunk.totals);
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
        const BarOnBox x = load_bar_on_box(chunk.job, places, pair, box_is_b, box, small);
        const WFloat margin = margins_of_bars(chunk.job, pair) + x.radii;
        const BoxMeeting m = meet_box(x, all);
        const BarOverFace f = bar_over_face(x, m, margin);
        const OnBoxVerdict v = judge_on_box(x, m, f, margin, chunk.job.face_preference);
        counters.rejected_distance += count_bits(v.apart & all);
        leave_bars(chunk, pair, all & ~(v.apart | v.face | v.feature));
        if ((v.face & all) != 0) emit_on_faces(chunk, x, m, f, places, pair, box_is_b, v.face & all);
        if ((v.feature & all) != 0) emit_on_features(chunk, x, m, places, pair, box_is_b, v.feature & all);
    }
}

template <class Record>
inline void stage_small(Chunk<Record> chunk, const SmallLists& lists) {
    stage_bars(chunk, lists.bars);
    stage_bars_on_boxes(chunk, lists.box_a, false);
    stage_bars_on_boxes(chunk, lists.box_b, true);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
