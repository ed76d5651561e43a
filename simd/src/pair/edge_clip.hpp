// SPDX-License-Identifier: MIT
//
// Parametric clipping of edges by the sides of a convex outline, lanes = edges (M. Cyrus and J. Beck, "Generalized two-
// and three-dimensional clipping", 1978): which part of each edge is left, and which sides cut it.
#pragma once

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct EdgeClip {
    WFloat t_in = splat(0.0F);
    WFloat t_out = splat(1.0F);
    WInt side_in = WInt(0);  // meaningful where out0, side_out where out1
    WInt side_out = WInt(0);
    WMask out0 = no_lanes();    // lanes whose first end is outside of some side
    WMask out1 = no_lanes();    // lanes whose second end is
    WMask culled = no_lanes();  // lanes whose ends are both outside of one side

    // d0, d1: distances of the two ends from side j, positive inside. An end is outside below `outside`. Of equal cuts
    // the first side wins.
    LANEFOLD_INLINE void by_side(std::uint32_t j, WFloat d0, WFloat d1, WFloat outside) {
        const WMask o0 = d0 < outside;
        const WMask o1 = d1 < outside;
        const WFloat t = d0 / (d0 - d1);
        const WMask entering = o0 & ~o1 & (t > t_in);
        const WMask leaving = ~o0 & o1 & (t < t_out);
        t_in = select(entering, t, t_in);
        side_in = select(entering, WInt(static_cast<std::int32_t>(j)), side_in);
        t_out = select(leaving, t, t_out);
        side_out = select(leaving, WInt(static_cast<std::int32_t>(j)), side_out);
        out0 = out0 | o0;
        out1 = out1 | o1;
        culled = culled | (o0 & o1);
    }

    // Lanes whose edge has a part left.
    LANEFOLD_INLINE std::uint32_t through() const { return bits((t_in < t_out) & ~culled); }
    // The cut parameters, clamped to the edge. If an end is beyond a side by less than the tolerance, the cut may lie
    // slightly beyond that end.
    LANEFOLD_INLINE WFloat clamped_in() const { return clamp01(t_in); }
    LANEFOLD_INLINE WFloat clamped_out() const { return clamp01(t_out); }
};

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
