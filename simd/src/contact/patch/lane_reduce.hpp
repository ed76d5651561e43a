// SPDX-License-Identifier: MIT
//
// Reduction of patch manifolds to four points, lanes = pairs, by the rule of geometry/patch.hpp; points have two
// coordinates in the contact plane.
#pragma once

#include <lanefold/detail/geometry/patch.hpp>

#include "record/lane_reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The places of the candidates relative to the middle of their extent, in turned axes.
struct LanePlan : geometry::InPlane<WFloat> {
    const LaneSpot* spots;
    WFloat half;

    LANEFOLD_INLINE LanePlan(const LaneSpot* s, WFloat h) : spots(s), half(h) {}
    LANEFOLD_INLINE LaneSpot place(const LanePoint*, int c) const { return spots[c]; }
    static LANEFOLD_INLINE LaneSpot plan_of(const LaneSpot& x) { return x; }
};

struct LanePatch : LaneCandidates<LanePoint, LanePlan, kMostCandidates> {
    using LaneCandidates::LaneCandidates;

    LANEFOLD_INLINE LanePatch none() const { return {points, used, *this}; }
    LANEFOLD_INLINE LaneSpot plan(int c) const { return spots[c]; }

    LANEFOLD_INLINE void spots_of(const LaneClipped& other, LaneSpot* out) const {
        for (int k = 0; k < 4; ++k) out[k] = {splat(0.0F), splat(0.0F)};
        WInt n(0);
        for (int c = 0; c < used; ++c) {
            for (int k = 0; k < 4; ++k) out[k] = select(other.taken[c] & (n == WInt(k)), spots[c], out[k]);
            n = n + select(other.taken[c], WInt(1), WInt(0));
        }
    }
    LANEFOLD_INLINE WFloat lowest() const {
        WFloat lowest(kHighest);
        for (int c = 0; c < used; ++c) lowest = select(taken[c], min(separation(c), lowest), lowest);
        return lowest;
    }
    LANEFOLD_INLINE WInt nearest(const LaneSpot& x) const {
        WFloat least(kHighest);
        WInt best(-1);
        for (int c = 0; c < used; ++c) {
            const WFloat d2 = square(spots[c] - x);
            const WMask better = taken[c] & (d2 < least);
            least = select(better, d2, least);
            best = select(better, WInt(c), best);
        }
        return best;
    }
    template <class Other>
    LANEFOLD_INLINE void replace(WMask m, const Other& other) {
        for (int c = 0; c < used; ++c) taken[c] = (m & other.taken[c]) | (~m & taken[c]);
    }
    LANEFOLD_INLINE void swap(WMask m, WInt out, const Winner& in) {
        for (int c = 0; c < used; ++c)
            taken[c] = (~m & taken[c]) | (m & ((taken[c] & ~(out == WInt(c))) | (in.step == WInt(c))));
    }
};

// Reduces the valid candidates of the crowded lanes to four. `mirrored`: lanes whose u axis is derived from the normal
// from B to A and so has the opposite direction. `slack`: see keep_patch(). The axes are those of
// contact/patch/reduce.hpp; only if |n.x| is exactly kFlatAxis, contact/lane_clip.hpp takes the other axis of the two.
inline void reduce_patch_lanes(LanePoint* p, int count, WMask crowded, WMask mirrored, WFloat slack) {
    LaneClipped by_spread(p, count);
    LaneSpot spots[kMostCandidates];
    for (int c = 0; c < count; ++c)
        spots[c] = geometry::turned<WFloat>({select(mirrored, negate(p[c].u), p[c].u), p[c].v});
    const auto extent = geometry::extent_of(by_spread, [&](int c) LANEFOLD_INLINE_LAMBDA { return spots[c]; });
    for (int c = 0; c < count; ++c) spots[c] = spots[c] - extent.middle;
    LanePatch kept(p, count, LanePlan(spots, extent.half));
    geometry::keep_patch(kept, by_spread, crowded, slack);
    for (int c = 0; c < count; ++c) p[c].valid = p[c].valid & (kept.taken[c] | ~crowded);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
