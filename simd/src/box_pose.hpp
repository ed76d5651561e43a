// SPDX-License-Identifier: MIT
//
// Box against box, lanes = pairs: loading kWidth pairs at once. The internal frame of a box has its centre as
// origin and its axes as axes, so a box is its half extents, whatever its centre and rotation were.
#pragma once

#include "emit.hpp"
#include "hull_pose.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct BoxLanes {
    WFloat world_a[9];  // world from A's frame, row-major
    WFloat world_b[9];
    WVec3 offset_a;  // from A's position to its centre, world axes
    WVec3 delta;     // from A's centre to B's, world axes
    WFloat r[3][3];  // B in A's frame
    WVec3 t;
    WFloat ha[3];
    WFloat hb[3];
    WFloat size_a;
    WFloat size_b;
};

// Pairs list[0 .. lanes); the lanes beyond repeat the first.
inline void load_box_lanes(const ChunkJob& job, const std::uint32_t* list, std::uint32_t lanes, BoxLanes& x) {
    const float* rows_a[kWidth];
    const float* rows_b[kWidth];
    const float* extents_a[kWidth];
    const float* extents_b[kWidth];
    alignas(64) float d64[3][kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const std::uint32_t i = list[l < lanes ? l : 0];
        const BodyFrame& a = frame_a(job, i);
        const BodyFrame& b = frame_b(job, i);
        rows_a[l] = a.rotation;
        rows_b[l] = b.rotation;
        extents_a[l] = &job.hulls[a.hull].size;  // size, then half_extent
        extents_b[l] = &job.hulls[b.hull].size;
        if (job.bodies->position_is_double) {
            float d[3];
            position_difference(job, i, d);
            for (int k = 0; k < 3; ++k) d64[k][l] = d[k];
        }
    }
    WFloat a[16];
    WFloat b[16];
    load_rows16(rows_a, a);
    load_rows16(rows_b, b);
    for (int k = 0; k < 9; ++k) {
        x.world_a[k] = a[k];
        x.world_b[k] = b[k];
    }
    x.offset_a = {a[9], a[10], a[11]};
    WVec3 delta = {b[12] - a[12], b[13] - a[13], b[14] - a[14]};
    if (job.bodies->position_is_double) delta = {WFloat::load(d64[0]), WFloat::load(d64[1]), WFloat::load(d64[2])};
    x.delta = delta + (WVec3{b[9], b[10], b[11]} - x.offset_a);
    for (int i = 0; i < 3; ++i) {
        const WVec3 column = {a[i], a[3 + i], a[6 + i]};
        for (int j = 0; j < 3; ++j) x.r[i][j] = dot(column, {b[j], b[3 + j], b[6 + j]});
    }
    x.t = {dot({a[0], a[3], a[6]}, x.delta), dot({a[1], a[4], a[7]}, x.delta), dot({a[2], a[5], a[8]}, x.delta)};
    WFloat e[4];
    load_rows4(extents_a, e);
    x.size_a = e[0];
    for (int k = 0; k < 3; ++k) x.ha[k] = e[1 + k];
    load_rows4(extents_b, e);
    x.size_b = e[0];
    for (int k = 0; k < 3; ++k) x.hb[k] = e[1 + k];
}

// The element of three that `which` (0, 1, 2) names.
LANEFOLD_INLINE WFloat choose(WMask is0, WMask is1, WFloat a, WFloat b, WFloat c) {
    return select(is0, a, select(is1, b, c));
}

LANEFOLD_INLINE WFloat sign_of(WFloat x) { return select(x < splat(0.0F), splat(-1.0F), splat(1.0F)); }

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
