// SPDX-License-Identifier: MIT
//
// Worlds of the tests: boxes and debris over a floor.
#pragma once

#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/world.hpp>

#include "support/hulls.hpp"
#include "support/random.hpp"

namespace lanefold::test {

inline constexpr double kWorldStep = 1.0 / 60;

// Hull 0 is a floor whose top is y = 0 if it is placed at y = -1, hull 1 a unit cube; `more` follow.
inline HullSet world_hulls(std::span<const Points> more = {}) {
    std::vector<Points> points{box_points(50, 1, 50), box_points(0.5, 0.5, 0.5)};
    points.insert(points.end(), more.begin(), more.end());
    return build_library(points).hulls;
}

inline RigidBody world_floor() {
    RigidBody body;
    body.kind = BodyKind::fixed;
    body.position[1] = -1;
    return body;
}

inline RigidBody body_at(double x, double y, double z, std::uint32_t hull = 1) {
    RigidBody body;
    body.hull = hull;
    body.position[0] = x;
    body.position[1] = y;
    body.position[2] = z;
    return body;
}

inline void set_rotation(RigidBody& body, const Quat& q) {
    body.orientation[0] = static_cast<float>(q.x);
    body.orientation[1] = static_cast<float>(q.y);
    body.orientation[2] = static_cast<float>(q.z);
    body.orientation[3] = static_cast<float>(q.w);
}

inline void expect_good(const CallStatus& status) { ASSERT_TRUE(status) << status.what << " at " << status.where; }

// The floor and a tower of `count` cubes upon it.
inline std::vector<RigidBody> tower(int count) {
    std::vector<RigidBody> bodies{world_floor()};
    for (int i = 0; i < count; ++i) bodies.push_back(body_at(0, 0.5 + i, 0));
    return bodies;
}

// Debris that falls into a bin: hulls and bodies, the floor and four walls first.
struct Pile {
    HullSet hulls;
    std::vector<RigidBody> bodies;
};

inline Pile debris_pile(std::uint64_t seed, std::uint32_t count, Shape shape = Shape::rock) {
    Random random(seed);
    const double half = 0.42 * std::cbrt(static_cast<double>(count)) + 0.5;
    std::vector<Points> shapes{box_points(0.5, 30, half + 1), box_points(half + 1, 30, 0.5)};
    constexpr std::uint32_t kShapes = 16;
    for (std::uint32_t i = 0; i < kShapes; ++i) {
        Points points = make_points(shape, random);
        float reach = 0;
        for (const Vec3f& p : points) reach = std::max(reach, dot(p, p));
        shapes.push_back(transformed(points, 0.35 / std::sqrt(static_cast<double>(reach)), {0, 0, 0, 1}, {}));
    }
    Pile pile;
    pile.hulls = world_hulls(shapes);
    pile.bodies.push_back(world_floor());
    const double wall = half + 0.5;
    const double at[4][2] = {{wall, 0}, {-wall, 0}, {0, wall}, {0, -wall}};
    for (std::uint32_t w = 0; w < 4; ++w) {
        RigidBody body = body_at(at[w][0], 29, at[w][1], w < 2 ? 2 : 3);
        body.kind = BodyKind::fixed;
        pile.bodies.push_back(body);
    }
    const auto per_row = static_cast<std::uint32_t>((2 * half - 0.1) / 0.75);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t layer = i / (per_row * per_row);
        const std::uint32_t place = i % (per_row * per_row);
        RigidBody body = body_at(-half + 0.42 + 0.75 * (place % per_row), 0.5 + 0.75 * layer,
                                 -half + 0.42 + 0.75 * (place / per_row), 4 + i % kShapes);
        set_rotation(body, random.rotation());
        pile.bodies.push_back(body);
    }
    return pile;
}

inline World make_world(const HullSet& hulls, std::span<const RigidBody> bodies, const WorldSettings& settings = {}) {
    World world(hulls);
    expect_good(world.set_settings(settings));
    expect_good(world.add_bodies(bodies));
    return world;
}

inline void run(World& world, double seconds, double step = kWorldStep) {
    const auto steps = static_cast<int>(seconds / step + 0.5);
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
