// SPDX-License-Identifier: MIT
//
// The fall of one bin's bodies, by Bullet's rigid body dynamics. One bin is simulated by one thread, step by
// step, so the same input gives the same poses on one machine; bins can be simulated at the same time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <lanefold/hull_set.hpp>

#include "generate/layout.hpp"

namespace lanefold::tools {

// Kilograms per cubic metre: stone.
inline constexpr double kDensity = 2600;

// Length of a simulation step, in seconds. While a body moves fast, a step has several parts.
inline constexpr double kStep = 1.0 / 120;

struct FrameSchedule {
    std::uint32_t frames = 1;
    std::uint64_t last_step = 0;  // frame f is the state after (f + 1) * last_step / frames steps

    std::uint64_t step_of(std::uint32_t frame) const { return last_step * (frame + 1) / frames; }
};

// Seconds until a pile of bodies that start at this height is at rest.
double settling_time(double height);

// Poses of a bin's bodies, frame after frame: [frames][bodies].
struct Fall {
    std::vector<float> position;     // 3 each, in the world
    std::vector<float> orientation;  // 4 each, unit
    double fastest_at_end = 0;       // m/s
    std::uint32_t escaped = 0;       // bodies outside their bin at the end of any frame
};

// Calls advance(steps) after every few steps. If it returns false, the simulation ends early and the poses are
// incomplete.
Fall simulate(const Bin& bin, const HullSet& hulls, std::span<const std::uint32_t> body_hull,
              const FrameSchedule& schedule, const std::function<bool(std::uint64_t steps)>& advance);

}  // namespace lanefold::tools
