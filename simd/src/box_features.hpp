// SPDX-License-Identifier: MIT
//
// Names of a box's features in its internal frame, and their canonical numbers (BoxMap).
//
// A face is 2 axis + (1 if its outward normal is positive). Its rectangle spans u = axis + 1 and v = axis + 2
// (modulo 3). Corner of a face: bit 0 = u positive, bit 1 = v positive. Side of a face: 0 u+, 1 u-, 2 v+, 3 v-.
#pragma once

#include <lanefold/detail/hull_block.hpp>

#include "support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE const BoxMap& box_map(const HullRecord& h) {
    // Boxes have 8 vertices, 6 faces, 12 edges: the place is a constant.
    constexpr HullLayout kLayout = hull_layout(8, 6, 12, HullRecord::kBox);
    return *reinterpret_cast<const BoxMap*>(h.block + kLayout.box_map);
}

LANEFOLD_INLINE std::uint32_t next_axis(std::uint32_t axis) { return axis == 2 ? 0 : axis + 1; }

// Bits of the corner of the box (x, y, z positive).
LANEFOLD_INLINE std::uint32_t face_corner(std::uint32_t face, std::uint32_t corner) {
    const std::uint32_t axis = face >> 1;
    const std::uint32_t u = next_axis(axis);
    const std::uint32_t v = next_axis(u);
    return ((face & 1U) << axis) | ((corner & 1U) << u) | ((corner >> 1) << v);
}

// Edge 4 axis + s_(axis + 1) + 2 s_(axis + 2) along one side of a face.
LANEFOLD_INLINE std::uint32_t face_side(std::uint32_t face, std::uint32_t side) {
    const std::uint32_t axis = face >> 1;
    const std::uint32_t positive = face & 1U;
    const std::uint32_t side_positive = (side & 1U) ^ 1U;
    const std::uint32_t u = next_axis(axis);
    const std::uint32_t v = next_axis(u);
    // The side at u = +-: along v, whose next axes are `axis` and u. At v = +-: along u, next v and `axis`.
    if (side < 2) return 4 * v + positive + 2 * side_positive;
    return 4 * u + side_positive + 2 * positive;
}

// Canonical feature numbers (faces, then 12 edges, then vertices).
LANEFOLD_INLINE std::uint32_t face_number(const BoxMap& m, std::uint32_t face) { return m.face[face]; }
LANEFOLD_INLINE std::uint32_t edge_number(const BoxMap& m, std::uint32_t edge) { return 6U + m.edge[edge]; }
LANEFOLD_INLINE std::uint32_t vertex_number(const BoxMap& m, std::uint32_t corner) { return 18U + m.vertex[corner]; }
inline constexpr std::uint32_t kBoxFeatures = 26;

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
