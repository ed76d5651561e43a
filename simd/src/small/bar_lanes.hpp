// SPDX-License-Identifier: MIT
//
// Pairs of cores that are points or segments, lanes = pairs. Such a core is a bar: its middle, and the vector from
// there to its vertex 1, which is zero for a point. Everything is in world axes, about the middle of A, so no relative
// pose is needed: a bar needs the rotation and the position of its body's frame.
#pragma once

#include "pair/lane_rows.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct LaneBar {
    WVec3 half;    // from the middle to vertex 1
    WFloat round;  // the radius around the core
    WFloat size;   // with the radius
    WMask point;
};

// kWidth pairs of bars.
struct BarLanes {
    LaneBar a, b;
    WVec3 offset_a;  // from A's position to its middle
    WVec3 apart;     // from A's middle to B's
    WFloat size;     // of both
};

// The last two numbers of hull records: loops, round_radius.
static_assert(offsetof(HullRecord, round_radius) == offsetof(HullRecord, loops) + 4);
struct RadiusRows {
    const PairPlaces* places;
    bool of_b;

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const {
        return reinterpret_cast<const float*>(&(of_b ? places[l].hull_b : places[l].hull_a)->loops);
    }
};

// Half of the segment of a core in its own frame: the half extents with the signs in HullRecord::segment, the topmost
// byte of the word of flags.
static_assert(offsetof(HullRecord, segment) == offsetof(HullRecord, flags) + 3);
LANEFOLD_INLINE WVec3 signed_half(const LaneExtent& extent, WInt flags) {
    const WInt sign(static_cast<std::int32_t>(0x80000000U));
    const auto with = [&](WFloat h, WInt topmost)
                          LANEFOLD_INLINE_LAMBDA { return bit_cast_float(bit_cast_int(h) ^ (topmost & sign)); };
    return {with(extent.half[0], flags), with(extent.half[1], flags * WInt(2)), with(extent.half[2], flags * WInt(4))};
}

// `world`: the rows of the rotation to world axes.
LANEFOLD_INLINE LaneBar load_bar(const PairPlaces* places, bool of_b, const WVec3* world) {
    const WInt flags = LaneSize::load({places, of_b}).flags;
    const LaneExtent extent = LaneExtent::load({places, of_b});
    WFloat last[2];
    load_rows2(RadiusRows{places, of_b}, last);
    const WInt segment(static_cast<std::int32_t>(std::uint32_t{HullRecord::kSegment} << 24));
    return {rotate(world, signed_half(extent, flags)), last[1], extent.size + last[1], (flags & segment) == WInt(0)};
}

// `places`, `pair`: those of kWidth pairs.
LANEFOLD_INLINE BarLanes load_bars(const ChunkJob& job, const PairPlaces* places, const std::uint32_t* pair) {
    const DoublePositions positions(job, pair);
    const LaneFrame a = LaneFrame::load(FrameRows{places, false});
    const LaneFrame b = LaneFrame::load(FrameRows{places, true});
    BarLanes x;
    x.offset_a = a.world.t;
    x.apart = between_centres(a, b, positions);
    x.a = load_bar(places, false, a.world.r);
    x.b = load_bar(places, true, b.world.r);
    x.size = x.a.size + x.b.size;
    return x;
}

// The margins of kWidth pairs: without the radii, unlike those of other rounded hulls.
LANEFOLD_INLINE WFloat margins_of_bars(const ChunkJob& job, const std::uint32_t* pair) {
    return job.pair_margins == nullptr ? splat(job.margin) : load_margins(job, pair);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
