// SPDX-License-Identifier: MIT
//
// A body prepared for the kernels: one cache line. Internal.
#pragma once

#include <cstdint>

namespace lanefold::detail {

// Values of BodyFrame::hull that stand for a status.
inline constexpr std::uint32_t kFrameBadPose = 0xFFFFFFFFU;
inline constexpr std::uint32_t kFrameBadHull = 0xFFFFFFFEU;
inline constexpr std::uint32_t kFirstBadFrame = 0xFFFFFFFEU;

struct alignas(64) BodyFrame {
    // From the internal frame to world axes, row-major: rotation(q / |q|) * box_rotation in float64, rounded once.
    float rotation[9];
    // From the body's position to the hull's centre, world axes: rotation(q / |q|) * centre in float64, rounded once.
    float offset[3];
    // The position, for float32 bodies; stages read float64 positions from the caller's memory.
    float position[3];
    std::uint32_t hull;
};
static_assert(sizeof(BodyFrame) == 64);

}  // namespace lanefold::detail
