// SPDX-License-Identifier: MIT
//
// A bar (bar_lanes.hpp) and a hull, lanes = pairs, in the hull's frame about its middle: the part over a face, and the
// records of a bar on a face and on an edge or a vertex. Boxes and general hulls share this.
#pragma once

#include <lanefold/detail/geometry/edge_clip.hpp>

#include "small/bar_pairs.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct BarOnHull {
    WVec3 half;         // half extents of the hull
    WVec3 middle;       // of the bar
    LaneBar bar;        // its half in the hull's frame
    WFloat radii;       // of both
    WFloat size;        // of both
    WFloat smaller;     // the smaller of both
    const WVec3* turn;  // rows of the rotation to world axes
    WVec3 offset;       // from A's position to the hull's middle, world axes
};

// `hull`, `small`: filled here, and used by the result.
LANEFOLD_INLINE BarOnHull load_bar_on_hull(const ChunkJob& job, const PairPlaces* places, const std::uint32_t* pair,
                                           bool hull_is_b, LaneFrame& hull, LaneFrame& small) {
    const DoublePositions positions(job, pair);
    hull = LaneFrame::load(FrameRows{places, hull_is_b});
    small = LaneFrame::load(FrameRows{places, !hull_is_b});
    const WVec3 between = hull_is_b ? negate(positions.between(small.position, hull.position))
                                    : positions.between(hull.position, small.position);
    const LaneExtent extent = LaneExtent::load({places, hull_is_b});
    WFloat last[2];
    load_rows2(RadiusRows{places, hull_is_b}, last);
    BarOnHull x;
    x.half = {extent.half[0], extent.half[1], extent.half[2]};
    x.middle = rotate_back(hull.world.r, between + (small.world.t - hull.world.t));
    x.bar = load_bar(places, !hull_is_b, small.world.r);
    x.bar.half = rotate_back(hull.world.r, x.bar.half);
    x.radii = x.bar.round + last[1];
    x.size = x.bar.size + extent.size;
    x.smaller = min(x.bar.size, extent.size);
    x.turn = hull.world.r;
    // From A's position to the hull's middle; where A is the other one, by way of its own.
    x.offset = hull_is_b ? small.world.t - rotate(hull.world.r, x.middle) : hull.world.t;
    return x;
}

// A bar that is clipped by the sides of a face: parameters are -1 to 1, as everywhere for bars.
struct BarClip : geometry::EdgeClip<WFloat, WMask, WInt> {
    LANEFOLD_INLINE BarClip(const LaneBar& bar, WInt face)
        : geometry::EdgeClip<WFloat, WMask, WInt>(face, select(bar.point, splat(0.0F), splat(-1.0F)),
                                                  select(bar.point, splat(0.0F), splat(1.0F))) {}

    LANEFOLD_INLINE void by_side(WInt side, WFloat d0, WFloat d1, WMask o0, WMask o1) {
        at_crossing(side, (d0 + d0) / (d0 - d1) - splat(1.0F), o0, o1);
    }
};

// The part of the bar over the best face.
struct BarOverFace {
    WFloat t[2], height[2];
    WInt side[2];  // the side of the face that cuts there, or the face itself, by a number of the hull's kind
    WInt count;    // 0 to 2 ends within the margin
    WFloat deepest;
    WVec3 normal;
};

// Sets the ends within the margin, of a part that is one point its lower end. The bar is `middle` high over the face,
// and `rise` higher at its end 1; `length`: half the bar's.
LANEFOLD_INLINE void keep_ends_within(const BarOnHull& x, const BarClip& clip, WFloat middle, WFloat rise,
                                      WFloat margin, WFloat length, BarOverFace& f) {
    f.t[0] = clip.t_in;
    f.t[1] = clip.t_out;
    f.side[0] = clip.side_in;
    f.side[1] = clip.side_out;
    for (int k = 0; k < 2; ++k) f.height[k] = middle + rise * f.t[k];
    const WMask over = (f.t[0] <= f.t[1]) & ~clip.culled;
    const WFloat same = x.size * splat(kSameBarPoint);
    const WMask together = (f.t[1] - f.t[0]) * length <= same;
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
}

// Whose records are written.
struct HostOfBar {
    const std::uint32_t* pair;
    std::uint32_t emitted;
    bool is_b;
    WInt features;  // of the hull
};

// The edge or the vertex of a hull.
struct LaneFeature {
    WInt index;
    WInt number;  // among all features of the hull
    WMask vertex;
};

// The place at which hull and bar are nearest, or deepest.
struct OnHullMeeting {
    WFloat t;      // on the bar
    WVec3 normal;  // unit, from the hull to the bar
    WFloat distance;
};

// A point of the record: `number` is that of the hull's feature.
LANEFOLD_INLINE LaneRecordPoint on_hull_point(const BarOnHull& x, const HostOfBar& host, const WVec3& normal, WFloat t,
                                              WFloat height, WInt number) {
    const WFloat separation = height - x.radii;
    const WVec3 p = (x.middle + x.bar.half * t) - normal * (x.bar.round + separation * splat(0.5F));
    const WInt own = number_on_bar(x.bar, t);
    const WInt features = select(x.bar.point, WInt(1), WInt(3));
    const WInt id = host.is_b ? own * host.features + number : number * features + own;
    return {x.offset + rotate(x.turn, p), separation, lane_mix32(id)};
}

// PointSelection::impact: leaves out points that are higher than the deepest by more than the band.
LANEFOLD_INLINE void keep_impact_of_bars(const ChunkJob& job, WFloat deepest, WFloat smaller, BarPoints& points) {
    if (job.points != PointSelection::impact) return;
    const WFloat limit = deepest + smaller * splat(kImpactBand);
    for (int k = 0; k < 2; ++k) points.over[k] = points.over[k] & (points.p[k].separation <= limit);
}

LANEFOLD_INLINE WInt count_over(const BarPoints& points) {
    const WInt zero(0);
    return select(points.over[0], WInt(1), zero) + select(points.over[1], WInt(1), zero);
}

// `number`: of the hull's feature at each point.
template <class Record>
LANEFOLD_INLINE void write_on_face(Chunk<Record> chunk, const BarOnHull& x, WFloat distance, const BarOverFace& f,
                                   const HostOfBar& host, WInt face, const WInt* number) {
    const WMask on_b = WInt(0) < WInt(host.is_b ? 1 : 0);
    const WVec3 normal = rotate(x.turn, f.normal);
    BarPoints points;
    for (int k = 0; k < 2; ++k) {
        points.p[k] = on_hull_point(x, host, f.normal, f.t[k], f.height[k], number[k]);
        points.over[k] = WInt(k) < f.count;
    }
    keep_impact_of_bars(chunk.job, f.deepest - x.radii, x.smaller, points);
    const WInt zero(0);
    const LaneContact c = {host.pair,
                           host.emitted,
                           select(on_b, negate(normal), normal),
                           distance - x.radii,
                           host.is_b ? zero : face,
                           host.is_b ? face : zero,
                           face_kind(on_b),
                           count_over(points)};
    chunk.totals.counters.face_contacts += count_bits(host.emitted);
    write_bars<ContactKind::face_a, ContactKind::face_b>(chunk, c, points);
}

// The content of a record of an edge or a vertex, but for its points.
LANEFOLD_INLINE LaneContact on_feature_contact(const BarOnHull& x, const OnHullMeeting& m, const HostOfBar& host,
                                               const LaneFeature& feature, WInt own, WMask end, WInt total) {
    const WVec3 normal = rotate(x.turn, m.normal);
    return {host.pair,
            host.emitted,
            host.is_b ? negate(normal) : normal,
            m.distance - x.radii,
            host.is_b ? own : feature.index,
            host.is_b ? feature.index : own,
            host.is_b ? feature_kind(end, feature.vertex) : feature_kind(feature.vertex, end),
            total};
}

template <class Record>
LANEFOLD_INLINE void write_on_feature(Chunk<Record> chunk, const BarOnHull& x, const OnHullMeeting& m,
                                      const HostOfBar& host, const LaneFeature& feature) {
    const WInt own = select(m.t >= splat(1.0F), WInt(1), WInt(0));
    const LaneContact c = on_feature_contact(x, m, host, feature, own, end_of_bar(x.bar, m.t), WInt(1));
    chunk.totals.counters.edge_contacts += count_bits(host.emitted);
    const LaneRecordPoint only = on_hull_point(x, host, m.normal, m.t, m.distance, feature.number);
    chunk.totals.points += write_records(chunk.job, c, OnePoint{only}, chunk.out);
    count_contacts<true, ContactKind::edge_edge, ContactKind::vertex_vertex>(chunk.job, c, chunk.totals);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
