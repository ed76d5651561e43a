// SPDX-License-Identifier: MIT
//
// The points of contacts for the writers of records, lanes = pairs. The clips of boxes and of general faces give
// candidates in coordinates of the contact plane, which are counted, reduced and placed in the world. Edges and
// vertices have one point.
#pragma once

#include "record/lane_contact.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The contact plane in world axes. A candidate's point is base + u * U + v * V + w * (separation / 2).
struct LanePlane {
    WVec3 u, v, w;  // w: outward normal of the reference face
    WVec3 base;     // from A's position, on the reference face's plane
    WMask on_b;     // the reference face is B's
};

LANEFOLD_INLINE WInt lane_mix32(WInt x) {
    x = x ^ shift_right_logical(x, 16);
    x = x * WInt(static_cast<std::int32_t>(0x7feb352dU));
    x = x ^ shift_right_logical(x, 15);
    x = x * WInt(static_cast<std::int32_t>(0x846ca68bU));
    return x ^ shift_right_logical(x, 16);
}

LANEFOLD_INLINE WInt count_valid(const LanePoint* points, int used) {
    WInt n(0);
    for (int c = 0; c < used; ++c) n = select(points[c].valid, n + WInt(1), n);
    return n;
}

// PointSelection::impact: makes candidates above `limit` invalid.
LANEFOLD_INLINE void keep_impact(LanePoint* points, int used, WFloat limit) {
    for (int c = 0; c < used; ++c) points[c].valid = points[c].valid & (points[c].separation <= limit);
}

// Returns how many candidates of each lane are valid. For records of four points `reduce` leaves four of them valid in
// the lanes that have more. Records of 16 points need no reduction: two faces of at most eight sides overlap in a
// polygon of at most 16 corners, and the writer leaves out what rounding may add. `in_use`: lanes that count.
template <class Reduce>
LANEFOLD_INLINE WInt reduce_candidates(LanePoint* points, int used, std::uint32_t capacity, std::uint32_t in_use,
                                       const Reduce& reduce) {
    const WInt total = count_valid(points, used);
    if (capacity == 4) {
        const WMask crowded = WInt(4) < total;
        if ((bits(crowded) & in_use) != 0) reduce(points, used, crowded);
    }
    return total;
}

// Puts a point before those of the lanes m, of which the last is lost. kLast: the last place that may be taken by now.
template <int kLast, class P>
LANEFOLD_INLINE void put_first(WMask m, const P& first, P (&p)[4]) {
    if constexpr (kLast > 2) p[3].set(m, p[2]);
    if constexpr (kLast > 1) p[2].set(m, p[1]);
    if constexpr (kLast > 0) p[1].set(m, p[0]);
    p[0].set(m, first);
}

// One candidate of every lane: its coordinates in the contact plane and the names of its features.
struct LaneClippedPoint {
    WFloat u, v, separation;
    WInt features;

    LANEFOLD_INLINE void set(WMask m, const LaneClippedPoint& p) {
        u = select(m, p.u, u);
        v = select(m, p.v, v);
        separation = select(m, p.separation, separation);
        features = select(m, p.features, features);
    }
};

LANEFOLD_INLINE LaneRecordPoint no_point() {
    const WFloat zero(0.0F);
    return {{zero, zero, zero}, zero, WInt(0)};
}

// The coordinate system of the contact plane, and the numbers of pairs of features by their names.
template <class Number>
struct ClippedPlaces {
    const LanePlane& plane;
    Number number;

    LANEFOLD_INLINE LaneRecordPoint place(const LaneClippedPoint& p) const {
        return {plane.base + ((plane.u * p.u + plane.v * p.v) + plane.w * (p.separation * splat(0.5F))), p.separation,
                lane_mix32(number(p.features))};
    }
};

// The first four points of a clip. Only those that are kept are numbered and placed.
template <class Number>
struct FourClippedPoints : ClippedPlaces<Number> {
    static constexpr int kPoints = 4;

    LaneClippedPoint p[4];

    LANEFOLD_INLINE LaneRecordPoint kept(int k, WInt total) const {
        LaneRecordPoint point = no_point();
        point.set(WInt(k) < total, this->place(p[k]));
        return point;
    }
};

// The candidates of a clip. `number`: makes the number of a pair of features of their names.
template <class Number>
struct ClippedPoints : ClippedPlaces<Number> {
    const LanePoint* points;
    const WInt* features;
    int used;

    LANEFOLD_INLINE ClippedPoints(const LanePlane& p, const LanePoint* c, const WInt* f, int n, const Number& of)
        : ClippedPlaces<Number>{p, of}, points(c), features(f), used(n) {}
    LANEFOLD_INLINE WMask valid(int c) const { return points[c].valid; }
    LANEFOLD_INLINE LaneRecordPoint point(int c) const {
        return this->place({points[c].u, points[c].v, points[c].separation, features[c]});
    }
    // The valid candidates, at most four, in order. The loop runs from the last candidate to the first; each valid one
    // moves those behind it one place further. This takes one mask per candidate and no counts.
    LANEFOLD_INLINE FourClippedPoints<Number> four() const {
        const WFloat zero(0.0F);
        LaneClippedPoint p[4];
        for (LaneClippedPoint& x : p) x = {zero, zero, zero, WInt(0)};
        for (int c = used - 1; c >= 0; --c) {
            put_first<3, LaneClippedPoint>(valid(c), {points[c].u, points[c].v, points[c].separation, features[c]}, p);
        }
        return {{this->plane, this->number}, {p[0], p[1], p[2], p[3]}};
    }
};

LANEFOLD_INLINE WInt face_kind(WMask on_b) {
    return select(on_b, WInt(static_cast<std::int32_t>(ContactKind::face_b)),
                  WInt(static_cast<std::int32_t>(ContactKind::face_a)));
}

// Writes and counts contacts of faces. kNeighbours: the pairs of the lanes almost ascend.
template <bool kNeighbours, class Points, class Record>
inline void write_faces(const ChunkJob& job, const LaneContact& c, const Points& points, Record* out,
                        ChunkTotals& totals) {
    if constexpr (__is_same(Record, Manifold4))
        totals.points += write_records(job, c, points.four(), out);
    else
        totals.points += write_records(job, c, points, out);
    count_contacts<kNeighbours, ContactKind::face_a, ContactKind::face_b>(job, c, totals);
}

// The contacts of edges and vertices of kWidth pairs.
struct LaneFeatureContact {
    const std::uint32_t* pair;  // index of each lane's pair in the chunk
    std::uint32_t emitted;      // lanes that become records
    WFloat distance;
    WVec3 normal, point;  // in A's frame
    WInt feature_a, feature_b;
    WInt number;  // of the pair of features
    WInt kind;    // ContactKind
};

// The kind of a contact of edges and corners.
LANEFOLD_INLINE WInt feature_kind(WMask corner_a, WMask corner_b) {
    static_assert(static_cast<int>(ContactKind::vertex_edge) == static_cast<int>(ContactKind::edge_edge) + 1 &&
                  static_cast<int>(ContactKind::edge_vertex) == static_cast<int>(ContactKind::edge_edge) + 2 &&
                  static_cast<int>(ContactKind::vertex_vertex) == static_cast<int>(ContactKind::edge_edge) + 3);
    return WInt(static_cast<std::int32_t>(ContactKind::edge_edge)) +
           (select(corner_a, WInt(1), WInt(0)) + select(corner_b, WInt(2), WInt(0)));
}

struct OnePoint {
    static constexpr int kPoints = 1;
    static constexpr int used = 1;  // NOLINT(readability-identifier-naming): a variable of other sources

    LaneRecordPoint only;

    static LANEFOLD_INLINE WMask valid(int) { return ~no_lanes(); }
    LANEFOLD_INLINE const LaneRecordPoint& point(int) const { return only; }
    LANEFOLD_INLINE const LaneRecordPoint& kept(int, WInt) const { return only; }
};

// Writes and counts contacts of edges and vertices. `world`, `offset`: rotation and offset of A's frame.
template <bool kNeighbours, class Record>
inline void write_features(const ChunkJob& job, const LaneFeatureContact& f, const WVec3* world, const WVec3& offset,
                           Record* out, ChunkTotals& totals) {
    const LaneContact c = {f.pair, f.emitted, rotate(world, f.normal), f.distance, f.feature_a, f.feature_b,
                           f.kind, WInt(1)};
    const OnePoint point = {{rotate(world, f.point) + offset, f.distance, lane_mix32(f.number)}};
    totals.points += write_records(job, c, point, out);
    totals.counters.edge_contacts += count_bits(c.emitted);
    count_contacts<kNeighbours, ContactKind::edge_edge, ContactKind::vertex_vertex>(job, c, totals);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
