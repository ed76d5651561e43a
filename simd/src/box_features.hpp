// SPDX-License-Identifier: MIT
//
// Names of a box's features in its internal frame, and their canonical numbers (BoxMap says how they are packed).
#pragma once

#include <lanefold/detail/hull_block.hpp>

#include "box_pose.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline constexpr std::uint32_t kBoxFeatures = 26;

// `extents`: as BoxList has them.
LANEFOLD_INLINE const BoxMap& box_map(const float* extents) {
    const auto& h =
        *reinterpret_cast<const HullRecord*>(reinterpret_cast<const std::byte*>(extents) - offsetof(HullRecord, size));
    // The map's place is a constant: what turned boxes have besides lies behind it.
    return *reinterpret_cast<const BoxMap*>(h.block + kBoxLayout.box_map);
}

// The packed numbers of a reference and an incident face, lanes = pairs. A pair of features is one integer below 1024:
// the incident box's number, plus 32 times the reference box's.
struct BoxFaceNumbers {
    WInt reference_corners;
    WInt reference_sides;
    WInt incident_corners;
    WInt incident_sides;

    static LANEFOLD_INLINE WInt incident(WInt packed, std::uint32_t place) {
        return shift_right_logical(packed, static_cast<int>(BoxMap::shift(place))) & WInt(31);
    }
    static LANEFOLD_INLINE WInt reference(WInt packed, std::uint32_t place) {
        return shift_right_logical(packed, static_cast<int>(BoxMap::shift(place)) - 5) & WInt(31 * 32);
    }
    LANEFOLD_INLINE WInt incident_face() const { return incident(incident_corners, BoxMap::kOwn); }
    LANEFOLD_INLINE WInt reference_face() const { return reference(reference_corners, BoxMap::kOwn); }
};

// Faces by place (2 axis + positive) of each lane's two boxes.
LANEFOLD_INLINE void load_face_numbers(const BoxRows& rows, std::uint32_t on_b, WInt reference, WInt incident,
                                       BoxFaceNumbers& out) {
    alignas(64) std::int32_t at_reference[kWidth], at_incident[kWidth];
    alignas(64) std::int32_t packed[4][kWidth];
    reference.storeu(at_reference);
    incident.storeu(at_incident);
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const bool swapped = ((on_b >> l) & 1U) != 0;
        const BoxMap& r = box_map(swapped ? rows.extents_b[l] : rows.extents_a[l]);
        const BoxMap& i = box_map(swapped ? rows.extents_a[l] : rows.extents_b[l]);
        packed[0][l] = static_cast<std::int32_t>(r.corners[at_reference[l]]);
        packed[1][l] = static_cast<std::int32_t>(r.sides[at_reference[l]]);
        packed[2][l] = static_cast<std::int32_t>(i.corners[at_incident[l]]);
        packed[3][l] = static_cast<std::int32_t>(i.sides[at_incident[l]]);
    }
    out = {WInt::loadu(packed[0]), WInt::loadu(packed[1]), WInt::loadu(packed[2]), WInt::loadu(packed[3])};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
