// SPDX-License-Identifier: MIT
//
// Loads kWidth pairs of boxes at once, lanes = pairs. The internal frame of a box has its origin at the box's centre
// and its axes along the box's axes. So half extents describe a box completely.
#pragma once

#include "box/box_picks.hpp"
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

// Frames of kWidth bodies, with the parts of a LaneFrame. Every part is made where it is used, because g++ 12 needs a
// tenth more instructions if a whole LaneFrame is made first.
class BoxFrames {
public:
    LANEFOLD_INLINE explicit BoxFrames(const FrameRows& rows) { load_rows16(rows, number_); }

    // Row i of the rotation to world axes.
    LANEFOLD_INLINE WVec3 row(int i) const { return {number_[3 * i], number_[3 * i + 1], number_[3 * i + 2]}; }
    // Axis i of the box, in world axes.
    LANEFOLD_INLINE WVec3 axis(int i) const { return {number_[i], number_[3 + i], number_[6 + i]}; }
    // Vector from the body's position to the centre, world axes.
    LANEFOLD_INLINE WVec3 offset() const { return {number_[9], number_[10], number_[11]}; }
    LANEFOLD_INLINE WVec3 position() const { return {number_[12], number_[13], number_[14]}; }

private:
    WFloat number_[16];
};

// `places`, `pair`: those of kWidth pairs. `of_b`: lanes whose x.world is the rotation of B instead of A.
// `other_world`: receives the rotation of the other box, unless it is null.
LANEFOLD_INLINE void load_box_lanes(const ChunkJob& job, const PairPlaces* places, const std::uint32_t* pair,
                                    WMask of_b, BoxLanes& x, WVec3* other_world = nullptr) {
    const DoublePositions positions(job, pair);
    const BoxFrames a(FrameRows{places, false});
    const BoxFrames b(FrameRows{places, true});
    for (int k = 0; k < 3; ++k) x.world[k] = select(of_b, b.row(k), a.row(k));
    if (other_world != nullptr)
        for (int k = 0; k < 3; ++k) other_world[k] = select(of_b, a.row(k), b.row(k));
    x.offset_a = a.offset();
    x.delta = positions.between(a.position(), b.position()) + (b.offset() - x.offset_a);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) x.r[i][j] = dot(a.axis(i), b.axis(j));
    }
    x.t = {dot(a.axis(0), x.delta), dot(a.axis(1), x.delta), dot(a.axis(2), x.delta)};
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

// The sign of the outward normal of the face at this place in BoxMap.
LANEFOLD_INLINE WFloat sign_of_place(WInt place) {
    return select((place & WInt(1)) == WInt(0), splat(-1.0F), splat(1.0F));
}

LANEFOLD_INLINE WFloat sign_of(WFloat x) { return select(x < splat(0.0F), splat(-1.0F), splat(1.0F)); }

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
