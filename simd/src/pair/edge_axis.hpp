// SPDX-License-Identifier: MIT
//
// The separating axis of two edges, lanes = pairs of edges.
#pragma once

#include <lanefold/detail/geometry/nearest.hpp>

#include "pair/tolerances.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// ea x eb or its opposite, whichever points from A to B, for edges whose arcs cross. All in A's frame; n0_a: the normal
// of the first face of A's edge.
LANEFOLD_INLINE WVec3 cross_towards_b(const WVec3& ea, const WVec3& n0_a, const WVec3& eb) {
    const WVec3 c = cross(ea, eb);
    return select(dot(n0_a, eb) < splat(0.0F), negate(c), c);
}

struct LaneEdgeAxis {
    WVec3 n;       // unit, from A to B
    WFloat value;  // separation of the two lines along n
};

// `c`: ea x eb or its opposite, whichever points from A to B.
LANEFOLD_INLINE LaneEdgeAxis edge_axis(const WVec3& c, const WVec3& ea, const WVec3& from_a_to_b) {
    // Rounding tilts c towards the edges by about 1e-7 / sin. Removing the component along ea corrects it against both
    // edges, because the tilt only matters where eb is almost parallel to ea.
    const WVec3 u = c - ea * (dot(c, ea) / dot(ea, ea));
    const WFloat length = sqrt(dot(u, u));
    LaneEdgeAxis r;
    r.n = {u.x / length, u.y / length, u.z / length};
    r.value = dot(r.n, from_a_to_b);
    return r;
}

using ClosestParameters = geometry::ClosestOnLines<WFloat>;

// d leads from A's point to B's.
LANEFOLD_INLINE ClosestParameters closest_parameters(const WVec3& ea, const WVec3& eb, const WVec3& d) {
    return geometry::closest_on_lines(geometry::EdgeProducts<WFloat>::of(ea, eb, d));
}

// Error bound of the members of ClosestParameters; see kParameterError.
LANEFOLD_INLINE WFloat parameter_error(const WVec3& ea, const WVec3& eb, WFloat size_sum) {
    const WFloat length_a = sqrt(dot(ea, ea));
    const WFloat length_b = sqrt(dot(eb, eb));
    return splat(kParameterError) * size_sum * (length_a * length_b) * (length_a + length_b);
}

// Whether the closest points are `value` apart along n. The axis of almost parallel edges can be the best one by
// rounding, while the closest points are anywhere along them. The float64 path then finds edges that do meet.
LANEFOLD_INLINE WMask edges_meet(const WVec3& from_a_to_b, const WVec3& n, WFloat value, WFloat size_sum) {
    const WVec3 miss = from_a_to_b - n * value;
    const WFloat allowed = size_sum * splat(kWitnessTolerance);
    return dot(miss, miss) <= allowed * allowed;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
