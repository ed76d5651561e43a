// SPDX-License-Identifier: MIT
//
// An event: one contact of two bodies, from its begin to its end.
#pragma once

#include <cstdint>

#include <lanefold/body.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::tools {

// Flags of an event.
inline constexpr std::uint8_t kEventTouchedBefore = 1;  // touching in the first frame that is known: no begin was seen
inline constexpr std::uint8_t kEventLasts = 2;          // touching in the last frame that is known: no end was seen
inline constexpr std::uint8_t kEventBetween = 4;        // begins and ends between two frames: no frame shows it
inline constexpr std::uint8_t kEventCut = 8;            // a body vanished, or the frames that follow are missing
inline constexpr std::uint8_t kEventBounce = 16;        // an estimate: the poses do not show that the two touch

// Speeds are in the scene's unit a second, impulses in kg times that.
struct Event {
    double begin = 0;  // frame and fraction
    double end = 0;
    Vec3d place;             // where it begins, world
    float normal[3] = {};    // unit, from a to b
    float closing = 0;       // speed at the begin, above 0: they close in
    float sliding = 0;       // beside the normal
    float impulse = 0;       // from the frame before the begin to the one after it
    float impulse_peak = 0;  // largest of a frame interval
    float impulse_sum = 0;   // over the contact's life
    float slip = 0;          // way that the bodies slid on each other, scene's unit
    Pair pair{};             // a < b
    std::uint8_t flags = 0;  // kEvent...
};

}  // namespace lanefold::tools
