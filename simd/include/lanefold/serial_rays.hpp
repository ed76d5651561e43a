// SPDX-License-Identifier: MIT
//
// Rays against bodies: the first hit of each, on the calling thread. rays.hpp has the same call on all cores.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/serial_sweep.hpp>
#include <lanefold/status.hpp>

namespace lanefold {

// The points origin + fraction * direction, fraction from 0 to 1, in world axes.
struct Ray {
    double origin[3];
    double direction[3];
};

// The answer of a ray.
enum class RayState : std::uint8_t {
    miss = 0,
    hit = 1,
    inside = 2,  // it starts in a body: the lowest such one, at fraction 0
    failed = 3,  // not finite or without a length (status bad_pose); or it may have met a body that rays do not take
};
inline constexpr std::size_t kRayStateCount = 4;

// The record of a ray. Of a miss all is zero but fraction, which is 1. 40 bytes.
struct RayHit {
    double fraction;
    std::uint32_t body;  // of two that are hit at one fraction, the lower
    std::uint32_t face;  // of its hull, canonical; 0 for a sphere
    float normal[3];     // unit, world axes, out of the body
    RayState state;
    Status status;
    std::uint8_t reserved[10];
};
static_assert(sizeof(RayHit) == 40);

// Sums over the rays of a call.
struct [[nodiscard]] RayResult {
    CallStatus status;
    std::uint64_t by_state[kRayStateCount] = {};
    std::uint64_t left_out = 0;  // bodies with a bad pose or hull, which no ray meets
};

// Casts rays against all bodies. The point of a hit is within 2e-6 of the hull's size (of its distance from the ray's
// origin beyond float64's digits) of the surface. Sharp hulls and spheres are taken; a ray that comes to the bounding
// sphere of another shape before its first hit has failed. Refused with bad_argument: spans of different lengths, null
// with a length, bodies that are not aligned, a workspace in use or moved from.
LANEFOLD_EXPORT RayResult cast_rays_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays,
                                           std::span<RayHit> out, SweepWorkspace& workspace);

}  // namespace lanefold
