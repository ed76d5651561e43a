// SPDX-License-Identifier: MIT
//
// Worlds of the tests, and what is asked of them.
#pragma once

#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/world.hpp>

#include "support/standing_scenes.hpp"

namespace lanefold::test {

inline constexpr double kWorldStep = 1.0 / 60;

inline void expect_good(const CallStatus& status) { ASSERT_TRUE(status) << status.what << " at " << status.where; }

inline World make_world(const HullSet& hulls, std::span<const RigidBody> bodies, const WorldSettings& settings = {}) {
    World world(hulls);
    expect_good(world.set_settings(settings));
    expect_good(world.add_bodies(bodies));
    return world;
}

inline World make_world(const StandingScene& scene, const WorldSettings& settings = {}) {
    return make_world(scene.hulls, scene.bodies, settings);
}

// A world that never sleeps, and whose first step has run on the instruction set.
inline World make_awake_world(const StandingScene& scene, Isa isa) {
    WorldSettings s;
    s.isa = isa;
    s.sleep = false;
    World world = make_world(scene, s);
    EXPECT_EQ(world.step(kWorldStep).isa, isa);
    return world;
}

inline void run(World& world, double seconds, double step = kWorldStep) {
    const auto steps = static_cast<int>(std::lround(seconds / step));
    for (int i = 0; i < steps; ++i) {
        const StepResult r = world.step(step);
        ASSERT_TRUE(r.status) << r.status.what << " at " << r.status.where << ", step " << i;
    }
}

// FNV-1a over poses and velocities: every bit of the visible state.
inline std::uint64_t state_hash(const World& world) {
    std::uint64_t h = 0xCBF29CE484222325U;
    const auto add = [&](const void* data, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i) h = (h ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001B3U;
    };
    add(world.bodies().data(), world.bodies().size_bytes());
    for (std::size_t i = 0; i < world.size(); ++i) {
        const Vec3f v = world.velocity(i);
        const Vec3f w = world.spin(i);
        add(&v, sizeof v);
        add(&w, sizeof w);
    }
    return h;
}

inline double speed_of(const World& world, std::size_t body) { return length(to_double(world.velocity(body))); }

}  // namespace lanefold::test
