// SPDX-License-Identifier: MIT
//
// Loads kWidth pairs of boxes at once, lanes = pairs. The internal frame of a box has its origin at the box's centre
// and its axes along the box's axes. So half extents describe a box completely.
#pragma once

#include "box/scratch.hpp"
#include "pair/lane_rows.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct BoxLanes {
    WVec3 world[3];  // rows of the rotation to world axes, of one of the two boxes
    WVec3 offset_a;  // from A's position to its centre, world axes
    WVec3 delta;     // from A's centre to B's, world axes
    WFloat r[3][3];  // rotation of B in A's frame
    WVec3 t;
    WFloat ha[3];  // half extents of A, then of B
    WFloat hb[3];
    WFloat size_a;
    WFloat size_b;

    // Axis j of B.
    LANEFOLD_INLINE WVec3 column(int j) const { return {r[0][j], r[1][j], r[2][j]}; }
};

// kWidth box pairs that do not follow one another in the list.
struct BoxPlaces {
    PairPlaces places[kWidth];
    std::uint32_t pair[kWidth];  // index in the chunk

    // Takes the pairs at places at[0 .. lanes - 1] of the list. Lanes behind them repeat the first; `at` has room for
    // that.
    LANEFOLD_INLINE void set(const PairList& list, std::uint32_t* at, std::uint32_t lanes) {
        for (std::uint32_t l = lanes; l < kWidth; ++l) at[l] = at[0];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const std::uint32_t place = at[l];
            places[l] = list.places[place];
            pair[l] = list.pair[place];
        }
    }
};

// `places`, `pair`: those of kWidth pairs. `of_b`: lanes whose x.world is the rotation of B instead of A.
LANEFOLD_INLINE void load_box_lanes(const ChunkJob& job, const PairPlaces* places, const std::uint32_t* pair,
                                    WMask of_b, BoxLanes& x) {
    const DoublePositions positions(job, pair);
    // Frames as plain arrays: with LaneFrame g++ 12 emits a tenth more instructions.
    WFloat a[16];
    WFloat b[16];
    load_rows16(FrameRows{places, false}, a);
    load_rows16(FrameRows{places, true}, b);
    for (int k = 0; k < 3; ++k) x.world[k] = select(of_b, pose_of(b).r[k], pose_of(a).r[k]);
    x.offset_a = {a[9], a[10], a[11]};
    x.delta =
        positions.between({a[12], a[13], a[14]}, {b[12], b[13], b[14]}) + (WVec3{b[9], b[10], b[11]} - x.offset_a);
    for (int i = 0; i < 3; ++i) {
        const WVec3 column = {a[i], a[3 + i], a[6 + i]};
        for (int j = 0; j < 3; ++j) x.r[i][j] = dot(column, {b[j], b[3 + j], b[6 + j]});
    }
    x.t = {dot({a[0], a[3], a[6]}, x.delta), dot({a[1], a[4], a[7]}, x.delta), dot({a[2], a[5], a[8]}, x.delta)};
    const LaneExtent extent_a = LaneExtent::load({places, false});
    const LaneExtent extent_b = LaneExtent::load({places, true});
    x.size_a = extent_a.size;
    x.size_b = extent_b.size;
    for (int k = 0; k < 3; ++k) {
        x.ha[k] = extent_a.half[k];
        x.hb[k] = extent_b.half[k];
    }
}

// One of the three axes of a box, in each lane.
struct BoxAxis {
    WMask is0, is1;

    LANEFOLD_INLINE static BoxAxis of(WInt index) { return {index == WInt(0), index == WInt(1)}; }
    // Selects one of three things that belong to axes 0, 1 and 2.
    template <class T>
    LANEFOLD_INLINE T choose(const T& a, const T& b, const T& c) const {
        return select(is0, a, select(is1, b, c));
    }
    // The components of v in the order: the next axis, the one after it, this axis.
    LANEFOLD_INLINE WVec3 last(const WVec3& v) const {
        return {choose(v.y, v.z, v.x), choose(v.z, v.x, v.y), choose(v.x, v.y, v.z)};
    }
    // Place of a face in BoxMap: 2 axis + 1 if its outward normal has a positive sign.
    LANEFOLD_INLINE WInt face(WFloat sign) const {
        return choose(WInt(0), WInt(2), WInt(4)) + select(sign > splat(0.0F), WInt(1), WInt(0));
    }
};

LANEFOLD_INLINE WFloat sign_of(WFloat x) { return select(x < splat(0.0F), splat(-1.0F), splat(1.0F)); }

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
