// SPDX-License-Identifier: MIT
//
// Rows of kWidth pairs, each in one piece of memory, as the loads of lanes/wide.hpp take them: frames of bodies, records of
// hulls. And what is computed from two of them before the lanes.
#pragma once

#include <cstddef>

#include "pair/rows.hpp"
#include "pair/support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Frames of pair i of the chunk.
LANEFOLD_INLINE const BodyFrame& frame_a(const ChunkJob& job, std::uint32_t i) {
    return job.frames[job.frame_pairs[i].a];
}
LANEFOLD_INLINE const BodyFrame& frame_b(const ChunkJob& job, std::uint32_t i) {
    return job.frames[job.frame_pairs[i].b];
}

// a where bit is 0, b where it is 1. Not a branch: which hull has the best face is a coin toss.
LANEFOLD_INLINE std::uint32_t either(std::uint32_t bit, std::uint32_t a, std::uint32_t b) {
    return a ^ ((a ^ b) & (0U - bit));
}

// The hull that has a face, and the other. `on_b`: 0, the face is A's, or 1.
struct FaceHulls {
    const HullRecord* own;
    const HullRecord* other;
};

LANEFOLD_INLINE FaceHulls face_hulls(const ChunkJob& job, const PairRow& row, std::uint32_t on_b) {
    return {job.hulls + either(on_b, row.hull_a, row.hull_b), job.hulls + either(on_b, row.hull_b, row.hull_a)};
}

// Frames of kWidth pairs as rows for load_rows16().
struct FrameRows {
    const PairPlaces* places;
    bool of_b;

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const {
        return (of_b ? places[l].frame_b : places[l].frame_a)->rotation;
    }
};

// Records of their hulls, from the flags on: load_rows2() gives flags and size, load_rows4() from 1 on size and half extents.
static_assert(offsetof(HullRecord, size) == offsetof(HullRecord, flags) + 4);
static_assert(offsetof(HullRecord, half_extent) == offsetof(HullRecord, size) + 4);
struct HullRows {
    const PairPlaces* places;
    bool of_b;

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const {
        return reinterpret_cast<const float*>(&(of_b ? places[l].hull_b : places[l].hull_a)->flags);
    }
};

// p_B - p_A in float64, rounded once: exact enough at any distance from the origin.
LANEFOLD_INLINE void position_difference(const ChunkJob& job, std::uint32_t i, float* d) {
    const BodyView& v = *job.bodies;
    double a[3];
    double b[3];
    __builtin_memcpy(a, v.position + job.pairs[i].a * v.position_stride, sizeof a);
    __builtin_memcpy(b, v.position + job.pairs[i].b * v.position_stride, sizeof b);
    for (int k = 0; k < 3; ++k) d[k] = static_cast<float>(b[k] - a[k]);
}

// From A's position to B's of kWidth pairs. Made before their frames are loaded, which would be spilled during its loop.
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

    // `a`, `b`: columns of the frames. Chosen without a branch: the compiler would move part of their transposes behind it, and
    // keep what they are made of on the stack.
    LANEFOLD_INLINE WVec3 delta(const WFloat* a, const WFloat* b) const {
        const WMask is_double = WInt(0) < WInt(used ? 1 : 0);
        return select(is_double, WVec3{WFloat::load(d[0]), WFloat::load(d[1]), WFloat::load(d[2])},
                      WVec3{b[12] - a[12], b[13] - a[13], b[14] - a[14]});
    }
};

// The ends of edge e, in the hull's own frame, a point a quad: they are read back as such at once.
LANEFOLD_INLINE void write_edge_ends(const HullRecord& hull, std::uint32_t e, float* row) {
    const HullFloats h = hull_floats(hull);
    const std::uint16_t* ends = hull_topology(hull).edge_vertex + 2 * e;
    for (std::uint32_t k = 0; k < 2; ++k)
        store_quad(Quad{h.vx[ends[k]], h.vy[ends[k]], h.vz[ends[k]], 0.0F}, row + 4 * k);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
