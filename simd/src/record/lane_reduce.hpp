// SPDX-License-Identifier: MIT
//
// Reduction of contact candidates to four by spread, lanes = pairs. Points have two coordinates in the contact plane,
// and masks replace indices.
#pragma once

#include <lanefold/detail/geometry/spread.hpp>

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Largest number of candidates of a lane: a clip of faces of eight sides has up to 24.
inline constexpr int kMostCandidates = 24;

// A place in the contact plane.
using LaneSpot = geometry::Planar<WFloat>;

// One candidate of kWidth pairs.
struct LanePoint {
    WFloat u, v;  // contact plane
    WFloat separation;
    WMask valid;
};

// The candidates of kWidth manifolds as a set of geometry/spread.hpp, of which four are kept. `Plane` says where they
// are. `index`: those that are taken, in this order; `taken`: the same as a mask for each of up to kMasks candidates.
// Without masks each scan compares the indices, which is less work for many candidates.
template <class Candidate, class Plane, int kMasks>
struct LaneCandidates : Plane {
    using Number = WFloat;
    using Index = WInt;
    using Spot = typename Plane::Spot;
    using Winner = geometry::Winner<WFloat, WInt, Spot>;
    static constexpr int kStep = 1;
    static constexpr bool kFour = true;

    const Candidate* points;
    int used;
    WInt index[4];
    int count = 0;
    WMask taken[kMasks > 0 ? static_cast<std::size_t>(kMasks) : 1];

    LANEFOLD_INLINE LaneCandidates(const Candidate* p, int size, const Plane& plane = {})
        : Plane(plane), points(p), used(size) {
        for (int c = 0; kMasks > 0 && c < used; ++c) taken[c] = no_lanes();
    }
    static constexpr int capacity() { return 4; }
    LANEFOLD_INLINE int size() const { return used; }
    LANEFOLD_INLINE Spot at(int c) const { return Plane::place(points, c); }
    LANEFOLD_INLINE WFloat separation(int c) const { return points[c].separation; }
    LANEFOLD_INLINE WMask exists(int c) const { return points[c].valid; }
    LANEFOLD_INLINE WMask open(int c) const {
        if constexpr (kMasks > 0) return points[c].valid & ~taken[c];
        WMask m = points[c].valid;
        for (int k = 0; k < count; ++k) m = m & ~(index[k] == WInt(c));
        return m;
    }
    LANEFOLD_INLINE Spot take(const Winner& winner) {
        for (int c = 0; kMasks > 0 && c < used; ++c) taken[c] = taken[c] | (winner.step == WInt(c));
        index[count++] = winner.step;
        return winner.spot;
    }
    LANEFOLD_INLINE Spot take_same(const Winner& winner) {
        Spot spot = at(0);
        for (int c = 1; c < used; ++c) spot = select(winner.step == WInt(c), at(c), spot);
        return take({winner.value, winner.step, spot});
    }
    static LANEFOLD_INLINE WFloat least(WFloat x) { return x; }
    static LANEFOLD_INLINE WFloat most(WFloat x) { return x; }
};

// The candidates of a clip where they are in the contact plane.
struct LanePlaces : geometry::InPlane<WFloat> {
    static LANEFOLD_INLINE LaneSpot place(const LanePoint* points, int c) { return {points[c].u, points[c].v}; }
};
using LaneClipped = LaneCandidates<LanePoint, LanePlaces, kMostCandidates>;

// Reduces the valid candidates of the crowded lanes to four. Other lanes keep all.
inline void reduce_lanes(LanePoint* p, int count, WMask crowded) {
    LaneClipped kept(p, count);
    geometry::take_by_spread(kept, kept.take(geometry::deepest_of(kept)));
    for (int c = 0; c < count; ++c) p[c].valid = p[c].valid & (kept.taken[c] | ~crowded);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
