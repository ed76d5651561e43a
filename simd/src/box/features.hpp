// SPDX-License-Identifier: MIT
//
// Names of a box's features in its internal frame, and their canonical numbers. BoxMap says how the numbers are packed.
#pragma once

#include <lanefold/detail/hull_block.hpp>

#include "box/box_pose.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// A box has 6 faces, 12 edges and 8 vertices, numbered in this order.
inline constexpr std::int32_t kBoxFaces = 6;
inline constexpr std::int32_t kBoxEdges = 12;
inline constexpr std::int32_t kBoxFeatures = 26;

// BoxMap's numbers of a face's corners in the order -a-b, +a-b, +a+b, -a+b, where a and b are its half sides.
inline constexpr std::uint32_t kCornerInLoop[4] = {0, 1, 3, 2};

LANEFOLD_INLINE const BoxMap& box_map(const HullRecord* h) {
    // The place of the map is a constant: the sections that only turned boxes have come after it.
    return *reinterpret_cast<const BoxMap*>(h->block + kBoxLayout.box_map);
}

// The packed numbers of a reference and an incident face, lanes = pairs. A pair of features is one integer: the
// incident box's number in the lowest BoxMap::kBits bits, and the reference box's in the next ones.
struct BoxFaceNumbers {
    WInt reference_corners;
    WInt reference_sides;
    WInt incident_corners;
    WInt incident_sides;

    static constexpr int kBits = static_cast<int>(BoxMap::kBits);
    static constexpr auto kMask = static_cast<std::int32_t>(BoxMap::kMask);

    static LANEFOLD_INLINE WInt incident(WInt packed, std::uint32_t place) {
        return shift_right_logical(packed, static_cast<int>(BoxMap::shift(place))) & WInt(kMask);
    }
    static LANEFOLD_INLINE WInt reference(WInt packed, std::uint32_t place) {
        return shift_right_logical(packed, static_cast<int>(BoxMap::shift(place)) - kBits) & WInt(kMask << kBits);
    }
    // The two halves of a pair of features.
    static LANEFOLD_INLINE WInt incident_of(WInt features) { return features & WInt(kMask); }
    static LANEFOLD_INLINE WInt reference_of(WInt features) { return shift_right_logical(features, kBits); }
    LANEFOLD_INLINE WInt incident_face() const { return incident(incident_corners, BoxMap::kOwn); }
    LANEFOLD_INLINE WInt reference_face() const { return reference(reference_corners, BoxMap::kOwn); }
};

// The numbers of one face of kWidth boxes as rows for load_rows2().
struct BoxFaceRows {
    const HullRecord* const* hulls;
    const std::uint32_t* place;  // 2 axis + positive

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const {
        return reinterpret_cast<const float*>(box_map(hulls[l]).faces + place[l]);
    }
};

// BoxMap::Face.
static_assert(offsetof(BoxMap::Face, corners) == 0 && offsetof(BoxMap::Face, sides) == 4);
struct LaneBoxFace {
    WInt corners, sides;

    LANEFOLD_INLINE static LaneBoxFace load(const BoxFaceRows& rows) {
        WFloat q[2];
        load_rows2(rows, q);
        return {bit_cast_int(q[0]), bit_cast_int(q[1])};
    }
};

// Loads the numbers of the reference and the incident face of each lane. `reference`, `incident`: places of the faces
// in BoxMap.
LANEFOLD_INLINE void load_face_numbers(const PairPlaces* places, std::uint32_t on_b, WInt reference, WInt incident,
                                       BoxFaceNumbers& out) {
    alignas(64) std::uint32_t at_reference[kWidth], at_incident[kWidth];
    store_indices(reference, at_reference);
    store_indices(incident, at_incident);
    const HullRecord* of_reference[kWidth];
    const HullRecord* of_incident[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const bool swapped = bit_at(on_b, l);
        of_reference[l] = swapped ? places[l].hull_b : places[l].hull_a;
        of_incident[l] = swapped ? places[l].hull_a : places[l].hull_b;
    }
    const LaneBoxFace r = LaneBoxFace::load({of_reference, at_reference});
    const LaneBoxFace i = LaneBoxFace::load({of_incident, at_incident});
    out = {r.corners, r.sides, i.corners, i.sides};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
