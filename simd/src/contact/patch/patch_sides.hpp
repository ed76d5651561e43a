// SPDX-License-Identifier: MIT
//
// Working memory of the patch contacts, one pair at a time. It is part of a chunk's scratch and holds no SIMD types.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/aligned_buffer.hpp>

namespace lanefold::detail {

// A vertex in the contact plane; height: along the outward direction of its hull.
struct PatchCorner {
    float u;
    float v;
    float height;
    std::uint32_t vertex;
};
static_assert(sizeof(PatchCorner) == 16);

// The support patch of one hull. Arrays are padded to whole vectors.
struct PatchSide {
    AlignedBuffer<std::uint32_t> vertex;  // vertices of the patch
    AlignedBuffer<float> x, y, z;         // their coordinates in the hull's frame
    AlignedBuffer<float> u, v, height;    // and in the contact plane's axes
    std::uint32_t count = 0;

    AlignedBuffer<PatchCorner> sorted;
    AlignedBuffer<PatchCorner> outline;            // counter-clockwise; one more entry closes it
    AlignedBuffer<float> out_u, out_v;             // the outline as columns, for lanes
    AlignedBuffer<float> side_u, side_v, side_at;  // unit inward normals of its sides, offsets
    std::uint32_t corners = 0;

    // Faces that can be over the patch: height (u, v) = c - p u - q v.
    AlignedBuffer<std::uint32_t> face;
    AlignedBuffer<float> nx, ny, nz, d;
    AlignedBuffer<float> p, q, c;
    std::uint32_t planes = 0;
    AlignedBuffer<std::uint32_t> seen;  // per face: the last patch that listed it
    std::uint32_t epoch = 0;

    float top = 0;               // height of the support
    std::uint32_t top_face = 0;  // the significant face
};

// The two sides of a patch, as indices.
inline constexpr std::uint32_t kReference = 0;
inline constexpr std::uint32_t kIncident = 1;

// Points of both patches, first with bounds of the heights, then with heights. Arrays are indexed by kReference and
// kIncident.
struct PatchPoints {
    AlignedBuffer<float> u, v;
    AlignedBuffer<float> low[2];              // the surface is at least this high
    AlignedBuffer<float> high[2];             // and at most this
    AlignedBuffer<std::uint32_t> feature[2];  // number of the vertex; kPatchFace: the face at the point
    AlignedBuffer<float> height[2];           // of the surface
    AlignedBuffer<std::int32_t> face[2];      // the face there
    std::uint32_t count = 0;
};
inline constexpr std::uint32_t kPatchFace = 0xFFFFFFFFU;

struct PatchScratch {
    PatchSide side[2];  // of kReference, of kIncident
    PatchPoints points;

    void reserve(std::size_t vertices, std::size_t faces);
};

}  // namespace lanefold::detail
