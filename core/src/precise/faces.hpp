// SPDX-License-Identifier: MIT
//
// Search for the best face axis.
#pragma once

#include <cstdint>

#include "precise/memory.hpp"
#include "precise/problem.hpp"

namespace lanefold::detail {

// An axis of a face. `normal` is the outward unit normal in the local frame of the hull that has the face.
struct FaceAxis {
    bool on_b = false;
    std::uint32_t facet = kNoIndex;
    Vec3d normal;
    double offset = 0;  // support of the face's hull along normal
    double separation = 0;
    std::uint32_t own = 0;      // vertex of the face's hull at the offset
    std::uint32_t support = 0;  // vertex of the other hull furthest against the normal
};

// Finds the best face axis of both hulls. Returns false if some axis separates the hulls by more than the margin.
bool search_faces(Problem& p, PreciseScratch::Impl& memory, FaceAxis& best);
// The axis from A to B, local A.
inline Vec3d axis_normal(const Problem& p, const FaceAxis& axis) {
    return axis.on_b ? -(p.from_b.rotation * axis.normal) : axis.normal;
}
// Evaluates one facet's axis with full supports.
FaceAxis evaluate_facet(const Problem& p, bool on_b, std::uint32_t facet);

}  // namespace lanefold::detail
