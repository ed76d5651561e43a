// SPDX-License-Identifier: MIT
//
// Rays: what a batch of them takes and returns (docs/between_frames.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <lanefold/collide_surface.hpp>
#include <lanefold/status.hpp>
#include <lanefold/surface.hpp>

namespace lanefold {

// The points origin + fraction * direction, fraction from 0 to 1, in world axes.
struct Ray {
    double origin[3];
    double direction[3];  // of a length between 1e-150 and 1e150
};

// The answer of a ray.
enum class RayState : std::uint8_t {
    miss = 0,
    hit = 1,
    inside = 2,  // it starts in a body: the lowest such one, at fraction 0
    failed = 3,  // not finite, or without a length: status bad_pose
};
inline constexpr std::size_t kRayStateCount = 4;

// A ray's record. Of a miss, a failed ray, and in mode any, all is zero but state, status and the fraction, which is 1.
// 40 bytes.
struct RayHit {
    double fraction;
    std::uint32_t body;     // behind the last body come the surfaces of the call, in their order
    std::uint32_t child;    // of a compound; 0 otherwise
    std::uint32_t feature;  // its number among the hull's (feature.hpp); of a surface the triangle; of `inside` 0
    float normal[3];        // unit, world axes, out of the body; of `inside` against the ray
    RayState state;
    Status status;
    std::uint8_t reserved[6];
};
static_assert(sizeof(RayHit) == 40 && std::is_trivially_copyable_v<RayHit>);

// The answer of a ray that meets several bodies, where it has one record.
enum class RayMode : std::uint8_t {
    first = 0,  // of the first one; of several at one fraction the lowest body, then child, then feature
    any = 1,    // whether there is one: it stops at once, as shadow rays want. `inside` counts as hit
};

// A surface where it is. pose.index is not read.
struct PlacedSurface {
    const Surface* surface = nullptr;
    SurfacePose pose;
};

// Settings and data of a call of rays, borrowed.
struct RayInputs {
    RayMode mode = RayMode::first;  // not for calls that give all hits
    // Surfaces besides the bodies. They are one-sided: a ray from behind passes.
    std::span<const PlacedSurface> surfaces = {};
    // Rays meet triangles of surfaces from behind, too. The normal is the triangle's outer one then as well.
    bool back_faces = false;
};

// Sums over the rays of a call.
struct [[nodiscard]] RayResult {
    CallStatus status;
    std::uint64_t by_state[kRayStateCount] = {};  // of rays, by their first record
    std::uint64_t left_out = 0;                   // bodies with a bad pose or hull, which no ray meets
    // Calls that give all hits: the records that all rays have, those written, and the first ray whose are not.
    std::uint64_t required = 0;
    std::uint64_t written = 0;
    std::uint64_t next_ray = 0;
};

}  // namespace lanefold
