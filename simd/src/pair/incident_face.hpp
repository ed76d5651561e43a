// SPDX-License-Identifier: MIT
//
// The incident face of a face contact: among the faces around the support vertex the one most anti-parallel to the
// reference face; the lowest index on ties. The most anti-parallel of all faces could miss the deepest point.
#pragma once

#include "lanes/lowest_row.hpp"
#include "pair/lane_rows.hpp"
#include "pair/support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The faces around a vertex.
struct FacesAround {
    const std::uint16_t* face;
    std::uint32_t count;

    LANEFOLD_INLINE FacesAround(const std::uint16_t* vertex_first, const std::uint16_t* vertex_face)
        : face(vertex_face + vertex_first[0]), count(vertex_first[1] - std::uint32_t{vertex_first[0]}) {}
};

// The normal `n` of the reference face in the frame of the incident hull. `turn`: nine numbers, the rotation from that
// hull's frame.
LANEFOLD_INLINE Quad reference_normal(const float* turn, const float* n) {
    return transposed_times(turn, n[0], n[1], n[2]);
}

// `planes`: those of the incident hull. `normal`: of the reference face, in that hull's frame.
LANEFOLD_INLINE std::uint32_t incident_face(const FacesAround& around, const float* planes, Quad normal) {
    const float n[3] = {normal[0], normal[1], normal[2]};
    return lowest_row(planes, around.face, around.count, n);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
