// SPDX-License-Identifier: MIT
//
// Contacts of spheres and capsules with general hulls. The rules are those of core/src/precise/small.cpp: a face that
// is the optimum, or for a segment on it by two points one that is nearly as good; otherwise an edge or a vertex, or
// two points of a segment along an edge.
#pragma once

#include "small/hull_depth.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Pairs of a list that no face separates by more than the margin.
struct PairsAtFaces {
    std::uint32_t place[kListRoom];  // in the list
    std::uint32_t face[kListRoom];   // the highest one
    std::uint32_t count = 0;
};

LANEFOLD_INLINE WFloat margins_on_hulls(const ChunkJob& job, const BarOnHull& x, const std::uint32_t* pair) {
    return margins_of_bars(job, pair) + x.radii;
}

// Finds the highest faces, and drops pairs that are apart.
template <class Record>
inline void find_highest_faces(Chunk<Record> chunk, const PairList& list, bool hull_is_b, PairsAtFaces& out) {
    for (std::uint32_t begin = 0; begin < list.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(list.count, begin);
        const PairPlaces* const places = list.places.data() + begin;
        const std::uint32_t* const pair = list.pair.data() + begin;
        LaneFrame hull;
        LaneFrame small;
        const BarOnHull x = load_bar_on_hull(chunk.job, places, pair, hull_is_b, hull, small);
        const BarRows bars(x);
        std::uint32_t face[kWidth];
        const float* plane[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const HullFloats h = hull_floats(host_of(places[l], hull_is_b));
            face[l] = l < lanes ? highest_face(h, bars.row[l]) : 0;
            plane[l] = plane_of(h, face[l]);
        }
        WFloat q[4];
        load_rows4(plane, q);
        const WFloat value = height_over({q[0], q[1], q[2]}, q[3], x.middle, x.bar.half);
        const WFloat slack = x.size * splat(kBarProof) + abs(value) * splat(1e-6F);
        const std::uint32_t apart = bits(value - slack > margins_on_hulls(chunk.job, x, pair)) & lane_mask(lanes);
        chunk.totals.counters.rejected_distance += count_bits(apart);
        for (std::uint32_t l = 0; l < lanes; ++l) {
            out.place[out.count] = begin + l;
            out.face[out.count] = face[l];
            out.count += bit_at(apart, l) ? 0U : 1U;
        }
    }
}

// kWidth pairs at their highest faces. Lanes beyond the end repeat the last pair.
struct HullBatch {
    std::uint32_t pair[kWidth];
    PairPlaces places[kWidth];
    HullFaces faces;
    const float* counts[kWidth];
    std::uint32_t lanes;

    LANEFOLD_INLINE HullBatch(const PairList& list, const PairsAtFaces& at, std::uint32_t begin, bool hull_is_b)
        : lanes(lane_count(at.count, begin)) {
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const std::uint32_t k = begin + (l < lanes ? l : lanes - 1);
            pair[l] = list.pair[at.place[k]];
            places[l] = list.places[at.place[k]];
            const HullRecord& hull = host_of(places[l], hull_is_b);
            faces.set(l, hull, at.face[k]);
            counts[l] = floats_of(&hull.vertex_count);
        }
    }
};

// The contacts of kWidth pairs; bits of lanes.
struct OnHullVerdict {
    std::uint32_t apart;
    std::uint32_t on_face;  // the highest face is the optimum
    std::uint32_t lies;     // a segment lies on a face that is nearly as good
    std::uint32_t feature;
};

LANEFOLD_INLINE OnHullVerdict judge_face(const BarOnHull& x, const BarAtFace& at) {
    // A segment may reach into the hull beside the face. A point has no other axes.
    const WMask optimum = x.bar.point | (at.value > splat(0.0F));
    const WMask carries = (WInt(0) < at.over.count) & (at.over.deepest <= at.value + x.size * splat(kProvenTolerance));
    const WFloat reach = x.size * splat(kPreciseSeparation);
    return {0, bits(optimum & carries & (dot(x.middle, x.middle) <= reach * reach)), 0, 0};
}

LANEFOLD_INLINE OnHullVerdict judge_edge(const BarOnHull& x, const BarAtFace& at, const EdgeMeeting& e, WFloat margin,
                                         float face_preference) {
    const WFloat slack = x.size * splat(kBarProof);
    const WFloat reach = x.size * splat(kPreciseSeparation);
    const WFloat distance = e.m.distance;
    const WMask proven = e.proven & (dot(x.middle, x.middle) <= reach * reach);
    const WFloat preference = x.smaller * splat(face_preference);
    const WMask lies = (at.over.count == WInt(2)) & (at.value >= distance - preference) &
                       (at.over.deepest <= (distance + preference) + slack);
    const WMask near = distance <= margin;
    const std::uint32_t touches = bits(proven & near & ~e.beyond);
    // A face that is as good and does not carry the contact is left to float64.
    return {bits((proven & ~near) | e.beyond), 0, bits(lies) & touches,
            touches & ~bits(lies | (at.value >= distance - slack))};
}

template <class Record>
__attribute__((noinline)) void emit_on_hull_face(Chunk<Record> chunk, const BarOnHull& x, const BarAtFace& at,
                                                 WFloat distance, const HullBatch& batch, const LaneNumbers& numbers,
                                                 bool hull_is_b, std::uint32_t emitted) {
    const HostOfBar host = {batch.pair, emitted, hull_is_b, numbers.total};
    write_on_face(chunk, x, distance, at.over, host, WInt::loadu(batch.faces.face), at.over.side);
}

// The edge, or the vertex at one of its ends.
LANEFOLD_INLINE LaneFeature feature_on_side(const LaneSide& side, const LaneNumbers& numbers, WFloat s) {
    const WMask first = s <= splat(-1.0F);
    const WMask last = s >= splat(1.0F);
    const WInt index = select(last, side.last, select(first, side.first, side.edge));
    return {index, index + select(first | last, numbers.first_vertex, numbers.first_edge), first | last};
}

template <class Record>
__attribute__((noinline)) void emit_on_hull_edge(Chunk<Record> chunk, const BarOnHull& x, const EdgeMeeting& e,
                                                 WFloat margin, const HullBatch& batch, const LaneNumbers& numbers,
                                                 bool hull_is_b, std::uint32_t emitted) {
    const HostOfBar host = {batch.pair, emitted, hull_is_b, numbers.total};
    const OnHullMeeting m = {e.m.t, e.m.normal, e.m.distance};
    const LaneFeature one = feature_on_side(e.side, numbers, e.m.s);
    const BarPart part = common_part(e.bars, e.m, margin);
    const WMask two = part.exists & (m.distance > splat(0.0F));
    if ((bits(two) & emitted) == 0) {
        write_on_feature(chunk, x, m, host, one);
        return;
    }
    BarPoints points;
    for (int k = 0; k < 2; ++k) {
        const LaneFeature f = feature_on_side(e.side, numbers, part.s[k]);
        points.p[k] = on_hull_point(x, host, m.normal, part.t[k], part.gap[k], f.number);
        points.over[k] = two;
    }
    keep_impact_of_bars(chunk.job, min(points.p[0].separation, points.p[1].separation), x.smaller, points);
    points.p[0].set(~two, on_hull_point(x, host, m.normal, m.t, m.distance, one.number));
    points.over[0] = points.over[0] | ~two;
    const LaneFeature feature = {select(two, e.side.edge, one.index), one.number, one.vertex & ~two};
    const WInt own = select(~two & (m.t >= splat(1.0F)), WInt(1), WInt(0));
    const WMask end = end_of_bar(x.bar, m.t) & ~two;
    const LaneContact c = on_feature_contact(x, m, host, feature, own, end, count_over(points));
    chunk.totals.counters.edge_contacts += count_bits(emitted);
    write_bars<ContactKind::edge_edge, ContactKind::vertex_vertex>(chunk, c, points);
}

// Writes the contacts of segments that reach into their hulls: lanes of `open`. Returns those that it has settled.
template <class Record>
__attribute__((noinline)) std::uint32_t settle_deep(Chunk<Record> chunk, const BarOnHull& x, const BarAtFace& at,
                                                    WFloat margin, const HullBatch& batch, const LaneNumbers& numbers,
                                                    bool hull_is_b, std::uint32_t open) {
    const std::uint32_t deep = bits(~x.bar.point & (at.value <= splat(0.0F))) & open;
    if (deep == 0) return 0;
    const EdgeDepth d = EdgeDepth::of(x, at.value, batch.places, hull_is_b, deep);
    const WFloat slack = x.size * splat(kBarProof);
    const WFloat distance = d.e.m.distance;
    const WFloat preference = x.smaller * splat(chunk.job.face_preference);
    const WMask carries = (WInt(0) < at.over.count) & (at.over.deepest <= at.value + x.size * splat(kProvenTolerance));
    const WMask lies = (at.over.count == WInt(2)) & (at.value >= distance - preference) &
                       (at.over.deepest <= (distance + preference) + slack);
    const std::uint32_t on_face = bits(d.overlap & ~d.by_edge & carries) & deep;
    const std::uint32_t prefers = bits(d.proven & lies) & deep;
    const std::uint32_t on_edge = bits(d.proven & ~lies) & deep;
    if (on_face != 0) emit_on_hull_face(chunk, x, at, at.value, batch, numbers, hull_is_b, on_face);
    if (prefers != 0) emit_on_hull_face(chunk, x, at, distance, batch, numbers, hull_is_b, prefers);
    if (on_edge != 0) emit_on_hull_edge(chunk, x, d.e, margin, batch, numbers, hull_is_b, on_edge);
    return on_face | prefers | on_edge;
}

// Judges the lanes `open` by all edges of their hulls.
__attribute__((noinline)) inline OnHullVerdict judge_all_edges(const BarOnHull& x, const BarAtFace& at,
                                                               const HullBatch& batch, bool hull_is_b, WFloat margin,
                                                               float face_preference, std::uint32_t open,
                                                               EdgeMeeting& e) {
    const BarRows bars(x);
    HullEdges edges;
    for (std::uint32_t rest = open; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        const HullRecord& hull = host_of(batch.places[l], hull_is_b);
        edges.set(l, hull, nearest_edge(hull, bars.row[l]));
    }
    LaneSide side = e.side;
    side.set(edges.lanes(), edges.load());
    e = EdgeMeeting::at(x, side, batch.places, hull_is_b, margin, open);
    return judge_edge(x, at, e, margin, face_preference);
}

// Writes the contacts of edges of one verdict. Returns the lanes that it has settled.
template <class Record>
__attribute__((noinline)) std::uint32_t settle_edges(Chunk<Record> chunk, const BarOnHull& x, const BarAtFace& at,
                                                     const EdgeMeeting& e, const OnHullVerdict& v, WFloat margin,
                                                     const HullBatch& batch, const LaneNumbers& numbers, bool hull_is_b,
                                                     std::uint32_t open) {
    chunk.totals.counters.rejected_distance += count_bits(v.apart & open);
    const std::uint32_t lies = v.lies & open;
    const std::uint32_t feature = v.feature & open;
    if (lies != 0) emit_on_hull_face(chunk, x, at, e.m.distance, batch, numbers, hull_is_b, lies);
    if (feature != 0) emit_on_hull_edge(chunk, x, e, margin, batch, numbers, hull_is_b, feature);
    return (v.apart | lies | feature) & open;
}

// Contacts of the listed pairs, whose hulls all are A's or all B's; those that are not settled are appended to the
// float64 list.
template <class Record>
inline void stage_bars_on_hulls(Chunk<Record> chunk, const PairList& list, bool hull_is_b) {
    chunk.totals.counters.small_pairs += list.count;
    if (list.count == 0) return;
    PairsAtFaces pairs;
    find_highest_faces(chunk, list, hull_is_b, pairs);
    const float preference = chunk.job.face_preference;
    for (std::uint32_t begin = 0; begin < pairs.count; begin += kWidth) {
        const HullBatch batch(list, pairs, begin, hull_is_b);
        LANEFOLD_STAGE_LANES(batch.lanes, kWidth);
        LaneFrame hull;
        LaneFrame small;
        const BarOnHull x = load_bar_on_hull(chunk.job, batch.places, batch.pair, hull_is_b, hull, small);
        const WFloat margin = margins_on_hulls(chunk.job, x, batch.pair);
        const LaneNumbers numbers = load_numbers(batch.counts);
        const BarAtFace at = bar_at_face(x, batch.faces, numbers, margin);
        std::uint32_t open = lane_mask(batch.lanes);
        const std::uint32_t on_face = judge_face(x, at).on_face & open;
        if (on_face != 0) emit_on_hull_face(chunk, x, at, at.value, batch, numbers, hull_is_b, on_face);
        open &= ~on_face;
        open &= ~settle_deep(chunk, x, at, margin, batch, numbers, hull_is_b, open);
        if (open == 0) continue;
        EdgeMeeting e = EdgeMeeting::at(x, at.side, batch.places, hull_is_b, margin, open);
        OnHullVerdict v = judge_edge(x, at, e, margin, preference);
        open &= ~settle_edges(chunk, x, at, e, v, margin, batch, numbers, hull_is_b, open);
        if (open == 0) continue;
        v = judge_all_edges(x, at, batch, hull_is_b, margin, preference, open, e);
        open &= ~settle_edges(chunk, x, at, e, v, margin, batch, numbers, hull_is_b, open);
        leave_bars(chunk, batch.pair, open);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
