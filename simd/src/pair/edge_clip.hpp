// SPDX-License-Identifier: MIT
//
// Clipping of edges by the sides of a convex outline, lanes = edges.
#pragma once

#include <lanefold/detail/geometry/edge_clip.hpp>

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct EdgeClip : geometry::EdgeClip<WFloat, WMask, WInt> {
    WMask out0 = no_lanes();  // lanes whose first end is outside of some side
    WMask out1 = no_lanes();  // lanes whose second end is

    LANEFOLD_INLINE EdgeClip() : geometry::EdgeClip<WFloat, WMask, WInt>(WInt(0)) {}

    // d0, d1: distances of the two ends from side j, positive inside. An end is outside below `outside`.
    LANEFOLD_INLINE void by_side(std::uint32_t j, WFloat d0, WFloat d1, WFloat outside) {
        const WMask o0 = d0 < outside;
        const WMask o1 = d1 < outside;
        geometry::EdgeClip<WFloat, WMask, WInt>::by_side(WInt(static_cast<std::int32_t>(j)), d0, d1, o0, o1);
        out0 = out0 | o0;
        out1 = out1 | o1;
    }
};

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
