// SPDX-License-Identifier: MIT
//
// Closest points of two edges (C. Ericson, Real-Time Collision Detection, 2005, 5.1.8 and 5.1.9).
#pragma once

#include <lanefold/detail/geometry/number.hpp>

namespace lanefold::detail::geometry {

// The products that decide where two lines p + e * parameter come closest; d leads from A's point to B's.
template <class Number>
struct EdgeProducts {
    Number aa, ab, bb;  // of the directions
    Number da, db;      // of d with them

    template <class Vector>
    static LANEFOLD_INLINE EdgeProducts of(const Vector& ea, const Vector& eb, const Vector& d) {
        return {dot(ea, ea), dot(ea, eb), dot(eb, eb), dot(d, ea), dot(d, eb)};
    }
};

// The parameters as fractions of det, which is zero for parallel lines.
template <class Number>
struct ClosestOnLines {
    Number a, b;
    Number det;
};

template <class Number>
LANEFOLD_INLINE ClosestOnLines<Number> closest_on_lines(const EdgeProducts<Number>& p) {
    return {p.da * p.bb - p.db * p.ab, p.da * p.ab - p.db * p.aa, p.aa * p.bb - p.ab * p.ab};
}

// The parameters of the closest points of two edges, 0 to 1.
template <class Number>
struct ClosestOnEdges {
    Number a, b;
};

// `a`: the parameter of A's line, clamped, or any for parallel edges. The best parameter of B's line for it follows; if
// it has to be clamped, the best one of A's line for that.
template <class Number>
LANEFOLD_INLINE ClosestOnEdges<Number> closest_on_edges(const EdgeProducts<Number>& p, Number a) {
    const Number free = (p.ab * a - p.db) / p.bb;
    const Number b = clamp01(free);
    return {select(free == b, a, clamp01((p.da + p.ab * b) / p.aa)), b};
}

}  // namespace lanefold::detail::geometry
