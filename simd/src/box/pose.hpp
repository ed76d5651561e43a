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
    const LaneFrame a = LaneFrame::load(FrameRows{places, false});
    const LaneFrame b = LaneFrame::load(FrameRows{places, true});
    for (int k = 0; k < 3; ++k) {
        const WVec3 row = select(of_b, b.world.r[k], a.world.r[k]);
        x.world[3 * k] = row.x;
        x.world[3 * k + 1] = row.y;
        x.world[3 * k + 2] = row.z;
    }
    x.offset_a = a.world.t;
    x.delta = between_centres(a, b, positions);
    const LanePose to_a = relative_pose(a, b, x.delta);
    for (int k = 0; k < 3; ++k) {
        x.r[k][0] = to_a.r[k].x;
        x.r[k][1] = to_a.r[k].y;
        x.r[k][2] = to_a.r[k].z;
    }
    x.t = to_a.t;
    const LaneExtent extent_a = LaneExtent::load({places, false});
    const LaneExtent extent_b = LaneExtent::load({places, true});
    x.size_a = extent_a.size;
    x.size_b = extent_b.size;
    for (int k = 0; k < 3; ++k) {
        x.ha[k] = extent_a.half[k];
        x.hb[k] = extent_b.half[k];
    }
}

// The element of three that `which` (0, 1, 2) names.
LANEFOLD_INLINE WFloat choose(WMask is0, WMask is1, WFloat a, WFloat b, WFloat c) {
    return select(is0, a, select(is1, b, c));
}

LANEFOLD_INLINE WFloat sign_of(WFloat x) { return select(x < splat(0.0F), splat(-1.0F), splat(1.0F)); }

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
