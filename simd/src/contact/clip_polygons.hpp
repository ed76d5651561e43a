// SPDX-License-Identifier: MIT
//
// Working memory of the contacts of general hulls. It is part of a chunk's scratch and holds no SIMD types.
#pragma once

#include "contact/patch/patch_sides.hpp"
#include "pair/rows.hpp"

namespace lanefold::detail {

// The two faces of a face contact.
struct alignas(32) FacePick {
    std::uint32_t slot;
    std::uint32_t incident_face;
    std::uint32_t reference_sides;
    std::uint32_t incident_sides;
    const float* polygon[2];  // of the reference and of the incident face, in the hulls' blocks
};
static_assert(sizeof(FacePick) == 32);

struct FacePicks {
    AlignedBuffer<FacePick> all;
    AlignedBuffer<FacePick> sorted;  // sorted by number of sides
};

// A polygon to clip; one extra entry closes the loop.
struct ClipPolygon {
    AlignedBuffer<float> x, y, z;         // vertices, A's frame
    AlignedBuffer<float> sx, sy, sz, so;  // side planes: unit inward normal and offset
    AlignedBuffer<std::uint32_t> vertex;  // canonical ids
    AlignedBuffer<std::uint32_t> edge;
    std::uint32_t count = 0;
};

// The points of a clip.
struct ClipPoints {
    AlignedBuffer<float> x, y, z;  // midpoints, A's frame
    AlignedBuffer<float> separation;
    AlignedBuffer<std::uint32_t> feature_a;  // feature numbers
    AlignedBuffer<std::uint32_t> feature_b;
    std::uint32_t count = 0;
};

// Contacts made one pair at a time: faces of many sides, and support patches.
struct ClipScratch {
    ClipPolygon reference;
    ClipPolygon incident;
    ClipPoints points;
    PatchScratch patch;
};

// Points of a manifold that waits for others. Faces of up to 16 sides have at most 32.
inline constexpr std::uint32_t kQueuedPoints = 64;

// A contact of large faces whose points are known.
struct alignas(64) QueuedContact {
    float outward[3];  // normal of the reference face, A's frame
    std::uint32_t points;
    std::uint32_t incident_face;
    std::uint32_t slot;
    std::uint32_t reserved[10];
    float x[kQueuedPoints], y[kQueuedPoints], z[kQueuedPoints];  // midpoints, A's frame
    float separation[kQueuedPoints];
    std::int32_t number[kQueuedPoints];  // of the pair of features
};

// Contacts of large faces that are reduced and written together.
struct LargeQueue {
    QueuedContact contact[kBlockLanes];
    std::uint32_t count = 0;
};

// Face contacts with hysteresis: the contacts of a list are made in up to three passes. A pair whose previous faces are
// nearly as good as the chosen ones goes from the first to the second; one whose clip does not give the contact there
// goes to the last.
enum class HoldPass : std::uint8_t { chosen, held, last };

// The picks of the later passes, and what was chosen without hysteresis, by slot.
struct HeldPicks {
    AlignedBuffer<FacePick> picks;
    AlignedBuffer<FacePick> last;
    AlignedBuffer<FacePick> chosen;
    AlignedBuffer<PairOptimum> optima;
    std::uint32_t count = 0;
    std::uint32_t count_last = 0;
    HoldPass pass = HoldPass::chosen;
};

struct ContactScratch {
    FacePicks picks;
    HeldPicks held;
    ClipScratch clip;
    LargeQueue queue = {};

    // Reserves memory for hulls of at most these counts.
    void reserve(std::size_t vertices, std::size_t faces);
};

}  // namespace lanefold::detail
