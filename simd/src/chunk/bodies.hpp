// SPDX-License-Identifier: MIT
//
// Prepares the frames of bodies, once per body and call, in float64 with one rounding at the end. Most bodies go
// through plain loops over columns with one value per body, which compilers turn into lanes. Each body's operations and
// their order are those of prepare_body().
#pragma once

#include <lanefold/body.hpp>
#include <lanefold/detail/body_frame.hpp>
#include <lanefold/detail/chunk.hpp>
#include <lanefold/detail/hull_block.hpp>
#include <lanefold/pose.hpp>

#include "pair/lane_rows.hpp"
#include "pair/places.hpp"
#include "pair/rotation.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE bool finite_position(double x) { return x - x == 0.0; }

// Prepares one body. A position beyond float32 is infinite in the frame. No stage reads it there, because stages read
// float64 positions from the caller's memory.
LANEFOLD_INLINE void prepare_body(const BodyView& bodies, std::size_t i, const HullRecord* hulls,
                                  std::size_t hull_count, BodyFrame& out) {
    std::uint32_t hull;
    float q[4];
    __builtin_memcpy(&hull, bodies.hull + i * bodies.hull_stride, sizeof hull);
    __builtin_memcpy(q, bodies.orientation + i * bodies.orientation_stride, sizeof q);
    double p[3];
    body_position(bodies, i, p);
    if (hull >= hull_count || (hulls[hull].flags & HullRecord::kRemoved) != 0) {
        out.hull = kFrameBadHull;
        return;
    }
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double norm2 = ((x * x + y * y) + z * z) + w * w;
    const bool unit = __builtin_fabs(norm2 - 1.0) <= kQuaternionTolerance;
    if (!unit || !finite_position(p[0]) || !finite_position(p[1]) || !finite_position(p[2])) {
        out.hull = kFrameBadPose;
        return;
    }
    double r[9];
    rotation_rows(x, y, z, w, norm2, r);
    const HullRecord& h = hulls[hull];
    const double c[3] = {h.centre[0], h.centre[1], h.centre[2]};
    for (int k = 0; k < 3; ++k)
        out.offset[k] = static_cast<float>((r[3 * k] * c[0] + r[3 * k + 1] * c[1]) + r[3 * k + 2] * c[2]);
    if ((h.flags & HullRecord::kRotated) != 0) {
        const HullLayout layout = hull_layout(h);
        const double* b = reinterpret_cast<const double*>(h.block + layout.box_rotation);
        double m[9];
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l)
                m[3 * k + l] = (r[3 * k] * b[l] + r[3 * k + 1] * b[3 + l]) + r[3 * k + 2] * b[6 + l];
        for (int k = 0; k < 9; ++k) r[k] = m[k];
    }
    for (int k = 0; k < 9; ++k) out.rotation[k] = static_cast<float>(r[k]);
    for (int k = 0; k < 3; ++k) out.position[k] = static_cast<float>(p[k]);
    out.hull = hull;
}

// The inputs of the frames of kWidth bodies, one column per value, as float32. turn_bodies() widens a vector at a time.
struct BodyColumns {
    alignas(64) float q[4][kWidth];
    alignas(64) float centre[4][kWidth];  // the fourth column, the radius, is not used
    alignas(64) float position[3][kWidth];
    alignas(64) double norm2[kWidth];
    alignas(64) std::int32_t hull[kWidth];
};

// Reads bodies [first, first + kWidth). Returns the lanes whose hull is turned, removed or does not exist, or whose
// position is not finite. Positions are stored first and read last, because a wide load waits for recent narrow stores.
LANEFOLD_INLINE std::uint32_t read_bodies(const BodyView& bodies, const HullRecord* hulls, std::size_t hull_count,
                                          std::size_t first, BodyColumns& c) {
    std::uint32_t special = 0;
    const float* orientation[kWidth];
    const float* centre[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const std::size_t i = first + l;
        const std::byte* position = bodies.position + i * bodies.position_stride;
        if (bodies.position_is_double) {
            double p[3];
            __builtin_memcpy(p, position, sizeof p);
            for (int k = 0; k < 3; ++k) c.position[k][l] = static_cast<float>(p[k]);
            const double sum = (p[0] + p[1]) + p[2];
            special |= (sum - sum == 0.0 ? 0U : 1U) << l;
        } else {
            for (int k = 0; k < 3; ++k) __builtin_memcpy(&c.position[k][l], position + 4 * k, 4);
        }
        std::uint32_t hull;
        __builtin_memcpy(&hull, bodies.hull + i * bodies.hull_stride, sizeof hull);
        const bool exists = hull < hull_count;
        const HullRecord& h = hulls[exists ? hull : 0];
        orientation[l] = reinterpret_cast<const float*>(bodies.orientation + i * bodies.orientation_stride);
        centre[l] = h.centre;
        c.hull[l] = static_cast<std::int32_t>(hull);
        special |= (!exists || (h.flags & (HullRecord::kRotated | HullRecord::kRemoved)) != 0 ? 1U : 0U) << l;
    }
    static_assert(offsetof(HullRecord, radius) == offsetof(HullRecord, centre) + 12);
    WFloat column[4];
    load_rows4(orientation, column);
    for (int k = 0; k < 4; ++k) column[k].store(c.q[k]);
    load_rows4(centre, column);
    for (int k = 0; k < 4; ++k) column[k].store(c.centre[k]);
    return special;
}

// The results of prepare_body() for kWidth bodies, one column per value, named as in LaneFrame.
struct FrameColumns {
    alignas(64) float rotation[9][kWidth];
    alignas(64) float offset[3][kWidth];
};

// Computes rotations and offsets in float64, in the order of prepare_body(). Keeps |q|^2 in c.norm2.
LANEFOLD_INLINE void turn_bodies(BodyColumns& c, FrameColumns& out) {
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const double x = static_cast<double>(c.q[0][l]), y = static_cast<double>(c.q[1][l]);
        const double z = static_cast<double>(c.q[2][l]), w = static_cast<double>(c.q[3][l]);
        const double norm2 = ((x * x + y * y) + z * z) + w * w;
        c.norm2[l] = norm2;
        double r[9];
        rotation_rows(x, y, z, w, norm2, r);
        const double cx = static_cast<double>(c.centre[0][l]), cy = static_cast<double>(c.centre[1][l]);
        const double cz = static_cast<double>(c.centre[2][l]);
        for (int k = 0; k < 9; ++k) out.rotation[k][l] = static_cast<float>(r[k]);
        for (int k = 0; k < 3; ++k)
            out.offset[k][l] = static_cast<float>((r[3 * k] * cx + r[3 * k + 1] * cy) + r[3 * k + 2] * cz);
    }
}

LANEFOLD_INLINE WVec3 load_columns(const float (*column)[kWidth]) {
    return {WFloat::load(column[0]), WFloat::load(column[1]), WFloat::load(column[2])};
}

// Lanes that prepare_body() must check: a position that is NaN or infinite or whose sum exceeds float32, or an
// orientation that is not of unit length.
LANEFOLD_INLINE std::uint32_t doubtful_bodies(const BodyColumns& c, const WVec3& position) {
    const WFloat sum = (position.x + position.y) + position.z;
    std::uint32_t lanes = ~bits(sum - sum == splat(0.0F)) & kAllLanes;
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const bool good = __builtin_fabs(c.norm2[l] - 1.0) <= kQuaternionTolerance;
        lanes |= (good ? 0U : 1U) << l;
    }
    return lanes;
}

// Prepares the frames of bodies [first, first + kWidth), all below bodies.count.
inline void prepare_block(const BodyView& bodies, const HullRecord* hulls, std::size_t hull_count, std::size_t first,
                          BodyFrame* frames) {
    BodyColumns c;
    FrameColumns out;
    std::uint32_t scalar = read_bodies(bodies, hulls, hull_count, first, c);
    turn_bodies(c, out);
    const LanePose world = {
        {load_columns(out.rotation), load_columns(out.rotation + 3), load_columns(out.rotation + 6)},
        load_columns(out.offset)};
    const LaneFrame frame = {world, load_columns(c.position), WInt::loadu(c.hull)};
    frame.store(frames + first);
    scalar |= doubtful_bodies(c, frame.position);
    // Turned boxes, and bodies that may get a status.
    for (; scalar != 0; scalar &= scalar - 1) {
        const std::size_t i = first + lowest_bit(scalar);
        prepare_body(bodies, i, hulls, hull_count, frames[i]);
    }
}

inline void prepare_bodies(const BodyView& bodies, const HullRecord* hulls, std::size_t hull_count,
                           const std::uint32_t* indices, std::size_t first, std::size_t last, BodyFrame* frames) {
    std::size_t i = first;
    if (indices == nullptr && hull_count != 0) {
        for (; i + kWidth <= last; i += kWidth) prepare_block(bodies, hulls, hull_count, i, frames);
    }
    for (; i < last; ++i) {
        const std::size_t body = indices != nullptr ? indices[i] : i;
        if (body < bodies.count)
            prepare_body(bodies, body, hulls, hull_count, frames[i]);
        else
            frames[i].hull = kFrameBadPose;
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
