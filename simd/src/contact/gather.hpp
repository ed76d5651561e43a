// SPDX-License-Identifier: MIT
//
// Loads the inputs of the clips of kWidth face contacts into lanes = pairs: polygons, poses, optima. All of them are in
// rows that transpose as they are.
#pragma once

#include "contact/lane_clip.hpp"
#include "contact/large_faces.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The polygons of one hull of each of kWidth pairs, in the hull's frame. Slots beyond the count repeat the first
// corner.
template <int kSides>
struct LanePolygons {
    WVec3 x[static_cast<std::size_t>(kSides)];
    WInt vertex[static_cast<std::size_t>(kSides)];
    WInt edge[static_cast<std::size_t>(kSides)];
    WVec3 n;
    WFloat d;
    WInt count;
};

// PolygonCorner. The hull block has a face's plane and then its corners, one after the other.
static_assert(sizeof(PolygonCorner) == 16 && offsetof(PolygonCorner, x) == 0 && offsetof(PolygonCorner, vertex) == 12 &&
              offsetof(PolygonCorner, edge) == 14);
struct LaneCorner {
    WVec3 x;
    WInt vertex, edge;

    LANEFOLD_INLINE static LaneCorner of(const WFloat* q) {
        const WInt ids = bit_cast_int(q[3]);
        return {{q[0], q[1], q[2]}, ids & WInt(0xFFFF), shift_right_logical(ids, 16)};
    }
};

// Loads the polygons. `most`: the largest number of corners of any of them, or more.
template <int kSides>
LANEFOLD_INLINE void load_polygons(const float* const* rows, std::size_t most, WInt count, LanePolygons<kSides>& out) {
    const auto set_corner = [&](std::size_t k, const LaneCorner& c) {
        out.x[k] = c.x;
        out.vertex[k] = c.vertex;
        out.edge[k] = c.edge;
    };
    // The plane and the first three corners, which every polygon has.
    WFloat q[16];
    load_quads<4>(rows, q);
    out.n = {q[0], q[1], q[2]};
    out.d = q[3];
    out.count = count;
    for (std::size_t k = 0; k < 3; ++k) set_corner(k, LaneCorner::of(q + 4 * (k + 1)));
    for (std::size_t k = 3; k < most; ++k) {
        // Beyond a polygon's end is another polygon, or the next section of the block, so the load is safe.
        load_rows4(rows, q, 4 * (k + 1));
        set_corner(k, LaneCorner::of(q));
        const WMask real = WInt(static_cast<std::int32_t>(k)) < count;
        out.x[k] = select(real, out.x[k], out.x[0]);
        out.vertex[k] = select(real, out.vertex[k], out.vertex[0]);
    }
}

// The numbering of the features of kWidth hulls. `scale`: the factor of a feature's number in the number of a pair of
// features.
struct LaneNumbers {
    WInt first_edge, first_vertex, total, scale;
};

// HullRecord, from its vertex_count on.
static_assert(offsetof(HullRecord, face_count) == offsetof(HullRecord, vertex_count) + 4 &&
              offsetof(HullRecord, edge_count) == offsetof(HullRecord, vertex_count) + 8);
struct LaneCounts {
    WInt vertices, faces, edges;

    LANEFOLD_INLINE static LaneCounts load(const float* const* rows) {
        WFloat q[4];
        load_rows4(rows, q);
        return {bit_cast_int(q[0]), bit_cast_int(q[1]), bit_cast_int(q[2])};
    }
};

LANEFOLD_INLINE LaneNumbers load_numbers(const float* const* rows) {
    const LaneCounts n = LaneCounts::load(rows);
    const WInt first_vertex = n.faces + n.edges;
    return {n.faces, first_vertex, first_vertex + n.vertices, WInt(1)};
}

// FacePick.
static_assert(offsetof(FacePick, slot) == 0 && offsetof(FacePick, incident_face) == 4 &&
              offsetof(FacePick, reference_sides) == 8 && offsetof(FacePick, incident_sides) == 12);
struct LanePick {
    WInt incident_face, reference_sides, incident_sides;

    LANEFOLD_INLINE static LanePick load(const float* const* rows) {
        WFloat q[4];
        load_rows4(rows, q);
        return {bit_cast_int(q[1]), bit_cast_int(q[2]), bit_cast_int(q[3])};
    }
};

// Numbers the features of a face of at most `sides` corners. A crossing gets the number of the edge; with kPatch that
// of the vertex at which the side starts, counter-clockwise seen from outside the reference face. The loop of the
// incident face runs the other way.
template <int kSides, bool kPatch>
LANEFOLD_INLINE void number_features(const LanePolygons<kSides>& from, WInt face, const LaneNumbers& n,
                                     std::size_t sides, WMask incident, LaneFace<kSides>& out) {
    out.own = face * n.scale;
    for (std::size_t k = 0; k < sides; ++k) {
        out.vertex[k] = (n.first_vertex + from.vertex[k]) * n.scale;
        if constexpr (!kPatch) out.side[k] = (n.first_edge + from.edge[k]) * n.scale;
    }
    if constexpr (kPatch) {
        for (std::size_t k = 0; k < sides; ++k) {
            const std::size_t next = k + 1 == sides ? 0 : k + 1;
            out.side[k] = select(incident, out.vertex[next], out.vertex[k]);
        }
    }
}

// Rows of kWidth contacts.
struct FaceRows {
    const float* pick[kWidth];
    const float* row[kWidth];
    const float* axis[kWidth];
    const float* optimum[kWidth];
    const float* polygon_a[kWidth];
    const float* polygon_b[kWidth];
    const float* counts_a[kWidth];
    const float* counts_b[kWidth];
    const float* frame[kWidth];
};

template <int kSides>
struct FaceBatch {
    std::uint32_t pair[kWidth];
    std::uint32_t in_use;         // lanes in use; the others repeat the first
    std::size_t reference_sides;  // largest number of sides in the batch
    std::size_t incident_sides;
    LaneFaceOptimum face;  // the reference face is B's where face.on_b
    LaneOptimum optimum;
    LaneTolerances tolerance;
    WInt incident_face;
    WFloat margin;
    LanePose to_a;
    LaneNumbers numbers_a, numbers_b;
    LanePolygons<kSides> a, b;
};

template <int kSides>
LANEFOLD_INLINE std::size_t most_sides(WInt count) {
    std::size_t most = 3;
    for (std::int32_t k = 3; k < kSides; ++k) most += any(WInt(k) < count) ? 1U : 0U;
    return most;
}

LANEFOLD_INLINE void find_face_rows(const ChunkJob& job, const HullPairs& pairs, const FacePick* picks,
                                    std::uint32_t lanes, std::uint32_t* pair, FaceRows& rows) {
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const FacePick& p = picks[l < lanes ? l : 0];
        const PairRow& row = pairs.rows[p.slot];
        const PairOptimum& o = pairs.optima[p.slot];
        pair[l] = row.pair;
        rows.pick[l] = floats_of(&p);
        rows.row[l] = row.to_a.r;
        rows.axis[l] = &pairs.axes[p.slot].face_band;
        rows.optimum[l] = floats_of(&o);
        // By index, because a branch on which hull has the reference face would be mispredicted half of the time.
        rows.polygon_a[l] = p.polygon[o.face_on_b];
        rows.polygon_b[l] = p.polygon[o.face_on_b ^ 1U];
        rows.counts_a[l] = floats_of(&job.hulls[row.hull_a].vertex_count);
        rows.counts_b[l] = floats_of(&job.hulls[row.hull_b].vertex_count);
        rows.frame[l] = frame_a(job, row.pair).rotation;
    }
}

template <int kSides>
LANEFOLD_INLINE void load_batch(const ChunkJob& job, const HullPairs& pairs, const FacePick* picks, std::uint32_t lanes,
                                FaceRows& rows, FaceBatch<kSides>& out) {
    out.in_use = lane_mask(lanes);
    find_face_rows(job, pairs, picks, lanes, out.pair, rows);
    out.tolerance = LaneTolerances::load(rows.axis);
    out.face = LaneFaceOptimum::load(rows.optimum);
    out.optimum = LaneOptimum::load(rows.optimum);
    const LanePick pick = LanePick::load(rows.pick);
    out.incident_face = pick.incident_face;
    const LanePair row = LanePair::load(rows.row);
    out.to_a = row.to_a;
    out.margin = row.margin;
    out.numbers_a = load_numbers(rows.counts_a);
    out.numbers_b = load_numbers(rows.counts_b);
    out.numbers_a.scale = out.numbers_b.total;
    out.reference_sides = most_sides<kSides>(pick.reference_sides);
    out.incident_sides = most_sides<kSides>(pick.incident_sides);
    const std::size_t most = out.reference_sides > out.incident_sides ? out.reference_sides : out.incident_sides;
    const WMask on_b = out.face.on_b;
    load_polygons(rows.polygon_a, most, select(on_b, pick.incident_sides, pick.reference_sides), out.a);
    load_polygons(rows.polygon_b, most, select(on_b, pick.reference_sides, pick.incident_sides), out.b);
}

// Places both faces in A's frame and numbers their features.
template <bool kPatch, int kSides>
LANEFOLD_INLINE void place_faces(const FaceBatch<kSides>& f, LaneFace<kSides>& reference, LaneFace<kSides>& incident) {
    LaneFace<kSides> a;
    LaneFace<kSides> b;
    const WMask on_b = f.face.on_b;
    const std::size_t most = f.reference_sides > f.incident_sides ? f.reference_sides : f.incident_sides;
    number_features<kSides, kPatch>(f.a, select(on_b, f.incident_face, f.face.face), f.numbers_a, most, on_b, a);
    number_features<kSides, kPatch>(f.b, select(on_b, f.face.face, f.incident_face), f.numbers_b, most, ~on_b, b);
    for (std::size_t k = 0; k < most; ++k) {
        const WVec3 x = transform(f.to_a, f.b.x[k]);
        reference.x[k] = select(on_b, x, f.a.x[k]);
        incident.x[k] = select(on_b, f.a.x[k], x);
        reference.vertex[k] = select(on_b, b.vertex[k], a.vertex[k]);
        incident.vertex[k] = select(on_b, a.vertex[k], b.vertex[k]);
        reference.side[k] = select(on_b, b.side[k], a.side[k]);
        incident.side[k] = select(on_b, a.side[k], b.side[k]);
    }
    const WVec3 n = rotate(f.to_a.r, f.b.n);
    const WFloat d = f.b.d + dot(n, f.to_a.t);
    reference.own = select(on_b, b.own, a.own);
    incident.own = select(on_b, a.own, b.own);
    reference.n = select(on_b, n, f.a.n);
    incident.n = select(on_b, f.a.n, n);
    reference.d = select(on_b, d, f.a.d);
    incident.d = select(on_b, f.a.d, d);
    reference.count = select(on_b, f.b.count, f.a.count);
    incident.count = select(on_b, f.a.count, f.b.count);
}

// Whether the support vertex, seen along the normal, is inside the reference face for certain. The arithmetic is that
// of support_inside_face(), in the frame of the face. The vertex is a corner of the incident face.
template <int kSides>
inline WMask supports_inside(const FaceBatch<kSides>& f) {
    const WMask on_b = f.face.on_b;
    WVec3 s = f.a.x[0];
    for (std::size_t k = 0; k < f.incident_sides; ++k) {
        const WMask here = select(on_b, f.a.vertex[k], f.b.vertex[k]) == f.face.support;
        s = select(here, select(on_b, f.a.x[k], f.b.x[k]), s);
    }
    const WVec3 v = select(on_b, rotate_back(f.to_a.r, s - f.to_a.t), transform(f.to_a, s));
    const WVec3 n = select(on_b, f.b.n, f.a.n);
    const std::size_t last = f.reference_sides - 1;
    WVec3 from = select(on_b, f.b.x[last], f.a.x[last]);
    WMask inside = ~no_lanes();
    for (std::size_t k = 0; k < f.reference_sides; ++k) {
        const WVec3 to = select(on_b, f.b.x[k], f.a.x[k]);
        const WVec3 side = to - from;
        const WFloat room = (abs(side.x) + abs(side.y)) + abs(side.z);
        inside = inside & (dot(cross(n, side), v - from) >= room * (f.tolerance.size_sum * splat(kClipTolerance)));
        from = to;
    }
    return inside;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
