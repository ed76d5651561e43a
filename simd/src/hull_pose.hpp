// SPDX-License-Identifier: MIT
//
// Pairs of general hulls to relative poses and the axis between their centres (lanes = pairs).
#pragma once

#include <lanefold/body.hpp>
#include <lanefold/detail/body_frame.hpp>
#include <lanefold/pose.hpp>

#include "chunk_scratch_impl.hpp"
#include "support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Frames of pair i of the chunk.
LANEFOLD_INLINE const BodyFrame& frame_a(const ChunkJob& job, std::uint32_t i) {
    return job.frames[job.frames_per_pair ? 2 * i : job.pairs[i].a];
}
LANEFOLD_INLINE const BodyFrame& frame_b(const ChunkJob& job, std::uint32_t i) {
    return job.frames[job.frames_per_pair ? 2 * i + 1 : job.pairs[i].b];
}

// p_B - p_A in float64, rounded once: exact enough at any distance from the origin.
LANEFOLD_INLINE void position_difference(const ChunkJob& job, std::uint32_t i, float* d) {
    const BodyView& v = *job.bodies;
    double a[3];
    double b[3];
    __builtin_memcpy(a, v.position + job.pairs[i].a * v.position_stride, sizeof a);
    __builtin_memcpy(b, v.position + job.pairs[i].b * v.position_stride, sizeof b);
    for (int k = 0; k < 3; ++k) d[k] = static_cast<float>(b[k] - a[k]);
}

inline constexpr float kTinyAxis = 1e-6F;  // of the sizes: closer centres give no usable direction

// Relative poses of hull_list into rows, and the centre axes. Pairs too far apart for float32 are moved to the
// float64 list; what remains is compacted in order.
inline void stage_pose(const ChunkJob& job, ChunkScratch::Impl& s) {
    std::uint32_t kept = 0;
    for (std::uint32_t begin = 0; begin < s.hull_count; begin += kWidth) {
        const std::uint32_t lanes = s.hull_count - begin < kWidth ? s.hull_count - begin : kWidth;
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const float* rows_a[kWidth];
        const float* rows_b[kWidth];
        alignas(64) float size_sum[kWidth];
        alignas(64) float dx[kWidth], dy[kWidth], dz[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const std::uint32_t i = s.hull_list[begin + (l < lanes ? l : 0)];
            const BodyFrame& a = frame_a(job, i);
            const BodyFrame& b = frame_b(job, i);
            rows_a[l] = a.rotation;
            rows_b[l] = b.rotation;
            size_sum[l] = job.hulls[a.hull].size + job.hulls[b.hull].size;
            if (job.bodies->position_is_double) {
                float d[3];
                position_difference(job, i, d);
                dx[l] = d[0];
                dy[l] = d[1];
                dz[l] = d[2];
            }
        }
        WFloat a[16];
        WFloat b[16];
        load_rows16(rows_a, a);
        load_rows16(rows_b, b);
        WVec3 delta = {b[12] - a[12], b[13] - a[13], b[14] - a[14]};
        if (job.bodies->position_is_double) delta = {WFloat::load(dx), WFloat::load(dy), WFloat::load(dz)};
        const WVec3 d = delta + (WVec3{b[9], b[10], b[11]} - WVec3{a[9], a[10], a[11]});
        const WVec3 a_col[3] = {{a[0], a[3], a[6]}, {a[1], a[4], a[7]}, {a[2], a[5], a[8]}};
        const WVec3 b_col[3] = {{b[0], b[3], b[6]}, {b[1], b[4], b[7]}, {b[2], b[5], b[8]}};
        WFloat out[16];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) out[3 * i + j] = dot(a_col[i], b_col[j]);
        const WVec3 t = {dot(a_col[0], d), dot(a_col[1], d), dot(a_col[2], d)};
        out[9] = t.x;
        out[10] = t.y;
        out[11] = t.z;
        const WFloat sizes = WFloat::load(size_sum);
        const WFloat length2 = dot(t, t);
        const WFloat far = sizes * splat(kPreciseSeparation);
        const std::uint32_t near_enough = bits(length2 <= far * far);  // false for NaN and Inf too
        const WFloat length = sqrt(length2);
        const WMask usable = length > sizes * splat(kTinyAxis);
        const WVec3 n = {select(usable, t.x / length, splat(1.0F)), select(usable, t.y / length, splat(0.0F)),
                         select(usable, t.z / length, splat(0.0F))};
        WFloat axis[16];
        axis[0] = n.x;
        axis[1] = n.y;
        axis[2] = n.z;
        for (int j = 0; j < 3; ++j) axis[3 + j] = negate(dot(n, {out[j], out[3 + j], out[6 + j]}));
        axis[6] = dot(t, n);
        for (int i = 7; i < 16; ++i) axis[i] = splat(0.0F);
        WFloat inverse[16];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) inverse[3 * i + j] = out[3 * j + i];
        for (int j = 0; j < 3; ++j) inverse[9 + j] = negate(dot(t, {out[j], out[3 + j], out[6 + j]}));
        for (int i = 12; i < 16; ++i) {
            out[i] = splat(0.0F);
            inverse[i] = splat(0.0F);
        }

        // Lanes that stay are written one behind the other; a lane's row never lands behind its own list entry.
        alignas(64) float pose_rows[16 * kWidth];
        alignas(64) float inverse_rows[16 * kWidth];
        alignas(64) float axis_rows[16 * kWidth];
        store_rows16(out, pose_rows);
        store_rows16(inverse, inverse_rows);
        store_rows16(axis, axis_rows);
        for (std::uint32_t l = 0; l < lanes; ++l) {
            const std::uint32_t i = s.hull_list[begin + l];
            if (((near_enough >> l) & 1U) == 0) {
                s.precise_list[s.precise_count++] = i;
                continue;
            }
            const std::uint32_t hull_a = frame_a(job, i).hull;
            const std::uint32_t hull_b = frame_b(job, i).hull;
            const float size_a = job.hulls[hull_a].size;
            const float size_b = job.hulls[hull_b].size;
            PairRow& row = s.rows[kept];
            __builtin_memcpy(&row, pose_rows + 16 * l, sizeof row);
            row.hull_a = hull_a;
            row.hull_b = hull_b;
            row.margin = job.pair_margins != nullptr ? job.pair_margins[i] : job.margin;
            row.pair = i;
            __builtin_memcpy(&s.inverses[kept], inverse_rows + 16 * l, sizeof(InverseRow));
            AxisRow& ax = s.axes[kept];
            __builtin_memcpy(&ax, axis_rows + 16 * l, sizeof ax);
            ax.size_sum = size_a + size_b;
            ax.size_min = size_a < size_b ? size_a : size_b;
            ax.slack = kPruneSlack * ax.size_sum;
            ax.face_band = job.face_preference * ax.size_min;
            ++kept;
        }
    }
    s.hull_count = kept;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
