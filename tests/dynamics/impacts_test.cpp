// SPDX-License-Identifier: MIT
//
// Impacts: restitution of whole manifolds, its energy, and dead impacts that pass through bodies in between.
// LANEFOLD_THROWS=N: so many random impacts (./dev sweep --impacts).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <gtest/gtest.h>

#include "support/sweep.hpp"
#include "support/throws.hpp"

namespace lanefold::test {
namespace {

WorldSettings awake(bool weightless = false) {
    WorldSettings s;
    s.sleep = false;
    if (weightless) s.gravity = {0, 0, 0};
    return s;
}

// A cube that falls flat on smaller posts, off its middle, goes straight up with e of its speed: all points close with
// the same speed, whatever lies under them.
TEST(DynamicsImpacts, FlatDropsReturnTheirShareWithoutSpin) {
    const HullSet hulls = world_hulls(std::vector<Points>{box_points(0.3, 0.5, 0.2), box_points(0.1, 0.5, 0.1)});
    double worst = 0, spin = 0;
    for (const float e : {0.5F, 0.8F, 0.9F, 1.0F}) {
        for (const double rate : {60.0, 240.0}) {
            for (const int posts : {1, 2}) {
                std::vector<RigidBody> bodies{world_floor(), body_at(0, 3.5, 0)};
                bodies.push_back(body_at(posts == 1 ? 0.2 : 0.35, 0.5, posts == 1 ? 0.1 : 0, posts == 1 ? 2 : 3));
                if (posts == 2) bodies.push_back(body_at(-0.15, 0.5, 0, 3));
                for (std::size_t i = 2; i < bodies.size(); ++i) bodies[i].kind = BodyKind::fixed;
                bodies[1].restitution = e;
                bodies[1].friction = 0;
                World world = make_world(hulls, bodies, awake());
                double up = 0, height = 0;
                for (int k = 0; k < 1.2 * rate; ++k) {
                    expect_good(world.step(1 / rate).status);
                    up = std::max(up, static_cast<double>(world.velocity(1).y));
                    spin = std::max(spin, length(to_double(world.spin(1))));
                    if (up > 0.5) height = std::max(height, world.centre(1).y - 1.5);
                }
                worst = std::max(worst, std::fabs(height / (2 * static_cast<double>(e * e)) - 1));
            }
        }
    }
    std::printf("flat drops on one and two posts: height off by %.2f%% of the closed form, spin %.2g rad/s\n",
                100 * worst, spin);
    EXPECT_LT(worst, 0.02);
    EXPECT_LT(spin, 0.01);
}

struct Impact {
    double most = 0;   // energy after it, as a share of that before
    double least = 1;  // the same beyond e squared
    bool again = false;
    bool hits = false;
};

// Runs until an impact has changed the energy. Steps are so short that a second corner seldom strikes in the same one;
// where it does, the step is done again in shorter ones, each with one impact.
Impact first_impact(World& world, double step, double e2) {
    constexpr int kParts = 256;
    const auto energy = [&] { return world.motion().kinetic_energy; };
    Impact out;
    const double begin = energy();
    std::vector<std::byte> state;
    double before = begin, after = begin;
    for (int k = 0; k < 400 && std::fabs(after - begin) < 1e-4 * begin; ++k) {
        before = after;
        expect_good(world.save(state));
        expect_good(world.step(step).status);
        after = energy();
    }
    out.hits = !world.contacts().empty();
    out.most = after / before;
    out.least = after / before - e2;
    out.again = out.least < -0.002;
    if (!out.again) return out;
    expect_good(world.restore(state));
    out.least = 1;
    for (int k = 0; k < kParts; ++k) {
        before = energy();
        expect_good(world.step(step / kParts).status);
        const double kept = energy() / before;
        if (std::fabs(kept - 1) > 1e-5) out.least = std::min(out.least, kept - e2);
        out.most = std::max(out.most, kept);
    }
    return out;
}

// One impact without friction keeps between e squared and all of the energy.
TEST(DynamicsImpacts, RandomImpactsKeepBetweenESquaredAndAll) {
    const std::uint32_t count = throws_count(500);
    double most = 0, least = 1;
    std::uint32_t hits = 0, below = 0, again = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        Random random(sweep_seed(61), i);
        const double size = random.log_uniform(1e-3, 10), speed = random.log_uniform(1.5, 50);
        const Points shape = small_points(random, size);
        RigidBody body = body_at(0, 2.5 * size, 0, 1);
        if (!random.chance(0.3)) set_rotation(body, random.rotation());
        const Vec3f spin = to_float(random.arrow(0, 0.5 * speed / size));
        std::memcpy(body.spin, &spin, sizeof body.spin);
        body.velocity[1] = static_cast<float>(-speed);
        body.restitution = static_cast<float>(random.uniform(0.1, 1));
        RigidBody floor = body_at(0, -floor_half(size), 0, 0);
        floor.kind = BodyKind::fixed;
        floor.friction = body.friction = 0;
        const RigidBody bodies[] = {floor, body};
        World world = make_world(throw_hulls({shape}, size), bodies, awake(true));
        const Impact impact =
            first_impact(world, 0.01 * size / speed, static_cast<double>(body.restitution * body.restitution));
        if (!impact.hits) continue;
        ++hits;
        most = std::max(most, impact.most);
        least = std::min(least, impact.least);
        again += impact.again ? 1U : 0U;
        below += impact.least < -0.002 ? 1U : 0U;
        if (impact.least < -0.002 && below <= 5)
            std::printf("  %u: %.4f of the energy beyond e squared, e = %.3f, size %.3g m, %.3g m/s\n", i, impact.least,
                        static_cast<double>(body.restitution), size, speed);
    }
    std::printf(
        "%u random impacts: %.4f of the energy at most, %.4f beyond e squared at least; in %u steps a second corner "
        "struck, too; %u impacts kept less\n",
        hits, most, least, again, below);
    EXPECT_GT(hits, count / 2);
    EXPECT_LT(most, 1.0002);
    EXPECT_EQ(below, 0U);
}

// A heavy cube falls 2 m on cubes that stand on each other; nothing bounces.
TEST(DynamicsImpacts, DeadImpactsThroughBodiesDoNotRebound) {
    double worst = -1, sunk = 0, lifted = 0;
    for (const double rate : {24.0, 60.0, 240.0}) {
        for (const int under : {1, 2, 3, 5, 10}) {
            for (const float ratio : {1.0F, 3.0F, 10.0F, 30.0F, 60.0F, 100.0F}) {
                std::vector<RigidBody> bodies = tower_scene(static_cast<std::uint32_t>(under)).bodies;
                bodies.push_back(body_at(0, under + 2.5, 0));
                for (RigidBody& b : bodies) b.mass = 1;
                bodies.back().mass = ratio;
                World world = make_world(world_hulls(), bodies, awake());
                const std::size_t top = bodies.size() - 1;
                double low = 1e9, high = -1e9, lowest = 1e9;
                for (int k = 0; k < 2 * rate; ++k) {
                    expect_good(world.step(1 / rate).status);
                    const double y = world.centre(top).y - (under + 0.5);
                    if (k > 0.7 * rate) high = std::max(high, y), low = std::min(low, y);
                    // Bodies that sink in are lifted again, by no more than a rebound may be.
                    lowest = std::min(lowest, y);
                    lifted = std::max(lifted, (y - lowest) / 2);
                }
                worst = std::max(worst, high / 2);
                sunk = std::min(sunk, low);
            }
        }
    }
    std::printf(
        "dead impacts, ratios 1 to 100, stacks of 1 to 10: rise by %.3f%% of the drop, sink by %.3g m, are lifted by "
        "%.2f%% of the drop from there\n",
        100 * worst, -sunk, 100 * lifted);
    EXPECT_LT(worst, 0.01);
    EXPECT_LT(lifted, 0.01);
    EXPECT_GT(sunk, -0.1);
}

}  // namespace
}  // namespace lanefold::test
