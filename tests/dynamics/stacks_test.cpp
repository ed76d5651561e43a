// SPDX-License-Identifier: MIT
//
// Towers and piles stay as they are, asleep and awake.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/isa_fixture.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

// Largest horizontal displacement of any centre against where it was when `from` was taken.
double drift(const World& world, const std::vector<Vec3d>& from) {
    double most = 0;
    for (std::size_t i = 0; i < world.size(); ++i) {
        const Vec3d d = world.centre(i) - from[i];
        most = std::max(most, std::sqrt(d.x * d.x + d.z * d.z));
    }
    return most;
}

std::vector<Vec3d> centres(const World& world) {
    std::vector<Vec3d> out;
    for (std::size_t i = 0; i < world.size(); ++i) out.push_back(world.centre(i));
    return out;
}

// How far gravity has pressed the tallest body down.
double sag(const World& world, const StandingScene& scene) {
    double most = 0;
    for (std::size_t i = 0; i < world.size(); ++i)
        most = std::max(most, scene.bodies[i].position[1] - world.centre(i).y);
    return most;
}

// The largest drift of any step from second 1 on; ends the test where a step fails.
double largest_drift(World& world, int seconds) {
    run(world, 1);
    const std::vector<Vec3d> start = centres(world);
    double most = 0;
    for (int k = 60; k < seconds * 60; ++k) {
        EXPECT_TRUE(world.step(kWorldStep).status);
        most = std::max(most, drift(world, start));
    }
    return most;
}

struct TowerCase {
    const char* name;
    ContactMethod method;
    float hysteresis;
    bool sleep;
};

class DynamicsTower : public testing::TestWithParam<TowerCase> {};

// From second 1 to second 10, a box being 1 m wide. Without sleep the tower stands on its contacts alone.
TEST_P(DynamicsTower, OfTenDriftsByLessThanATenThousandth) {
    WorldSettings s;
    s.method = GetParam().method;
    s.hysteresis = GetParam().hysteresis;
    s.sleep = GetParam().sleep;
    const StandingScene scene = tower_scene(10);
    World world = make_world(scene, s);
    const double most = largest_drift(world, 10);
    std::printf("%s: drift %.3g, sag %.3g\n", GetParam().name, most, sag(world, scene));
    EXPECT_LT(most, 1e-4);
    EXPECT_LT(sag(world, scene), 0.003);
    EXPECT_EQ(world.asleep(10), GetParam().sleep);
}

INSTANTIATE_TEST_SUITE_P(Methods, DynamicsTower,
                         testing::Values(TowerCase{"default", ContactMethod::clip, kDefaultHysteresis, true},
                                         TowerCase{"awake", ContactMethod::clip, kDefaultHysteresis, false},
                                         TowerCase{"without_hysteresis", ContactMethod::clip, 0, false},
                                         TowerCase{"patch", ContactMethod::patch, 0, false}),
                         [](const testing::TestParamInfo<TowerCase>& tower_case) { return tower_case.param.name; });

class DynamicsStacks : public IsaTest {
protected:
    World awake(const StandingScene& scene) const { return make_awake_world(scene, GetParam()); }
};

// Boxes set down by hand, 2 cm off and up to 3 degrees turned, never asleep.
TEST_P(DynamicsStacks, RoughTowerOfTenDriftsByLessThanATenThousandth) {
    double worst = 0;
    for (const std::uint64_t seed : {3U, 4U, 5U}) {
        World world = awake(rough_tower_scene(10, seed));
        worst = std::max(worst, largest_drift(world, 10));
    }
    std::printf("drift %.3g\n", worst);
    EXPECT_LT(worst, 1e-4);
}

// Three times as high, and never asleep: it would buckle on contacts a third as stiff in frequency.
TEST_P(DynamicsStacks, TowerOfThirtyStandsForAMinute) {
    const StandingScene scene = tower_scene(30);
    World world = awake(scene);
    const double most = largest_drift(world, 60);
    std::printf("drift %.3g, sag %.3g\n", most, sag(world, scene));
    EXPECT_LT(most, 1e-4);
    EXPECT_LT(sag(world, scene), 0.025);
}

TEST_P(DynamicsStacks, RoughTowerOfThirtyStandsForAMinute) {
    const StandingScene scene = rough_tower_scene(30, 3);
    World world = awake(scene);
    const double most = largest_drift(world, 60);
    std::printf("drift %.3g, sag %.3g\n", most, sag(world, scene));
    EXPECT_LT(most, 1e-2);
    EXPECT_LT(sag(world, scene), 0.025);
}

// Rows of bricks, each over the joints of the row below, kept awake: what trembles here never rests.
TEST_P(DynamicsStacks, PyramidOfTwentyRowsRests) {
    World world = awake(pyramid_scene(20));
    const double most = largest_drift(world, 12);
    double fastest = 0;
    for (std::size_t i = 0; i < world.size(); ++i) fastest = std::max(fastest, speed_of(world, i));
    std::printf("pyramid: drift %.3g, fastest %.3g m/s\n", most, fastest);
    EXPECT_LT(most, 3e-3);
    EXPECT_LT(fastest, 1e-3);
}
LANEFOLD_INSTANTIATE_ISA_TESTS(DynamicsStacks);

TEST(DynamicsPile, ComesToRestAndStays) {
    const StandingScene pile = pile_scene(7, 300);
    World world = make_world(pile.hulls, pile.bodies);
    run(world, 10);
    std::uint32_t awake = 0;
    for (std::size_t i = 0; i < world.size(); ++i) {
        EXPECT_LT(speed_of(world, i), 1e-3) << i;
        awake += world.asleep(i) ? 0U : 1U;
    }
    const std::vector<Vec3d> start = centres(world);
    float deepest = 0;
    for (const Manifold4& m : world.contacts()) deepest = std::min(deepest, m.distance);
    run(world, 2);
    std::printf("deepest overlap at rest %.3g m, %u bodies awake\n", static_cast<double>(deepest), awake);
    EXPECT_LT(drift(world, start), 1e-3);
    EXPECT_GT(deepest, -0.02F);
    for (std::size_t i = 5; i < world.size(); ++i) EXPECT_GT(world.centre(i).y, 0) << i;
}

TEST(DynamicsSleep, IslandSleepsIsUnmovedAndWakesAsAWhole) {
    std::vector<RigidBody> bodies = tower_scene(3).bodies;
    bodies.push_back(body_at(5, 0.5, 0));
    World world = make_world(world_hulls(), bodies);
    run(world, 2);
    for (std::size_t i = 1; i <= 4; ++i) ASSERT_TRUE(world.asleep(i)) << i;
    for (std::size_t i = 0; i <= 4; ++i) EXPECT_EQ(world.unmoved()[i], 1) << i;
    const StepResult idle = world.step(kWorldStep);
    EXPECT_EQ(idle.asleep, 4U);
    EXPECT_EQ(idle.contacts, 0U);
    EXPECT_EQ(world.contacts().size(), 4U);

    expect_good(world.wake(2));
    for (std::size_t i = 1; i <= 3; ++i) EXPECT_FALSE(world.asleep(i)) << i;
    EXPECT_TRUE(world.asleep(4));
    run(world, 2);
    for (std::size_t i = 1; i <= 4; ++i) EXPECT_TRUE(world.asleep(i)) << i;
    EXPECT_FALSE(world.wake(99));
}

TEST(DynamicsSleep, WhatIsHitWakesAndWhatIsFarSleepsOn) {
    std::vector<RigidBody> bodies = tower_scene(2).bodies;
    bodies.push_back(body_at(8, 0.5, 0));
    RigidBody ball = body_at(0, 12, 0);
    bodies.push_back(ball);
    World world = make_world(world_hulls(), bodies);
    bool slept = false;
    bool woken = false;
    for (int k = 0; k < 240; ++k) {
        ASSERT_TRUE(world.step(kWorldStep).status);
        slept = slept || world.asleep(1);
        woken = woken || (slept && !world.asleep(1));
        if (woken) break;
    }
    EXPECT_TRUE(slept);
    EXPECT_TRUE(woken);
    EXPECT_TRUE(world.asleep(3));
}

TEST(DynamicsSleep, NobodySleepsOnAMovingBelt) {
    RigidBody belt = body_at(0, -1, 0, 0);
    belt.kind = BodyKind::kinematic;
    belt.velocity[0] = 0.02F;
    const RigidBody bodies[] = {belt, body_at(0, 0.5, 0)};
    World world = make_world(world_hulls(), bodies);
    run(world, 4);
    EXPECT_FALSE(world.asleep(1));
    EXPECT_NEAR(world.centre(1).x, 0.08, 0.005);
    EXPECT_NEAR(world.centre(0).x, 0.08, 1e-6);
}

TEST(DynamicsFilter, GroupBitsDecideWhoTouches) {
    RigidBody ghost = body_at(0, 3, 0);
    ghost.category = 2;
    RigidBody floor = world_floor();
    floor.collides_with = 1;
    const RigidBody bodies[] = {floor, ghost, body_at(3, 3, 0)};
    World world = make_world(world_hulls(), bodies);
    run(world, 2);
    EXPECT_LT(world.centre(1).y, -5);
    EXPECT_GT(world.centre(2).y, 0.4);
}

}  // namespace
}  // namespace lanefold::test
