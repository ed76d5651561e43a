// SPDX-License-Identifier: MIT
//
// Lane mirrors: the rows of kWidth pairs (pair/rows.hpp, frames of bodies, records of hulls) as lanes = pairs, with the
// names of the members in memory. A mirror loads from anything that gives a pointer per lane and stores to consecutive
// rows.
#pragma once

#include <cstddef>

#include "pair/places.hpp"
#include "pair/support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// ---- poses -------------------------------------------------------------------------------------------------

// x -> r x + t. `r`: the rows of the rotation.
struct LanePose {
    WVec3 r[3];
    WVec3 t;
};

LANEFOLD_INLINE WVec3 rotate(const WVec3* r, const WVec3& v) { return {dot(r[0], v), dot(r[1], v), dot(r[2], v)}; }
LANEFOLD_INLINE WVec3 transform(const LanePose& p, const WVec3& v) { return rotate(p.r, v) + p.t; }

// Columns of a matrix given by rows.
LANEFOLD_INLINE WVec3 column_x(const WVec3* r) { return {r[0].x, r[1].x, r[2].x}; }
LANEFOLD_INLINE WVec3 column_y(const WVec3* r) { return {r[0].y, r[1].y, r[2].y}; }
LANEFOLD_INLINE WVec3 column_z(const WVec3* r) { return {r[0].z, r[1].z, r[2].z}; }
// The inverse rotation.
LANEFOLD_INLINE WVec3 rotate_back(const WVec3* r, const WVec3& v) {
    return {dot(column_x(r), v), dot(column_y(r), v), dot(column_z(r), v)};
}

static_assert(offsetof(RelativePose, t) == 9 * sizeof(float) && sizeof(RelativePose) == 12 * sizeof(float));
// `q`: the twelve numbers of a pose.
LANEFOLD_INLINE LanePose pose_of(const WFloat* q) {
    return {{{q[0], q[1], q[2]}, {q[3], q[4], q[5]}, {q[6], q[7], q[8]}}, {q[9], q[10], q[11]}};
}
LANEFOLD_INLINE void put_pose(const LanePose& p, WFloat* q) {
    q[0] = p.r[0].x;
    q[1] = p.r[0].y;
    q[2] = p.r[0].z;
    q[3] = p.r[1].x;
    q[4] = p.r[1].y;
    q[5] = p.r[1].z;
    q[6] = p.r[2].x;
    q[7] = p.r[2].y;
    q[8] = p.r[2].z;
    q[9] = p.t.x;
    q[10] = p.t.y;
    q[11] = p.t.z;
}

// Loads poses from rows that begin with one: RelativePose, BodyFrame (rotation and offset).
template <class Rows>
LANEFOLD_INLINE LanePose load_pose(const Rows& rows) {
    WFloat q[12];
    load_quads<3>(rows, q);
    return pose_of(q);
}

// ---- the state of a pair ---------------------------------------------------------------------------------------

LANEFOLD_INLINE const float* floats_of(const void* row) { return static_cast<const float*>(row); }

// PairRow.
static_assert(offsetof(PairRow, to_a) == 0 && offsetof(PairRow, margin) == 48 && offsetof(PairRow, hull_a) == 52 &&
              offsetof(PairRow, hull_b) == 56 && offsetof(PairRow, pair) == 60);
struct LanePair {
    LanePose to_a;
    WFloat margin;
    WInt hull_a, hull_b, pair;

    template <class Rows>
    LANEFOLD_INLINE static LanePair load(const Rows& rows) {
        WFloat q[16];
        load_rows16(rows, q);
        return {pose_of(q), q[12], bit_cast_int(q[13]), bit_cast_int(q[14]), bit_cast_int(q[15])};
    }
    LANEFOLD_INLINE void store(PairRow* rows) const {
        WFloat q[16];
        put_pose(to_a, q);
        q[12] = margin;
        q[13] = bit_cast_float(hull_a);
        q[14] = bit_cast_float(hull_b);
        q[15] = bit_cast_float(pair);
        store_rows16(q, rows->to_a.r);
    }
};

// InverseRow.
static_assert(offsetof(InverseRow, to_b) == 0 && offsetof(InverseRow, scale) == 48 &&
              offsetof(InverseRow, offset_a) == 52 && offsetof(InverseRow, offset_b) == 56);
struct LaneInverse {
    LanePose to_b;
    WFloat scale;
    WInt offset_a, offset_b;

    LANEFOLD_INLINE void store(InverseRow* rows) const {
        WFloat q[16];
        put_pose(to_b, q);
        q[12] = scale;
        q[13] = bit_cast_float(offset_a);
        q[14] = bit_cast_float(offset_b);
        q[15] = splat(0.0F);
        store_rows16(q, rows->to_b.r);
    }
};

// AxisRow as stage_pose() writes it: no witnesses, nothing from the pair cache.
static_assert(offsetof(AxisRow, n) == 0 && offsetof(AxisRow, m) == 12 && offsetof(AxisRow, tn) == 24 &&
              offsetof(AxisRow, slack) == 28 && offsetof(AxisRow, face_band) == 32 &&
              offsetof(AxisRow, size_sum) == 36 && offsetof(AxisRow, size_min) == 40 &&
              offsetof(AxisRow, support_a) == 44);
struct LaneAxis {
    WVec3 n, m;
    WFloat tn, slack, face_band, size_sum, size_min;

    LANEFOLD_INLINE void store(AxisRow* rows) const {
        const WFloat none(0.0F);
        const WFloat q[16] = {n.x,       n.y,      n.z,      m.x,  m.y,  m.z,  tn,   slack,
                              face_band, size_sum, size_min, none, none, none, none, none};
        store_rows16(q, rows->n);
    }
};

// The part of AxisRow that contacts need. `rows`: from face_band on.
struct LaneTolerances {
    WFloat face_band, size_sum, size_min;

    template <class Rows>
    LANEFOLD_INLINE static LaneTolerances load(const Rows& rows) {
        WFloat q[4];
        load_rows4(rows, q);
        return {q[0], q[1], q[2]};
    }
};

// PairOptimum in two halves: the best face; the best separation and the edges that have it, if any. `rows`: whole
// rows.
static_assert(offsetof(PairOptimum, face_value) == 0 && offsetof(PairOptimum, face) == 4 &&
              offsetof(PairOptimum, support) == 8 && offsetof(PairOptimum, face_on_b) == 12 &&
              offsetof(PairOptimum, value) == 16 && offsetof(PairOptimum, edge_a) == 20 &&
              offsetof(PairOptimum, edge_b) == 24 && offsetof(PairOptimum, has_edge) == 28);
struct LaneFaceOptimum {
    WFloat value;
    WInt face, support;
    WMask on_b;

    template <class Rows>
    LANEFOLD_INLINE static LaneFaceOptimum load(const Rows& rows) {
        WFloat q[4];
        load_rows4(rows, q);
        return {q[0], bit_cast_int(q[1]), bit_cast_int(q[2]), bit_cast_int(q[3]) == WInt(1)};
    }
};
struct LaneOptimum {
    WFloat value;
    WInt edge_a, edge_b;
    WMask has_edge;

    template <class Rows>
    LANEFOLD_INLINE static LaneOptimum load(const Rows& rows) {
        WFloat q[4];
        load_rows4(rows, q, 4);
        return {q[0], bit_cast_int(q[1]), bit_cast_int(q[2]), bit_cast_int(q[3]) == WInt(1)};
    }
};

// ---- bodies and hulls ------------------------------------------------------------------------------------------

// Frames of the bodies of kWidth pairs.
struct FrameRows {
    const PairPlaces* places;
    bool of_b;

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const {
        return (of_b ? places[l].frame_b : places[l].frame_a)->rotation;
    }
};

// BodyFrame.
static_assert(offsetof(BodyFrame, rotation) == 0 && offsetof(BodyFrame, offset) == 36 &&
              offsetof(BodyFrame, position) == 48 && offsetof(BodyFrame, hull) == 60);
struct LaneFrame {
    LanePose world;  // rotation, offset
    WVec3 position;
    WInt hull;

    template <class Rows>
    LANEFOLD_INLINE static LaneFrame load(const Rows& rows) {
        WFloat q[16];
        load_rows16(rows, q);
        return {pose_of(q), {q[12], q[13], q[14]}, bit_cast_int(q[15])};
    }
    LANEFOLD_INLINE void store(BodyFrame* rows) const {
        WFloat q[16];
        put_pose(world, q);
        q[12] = position.x;
        q[13] = position.y;
        q[14] = position.z;
        q[15] = bit_cast_float(hull);
        store_rows16(q, rows->rotation);
    }
};

// Hull records of kWidth pairs, from their flags on.
struct HullRows {
    const PairPlaces* places;
    bool of_b;

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const {
        return reinterpret_cast<const float*>(&(of_b ? places[l].hull_b : places[l].hull_a)->flags);
    }
};

// The members of HullRecord from the flags on, in two overlapping parts.
static_assert(offsetof(HullRecord, size) == offsetof(HullRecord, flags) + 4);
static_assert(offsetof(HullRecord, half_extent) == offsetof(HullRecord, size) + 4);
struct LaneSize {
    WInt flags;
    WFloat size;

    LANEFOLD_INLINE static LaneSize load(const HullRows& rows) {
        WFloat q[2];
        load_rows2(rows, q);
        return {bit_cast_int(q[0]), q[1]};
    }
};
struct LaneExtent {
    WFloat size;
    WFloat half[3];

    LANEFOLD_INLINE static LaneExtent load(const HullRows& rows) {
        WFloat q[4];
        load_rows4(rows, q, 1);
        return {q[0], {q[1], q[2], q[3]}};
    }
};

// Margins of the cores of kWidth pairs.
LANEFOLD_INLINE WFloat load_margins(const ChunkJob& job, const std::uint32_t* pair) {
    if (job.core_margins == nullptr) return splat(job.margin);
    alignas(64) float margins[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) margins[l] = job.core_margins[pair[l]];
    return WFloat::load(margins);
}

// p_B - p_A in float64, rounded once, so it is exact enough at any distance from the origin.
LANEFOLD_INLINE void position_difference(const ChunkJob& job, std::uint32_t i, float* d) {
    const BodyView& v = *job.bodies;
    double a[3];
    double b[3];
    __builtin_memcpy(a, v.position + job.pairs[i].a * v.position_stride, sizeof a);
    __builtin_memcpy(b, v.position + job.pairs[i].b * v.position_stride, sizeof b);
    for (int k = 0; k < 3; ++k) d[k] = static_cast<float>(b[k] - a[k]);
}

// The vectors from A's position to B's of kWidth pairs, if positions are float64. They are computed before the frames
// are loaded; otherwise the loop would spill the frames.
struct DoublePositions {
    alignas(64) float d[3][kWidth] = {};
    bool used;

    LANEFOLD_INLINE DoublePositions(const ChunkJob& job, const std::uint32_t* pair)
        : used(job.bodies->position_is_double) {
        if (!used) return;
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            float of_pair[3];
            position_difference(job, pair[l], of_pair);
            for (int k = 0; k < 3; ++k) d[k][l] = of_pair[k];
        }
    }

    // No branch: with one, the compiler moves part of the frames' transposes behind it and keeps their inputs on the
    // stack.
    LANEFOLD_INLINE WVec3 between(const WVec3& position_a, const WVec3& position_b) const {
        const WMask is_double = WInt(0) < WInt(used ? 1 : 0);
        return select(is_double, WVec3{WFloat::load(d[0]), WFloat::load(d[1]), WFloat::load(d[2])},
                      position_b - position_a);
    }
};

// The vector from A's centre to B's, world axes.
LANEFOLD_INLINE WVec3 between_centres(const LaneFrame& a, const LaneFrame& b, const DoublePositions& positions) {
    return positions.between(a.position, b.position) + (b.world.t - a.world.t);
}

// The pose of B in A's frame. `centres`: the vector from A's centre to B's, world axes.
LANEFOLD_INLINE LanePose relative_pose(const LaneFrame& a, const LaneFrame& b, const WVec3& centres) {
    const WVec3* of_a = a.world.r;
    const WVec3* of_b = b.world.r;
    return {{rotate_back(of_b, column_x(of_a)), rotate_back(of_b, column_y(of_a)), rotate_back(of_b, column_z(of_a))},
            rotate_back(of_a, centres)};
}

// The bodies of kWidth pairs and where they are relative to one another.
struct LaneBodiesAt {
    LaneFrame a, b;
    WVec3 from_a;  // from A's position to B's centre, world axes
    LanePose to_a;

    LANEFOLD_INLINE static LaneBodiesAt load(const ChunkJob& job, const std::uint32_t* pair, const PairPlaces* places) {
        LaneBodiesAt at;
        const DoublePositions positions(job, pair);
        at.a = LaneFrame::load(FrameRows{places, false});
        at.b = LaneFrame::load(FrameRows{places, true});
        at.from_a = positions.between(at.a.position, at.b.position) + at.b.world.t;
        at.to_a = relative_pose(at.a, at.b, between_centres(at.a, at.b, positions));
        return at;
    }
    // The rotation of the hull that the normal rides with.
    LANEFOLD_INLINE void frame_of_normal(WMask on_b, WVec3* r) const {
        for (int k = 0; k < 3; ++k) r[k] = select(on_b, b.world.r[k], a.world.r[k]);
    }
};

// The two ends of an edge, one point per quad, because they are loaded as quads right after they are stored.
struct alignas(16) EdgeEnds {
    float from[4];
    float to[4];
};
static_assert(offsetof(EdgeEnds, to) == 16 && sizeof(EdgeEnds) == 32);
struct LaneEdgeEnds {
    WVec3 from, to;

    template <class Rows>
    LANEFOLD_INLINE static LaneEdgeEnds load(const Rows& rows) {
        WFloat q[8];
        load_quads<2>(rows, q);
        return {{q[0], q[1], q[2]}, {q[4], q[5], q[6]}};
    }
};

// Writes the ends of edge e, in the hull's own frame, in the layout of EdgeEnds.
LANEFOLD_INLINE void write_edge_ends(const HullRecord& hull, std::uint32_t e, float* row) {
    const HullFloats h = hull_floats(hull);
    const std::uint16_t* ends = hull_topology(hull).edge_vertex + 2 * e;
    for (std::uint32_t k = 0; k < 2; ++k)
        store_quad(Quad{h.vx[ends[k]], h.vy[ends[k]], h.vz[ends[k]], 0.0F}, row + 4 * k);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
