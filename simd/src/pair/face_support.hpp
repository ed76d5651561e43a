// SPDX-License-Identifier: MIT
//
// Evaluates one face of a pair of general hulls as an axis, by a full support of the other hull.
#pragma once

#include "pair/places.hpp"
#include "pair/point.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct FaceSupport {
    float separation;
    std::uint32_t vertex;  // support of the other hull
    Point normal;          // of the face, in the other hull's frame
};

// Face f of A, or if on_b of B. The hull must have it.
LANEFOLD_INLINE FaceSupport face_support(const ChunkJob& job, const PairRow& row, const InverseRow& inverse, bool on_b,
                                         std::uint32_t f) {
    const FaceHulls hulls = face_hulls(job, row, on_b ? 1 : 0);
    const HullFloats faces = hull_floats(*hulls.own);
    const Point n = face_normal(faces, f);
    const Point m = on_b ? rotate_to_a(row, n) : rotate_to_b(row, n);
    const Best lowest = support(hull_floats(*hulls.other), -m.x, -m.y, -m.z);
    const Point t = on_b ? origin_a(inverse) : origin_b(row);
    return {(dot(n, t) - face_offset(faces, f)) - lowest.value, lowest.index, m};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
