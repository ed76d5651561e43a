// SPDX-License-Identifier: MIT
//
// Box against box, lanes = pairs: loading kWidth pairs at once. The internal frame of a box has its centre as
// origin and its axes as axes, so a box is its half extents, whatever its centre and rotation were.
#pragma once

#include "box/scratch.hpp"
#include "pair/lane_rows.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct BoxLanes {
    WFloat world[9];  // world from the frame of one of the two, row-major
    WVec3 offset_a;   // from A's position to its centre, world axes
    WVec3 delta;      // from A's centre to B's, world axes
    WFloat r[3][3];   // B in A's frame
    WVec3 t;
    WFloat ha[3];
    WFloat hb[3];
    WFloat size_a;
    WFloat size_b;
};

// kWidth box pairs that do not follow one another in the list.
struct BoxPlaces {
    PairPlaces places[kWidth];
    std::uint32_t pair[kWidth];  // index in the chunk

    // Those at places at[0 .. lanes - 1] of the list. Lanes behind them repeat the first, for which `at` has room.
    LANEFOLD_INLINE void set(const PairList& list, std::uint32_t* at, std::uint32_t lanes) {
        for (std::uint32_t l = lanes; l < kWidth; ++l) at[l] = at[0];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const std::uint32_t place = at[l];
            places[l] = list.places[place];
            pair[l] = list.pair[place];
        }
    }
};

// `places`, `pair`: of kWidth pairs. of_b: whose rotation is wanted.
LANEFOLD_INLINE void load_box_lanes(const ChunkJob& job, const PairPlaces* places, const std::uint32_t* pair,
                                    WMask of_b, BoxLanes& x) {
    const DoublePositions positions(job, pair);
    WFloat a[16];
    WFloat b[16];
    load_rows16(FrameRows{places, false}, a);
    load_rows16(FrameRows{places, true}, b);
    for (int k = 0; k < 9; ++k) {
        x.world[k] = select(of_b, b[k], a[k]);
    }
    x.offset_a = {a[9], a[10], a[11]};
    x.delta = positions.delta(a, b) + (WVec3{b[9], b[10], b[11]} - x.offset_a);
    for (int i = 0; i < 3; ++i) {
        const WVec3 column = {a[i], a[3 + i], a[6 + i]};
        for (int j = 0; j < 3; ++j) x.r[i][j] = dot(column, {b[j], b[3 + j], b[6 + j]});
    }
    x.t = {dot({a[0], a[3], a[6]}, x.delta), dot({a[1], a[4], a[7]}, x.delta), dot({a[2], a[5], a[8]}, x.delta)};
    WFloat e[4];
    load_rows4(HullRows{places, false}, e, 1);
    x.size_a = e[0];
    for (int k = 0; k < 3; ++k) x.ha[k] = e[1 + k];
    load_rows4(HullRows{places, true}, e, 1);
    x.size_b = e[0];
    for (int k = 0; k < 3; ++k) x.hb[k] = e[1 + k];
}

// The element of three that `which` (0, 1, 2) names.
LANEFOLD_INLINE WFloat choose(WMask is0, WMask is1, WFloat a, WFloat b, WFloat c) {
    return select(is0, a, select(is1, b, c));
}

LANEFOLD_INLINE WFloat sign_of(WFloat x) { return select(x < splat(0.0F), splat(-1.0F), splat(1.0F)); }

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
