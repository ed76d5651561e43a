// SPDX-License-Identifier: MIT
//
// Working memory of box pairs. It is part of a chunk's scratch and holds no SIMD types.
#pragma once

#include <lanefold/detail/hull_block.hpp>

#include "pair/rows.hpp"

namespace lanefold::detail {

// A touching pair of boxes whose contact is to be made.
struct BoxPick {
    static constexpr std::int32_t kCodeMask = 15;  // of the best face axis, and of the edge axes after their shift
    static constexpr int kEdgeShift = 4;
    static constexpr std::int32_t kHasEdge = 1 << 8;   // an edge axis is better than the best face axis
    static constexpr std::int32_t kFaceWins = 1 << 9;  // the face gives the manifold, by preference or as the best axis
    static constexpr std::int32_t kUnproven = 1 << 10;  // apart: the optimum is not yet proven to be the distance
    static constexpr std::int32_t kCrowded = 1 << 11;   // the clip has more points than the record holds
    static constexpr std::int32_t kEmpty = 1 << 12;     // the clip has no point over the reference face
    static constexpr std::int32_t kNearest = 1 << 13;   // the optimum is the distance of the closest points
    // Hysteresis (box_hold.hpp): the clip is that of the previous faces; or it has been decided for this pick.
    static constexpr std::int32_t kHeld = 1 << 14;
    static constexpr std::int32_t kFinal = 1 << 15;
    // Held picks have the places of the faces in BoxMap, the box with the reference face, and the list to which the
    // pick goes back if their clip does not give the contact.
    static constexpr int kReferenceShift = 16;
    static constexpr int kOnBShift = 19;
    static constexpr int kIncidentShift = 20;
    static constexpr std::int32_t kPlaceMask = 7;
    static constexpr std::int32_t kNoFace = 6;
    static constexpr std::int32_t kFromEdges = 1 << 23;
    static constexpr std::int32_t kFromNearest = 1 << 24;
    static constexpr std::int32_t kSameReference = 1 << 25;  // only the incident face differs from the chosen one

    std::uint32_t place;  // in the list of box pairs
    float optimum;
    std::int32_t codes;  // best face axis (0..2 of A, 3..5 of B), best edge axes (3 i + j) from kEdgeShift on, flags
    float margin;
};

// A list of picks by columns, with room for a vector behind its end. Codes behind the end are zero or those of some
// pick.
struct BoxPicks {
    AlignedBuffer<std::uint32_t> place;
    AlignedBuffer<float> optimum;
    AlignedBuffer<std::int32_t> codes;
    AlignedBuffer<float> margin;
    std::uint32_t count = 0;
    std::uint32_t done = 0;  // so many of them, the first ones, have had their pass

    void clear() { count = done = 0; }
    void reserve(std::size_t n) {
        place.reserve(n);
        optimum.reserve(n);
        codes.reserve(n);
        margin.reserve(n);
    }
    BoxPick operator[](std::uint32_t k) const { return {place[k], optimum[k], codes[k], margin[k]}; }
    void push(const BoxPick& p) {
        place[count] = p.place;
        optimum[count] = p.optimum;
        codes[count] = p.codes;
        margin[count] = p.margin;
        ++count;
    }
};

// Box pairs that no face axis separates, to be tested by the edge axes. They are those of one group of the list, so
// they stay in L1.
inline constexpr std::uint32_t kBoxGroup = 256;
struct alignas(64) BoxSurvivors {
    float r[3][3][kBoxGroup + kBlockLanes];  // as in BoxLanes
    float t[3][kBoxGroup + kBlockLanes];
    float ha[3][kBoxGroup + kBlockLanes];
    float hb[3][kBoxGroup + kBlockLanes];
    float band[kBoxGroup + kBlockLanes];  // face preference as a length
    float face_value[kBoxGroup + kBlockLanes];
    float margin[kBoxGroup + kBlockLanes];
    std::int32_t face_code[kBoxGroup + kBlockLanes];
    std::uint32_t place[kBoxGroup + kBlockLanes];
    std::uint32_t count;
};

struct BoxScratch {
    BoxSurvivors survivors = {};
    BoxPicks faces;
    BoxPicks edges;
    BoxPicks nearest;  // apart, and no axis proves the distance

    void reserve() {
        // A pick can move from edges to faces or back, from both to the closest points, from these to the faces and
        // back again, each once. A crowded face contact can be appended to its own list once, closest points each time.
        // Hysteresis appends a pick to the faces once more, crowded or not, and takes it back to its list once.
        faces.reserve(6 * kListRoom);
        edges.reserve(3 * kListRoom);
        nearest.reserve(6 * kListRoom);
    }
};

}  // namespace lanefold::detail
