// SPDX-License-Identifier: MIT
//
// Bodies to frames, once per body and call: float64 throughout, rounded once. Plain loops over arrays of one value per
// body, which compilers turn into lanes; each body's operations and their order are those of prepare_body().
#pragma once

#include <lanefold/body.hpp>
#include <lanefold/detail/body_frame.hpp>
#include <lanefold/detail/hull_block.hpp>
#include <lanefold/pose.hpp>

#include "chunk_scratch_impl.hpp"
#include "wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE bool finite_position(double x) { return x - x == 0.0; }

// One body. Positions beyond float32 keep zero in the frame: the chunk reads float64 positions themselves.
LANEFOLD_INLINE void prepare_body(const BodyView& bodies, std::size_t i, const HullRecord* hulls,
                                  std::size_t hull_count, BodyFrame& out) {
    std::uint32_t hull;
    float q[4];
    __builtin_memcpy(&hull, bodies.hull + i * bodies.hull_stride, sizeof hull);
    __builtin_memcpy(q, bodies.orientation + i * bodies.orientation_stride, sizeof q);
    const std::byte* position = bodies.position + i * bodies.position_stride;
    double p[3];
    if (bodies.position_is_double) {
        __builtin_memcpy(p, position, sizeof p);
    } else {
        float f[3];
        __builtin_memcpy(f, position, sizeof f);
        for (int k = 0; k < 3; ++k) p[k] = static_cast<double>(f[k]);
    }
    if (hull >= hull_count) {
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
    // 2 / |q|^2 normalises the products: no square root.
    const double s = 2.0 / norm2;
    const double xx = s * (x * x), yy = s * (y * y), zz = s * (z * z);
    const double xy = s * (x * y), xz = s * (x * z), yz = s * (y * z);
    const double wx = s * (w * x), wy = s * (w * y), wz = s * (w * z);
    double r[9] = {1.0 - (yy + zz), xy - wz, xz + wy, xy + wz,        1.0 - (xx + zz),
                   yz - wx,         xz - wy, yz + wx, 1.0 - (xx + yy)};
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

// What a body's frame is made of, one column per value.
struct BodyColumns {
    alignas(64) double q[4][kWidth];
    alignas(64) double position[3][kWidth];
    alignas(64) double centre[3][kWidth];
    alignas(64) double norm2[kWidth];
    alignas(64) std::int32_t hull[kWidth];
};

// Reads bodies [first, first + kWidth). Returns the lanes whose hull is turned in its frame or does not exist.
LANEFOLD_INLINE std::uint32_t read_bodies(const BodyView& bodies, const HullRecord* hulls, std::size_t hull_count,
                                          std::size_t first, BodyColumns& c) {
    std::uint32_t special = 0;
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const std::size_t i = first + l;
        std::uint32_t hull;
        float q[4];
        __builtin_memcpy(&hull, bodies.hull + i * bodies.hull_stride, sizeof hull);
        __builtin_memcpy(q, bodies.orientation + i * bodies.orientation_stride, sizeof q);
        const std::byte* position = bodies.position + i * bodies.position_stride;
        if (bodies.position_is_double) {
            double p[3];
            __builtin_memcpy(p, position, sizeof p);
            for (int k = 0; k < 3; ++k) c.position[k][l] = p[k];
        } else {
            float p[3];
            __builtin_memcpy(p, position, sizeof p);
            for (int k = 0; k < 3; ++k) c.position[k][l] = static_cast<double>(p[k]);
        }
        for (int k = 0; k < 4; ++k) c.q[k][l] = static_cast<double>(q[k]);
        const bool exists = hull < hull_count;
        const HullRecord& h = hulls[exists ? hull : 0];
        for (int k = 0; k < 3; ++k) c.centre[k][l] = static_cast<double>(h.centre[k]);
        c.hull[l] = static_cast<std::int32_t>(hull);
        special |= (!exists || (h.flags & HullRecord::kRotated) != 0 ? 1U : 0U) << l;
    }
    return special;
}

// Frames of bodies [first, first + kWidth), all below bodies.count.
inline void prepare_block(const BodyView& bodies, const HullRecord* hulls, std::size_t hull_count, std::size_t first,
                          BodyFrame* frames) {
    BodyColumns c;
    alignas(64) float out[15][kWidth];
    std::uint32_t scalar = read_bodies(bodies, hulls, hull_count, first, c);
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const double x = c.q[0][l], y = c.q[1][l], z = c.q[2][l], w = c.q[3][l];
        const double norm2 = ((x * x + y * y) + z * z) + w * w;
        c.norm2[l] = norm2;
        const double s = 2.0 / norm2;
        const double xx = s * (x * x), yy = s * (y * y), zz = s * (z * z);
        const double xy = s * (x * y), xz = s * (x * z), yz = s * (y * z);
        const double wx = s * (w * x), wy = s * (w * y), wz = s * (w * z);
        const double r0 = 1.0 - (yy + zz), r1 = xy - wz, r2 = xz + wy;
        const double r3 = xy + wz, r4 = 1.0 - (xx + zz), r5 = yz - wx;
        const double r6 = xz - wy, r7 = yz + wx, r8 = 1.0 - (xx + yy);
        const double cx = c.centre[0][l], cy = c.centre[1][l], cz = c.centre[2][l];
        out[0][l] = static_cast<float>(r0);
        out[1][l] = static_cast<float>(r1);
        out[2][l] = static_cast<float>(r2);
        out[3][l] = static_cast<float>(r3);
        out[4][l] = static_cast<float>(r4);
        out[5][l] = static_cast<float>(r5);
        out[6][l] = static_cast<float>(r6);
        out[7][l] = static_cast<float>(r7);
        out[8][l] = static_cast<float>(r8);
        out[9][l] = static_cast<float>((r0 * cx + r1 * cy) + r2 * cz);
        out[10][l] = static_cast<float>((r3 * cx + r4 * cy) + r5 * cz);
        out[11][l] = static_cast<float>((r6 * cx + r7 * cy) + r8 * cz);
        out[12][l] = static_cast<float>(c.position[0][l]);
        out[13][l] = static_cast<float>(c.position[1][l]);
        out[14][l] = static_cast<float>(c.position[2][l]);
    }
    WFloat column[16];
    for (int k = 0; k < 15; ++k) column[k] = WFloat::load(out[k]);
    column[15] = bit_cast_float(WInt::loadu(c.hull));
    store_rows16(column, frames[first].rotation);
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const double sum = (c.position[0][l] + c.position[1][l]) + c.position[2][l];
        const bool good = __builtin_fabs(c.norm2[l] - 1.0) <= kQuaternionTolerance && sum - sum == 0.0;
        scalar |= (good ? 0U : 1U) << l;
    }
    // Turned boxes; and whatever may have to become a status.
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
