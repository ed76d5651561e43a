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

// Where kWidth pairs are; see BoxList.
struct BoxRows {
    const std::uint32_t* pair;
    const float* const* frame_a;
    const float* const* frame_b;
    const float* const* extents_a;
    const float* const* extents_b;
};

// Rows of pairs that do not follow one another in the list.
struct BoxRowsOf {
    std::uint32_t pair[kWidth];
    const float* frame_a[kWidth];
    const float* frame_b[kWidth];
    const float* extents_a[kWidth];
    const float* extents_b[kWidth];

    LANEFOLD_INLINE void set(std::uint32_t lane, const BoxList& list, std::uint32_t place) {
        pair[lane] = list.pair[place];
        frame_a[lane] = list.frame_a[place];
        frame_b[lane] = list.frame_b[place];
        extents_a[lane] = list.extents_a[place];
        extents_b[lane] = list.extents_b[place];
    }
    LANEFOLD_INLINE BoxRows rows() const { return {pair, frame_a, frame_b, extents_a, extents_b}; }
};

LANEFOLD_INLINE BoxRows box_rows(const BoxList& list, std::uint32_t begin) {
    return {list.pair.data() + begin, list.frame_a.data() + begin, list.frame_b.data() + begin,
            list.extents_a.data() + begin, list.extents_b.data() + begin};
}

LANEFOLD_INLINE void pad_boxes(BoxList& list) {
    if (list.count == 0) return;
    const std::uint32_t last = list.count - 1;
    for (std::uint32_t k = list.count; k < list.count + kWidth; ++k) {
        list.pair[k] = list.pair[last];
        list.frame_a[k] = list.frame_a[last];
        list.frame_b[k] = list.frame_b[last];
        list.extents_a[k] = list.extents_a[last];
        list.extents_b[k] = list.extents_b[last];
    }
}

LANEFOLD_INLINE void load_box_lanes(const ChunkJob& job, const BoxRows& rows, BoxLanes& x) {
    // Before the rows are loaded: they would be spilled to the stack during this loop.
    alignas(64) float d64[3][kWidth];
    if (job.bodies->position_is_double) {
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            float d[3];
            position_difference(job, rows.pair[l], d);
            for (int k = 0; k < 3; ++k) d64[k][l] = d[k];
        }
    }
    WFloat a[16];
    WFloat b[16];
    load_rows16(rows.frame_a, a);
    load_rows16(rows.frame_b, b);
    for (int k = 0; k < 9; ++k) {
        x.world_a[k] = a[k];
        x.world_b[k] = b[k];
    }
    x.offset_a = {a[9], a[10], a[11]};
    WVec3 delta = {b[12] - a[12], b[13] - a[13], b[14] - a[14]};
    if (job.bodies->position_is_double) {
        delta = {WFloat::load(d64[0]), WFloat::load(d64[1]), WFloat::load(d64[2])};
    }
    x.delta = delta + (WVec3{b[9], b[10], b[11]} - x.offset_a);
    for (int i = 0; i < 3; ++i) {
        const WVec3 column = {a[i], a[3 + i], a[6 + i]};
        for (int j = 0; j < 3; ++j) x.r[i][j] = dot(column, {b[j], b[3 + j], b[6 + j]});
    }
    x.t = {dot({a[0], a[3], a[6]}, x.delta), dot({a[1], a[4], a[7]}, x.delta), dot({a[2], a[5], a[8]}, x.delta)};
    WFloat e[4];
    load_rows4(rows.extents_a, e);
    x.size_a = e[0];
    for (int k = 0; k < 3; ++k) x.ha[k] = e[1 + k];
    load_rows4(rows.extents_b, e);
    x.size_b = e[0];
    for (int k = 0; k < 3; ++k) x.hb[k] = e[1 + k];
}

// The element of three that `which` (0, 1, 2) names.
LANEFOLD_INLINE WFloat choose(WMask is0, WMask is1, WFloat a, WFloat b, WFloat c) {
    return select(is0, a, select(is1, b, c));
}

LANEFOLD_INLINE WFloat sign_of(WFloat x) { return select(x < splat(0.0F), splat(-1.0F), splat(1.0F)); }

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
