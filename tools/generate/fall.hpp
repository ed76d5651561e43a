// SPDX-License-Identifier: MIT
//
// The fall of one bin's bodies, by lanefold's own solver or by Bullet. Bins do not touch, so they can be simulated at
// the same time. Lanefold's poses are the same bytes on every machine; Bullet's on one, because a bin has one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>

#include "generate/layout.hpp"

namespace lanefold::tools {

enum class FallEngine : std::uint8_t { lanefold, bullet };

std::optional<FallEngine> parse_fall_engine(std::string_view name);
const char* to_string(FallEngine engine);

// Kilograms per cubic metre: stone.
inline constexpr double kDensity = 2600;
inline constexpr double kGravity = 9.81;
inline constexpr float kFriction = 0.6F;
// Share of the speed lost to the air within a second. Limits the fall to about 7 m/s and calms the pile.
inline constexpr double kLinearDamping = 0.75;
inline constexpr double kAngularDamping = 0.5;

// Length of a simulation step, in seconds. While something falls fast, Bullet's is made in several parts; lanefold's
// always is.
inline constexpr double kStep = 1.0 / 120;

struct FrameSchedule {
    std::uint32_t frames = 1;
    std::uint64_t last_step = 0;  // frame f is the state after (f + 1) * last_step / frames steps

    std::uint64_t step_of(std::uint32_t frame) const { return last_step * (frame + 1) / frames; }
    // Frames a second: a frame is the last step before its time, or at it.
    double rate() const { return frames / (static_cast<double>(last_step) * kStep); }
};

// Seconds until a pile that starts this high is at rest.
double settling_time(double height);

// Poses of a bin's bodies, frame after frame: [frames][bodies].
struct Fall {
    std::vector<float> position;     // 3 each, in the world
    std::vector<float> orientation;  // 4 each, unit
    double fastest_at_end = 0;       // m/s
    std::uint32_t escaped = 0;       // bodies outside their bin at the end of any frame
};

struct FallRequest {
    const Bin& bin;
    const HullSet& hulls;
    std::span<const std::uint32_t> body_hull;
    FrameSchedule schedule;
    std::uint32_t threads = 1;  // lanefold only
    Isa isa = Isa::automatic;   // lanefold only
    // Told about every few steps; false ends the simulation early (the poses are then incomplete).
    const std::function<bool(std::uint64_t steps)>& advance;
};

Fall fall(FallEngine engine, const FallRequest& request);

// One engine's world of a bin.
class FallWorld {
public:
    virtual ~FallWorld() = default;
    virtual void step() = 0;
    virtual double fastest() const = 0;  // m/s
    struct Pose {
        Vec3d position;  // relative to the bin
        Quat orientation;
    };
    virtual Pose pose(std::size_t body) const = 0;
};

std::unique_ptr<FallWorld> make_bullet_world(const FallRequest& request);    // fall_bullet.cpp
std::unique_ptr<FallWorld> make_lanefold_world(const FallRequest& request);  // fall_lanefold.cpp

}  // namespace lanefold::tools
