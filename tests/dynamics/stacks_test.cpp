// SPDX-License-Identifier: MIT
//
// Towers and piles stay as they are, asleep and awake.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

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
    World world = make_world(world_hulls(), tower(10), s);
    run(world, 1);
    const std::vector<Vec3d> start = centres(world);
    double most = 0;
    for (int k = 0; k < 540; ++k) {
        ASSERT_TRUE(world.step(kWorldStep).status);
        most = std::max(most, drift(world, start));
    }
    std::printf("%s: drift %.3g, sag of the top %.3g\n", GetParam().name, most, 9.5 - world.centre(10).y);
    EXPECT_LT(most, 1e-4);
    EXPECT_LT(9.5 - world.centre(10).y, 0.03);
    EXPECT_EQ(world.asleep(10), GetParam().sleep);
}

INSTANTIATE_TEST_SUITE_P(Methods, DynamicsTower,
                         testing::Values(TowerCase{"default", ContactMethod::clip, kDefaultHysteresis, true},
                                         TowerCase{"awake", ContactMethod::clip, kDefaultHysteresis, false},
                                         TowerCase{"without_hysteresis", ContactMethod::clip, 0, false},
                                         TowerCase{"patch", ContactMethod::patch, 0, false}),
                         [](const testing::TestParamInfo<TowerCase>& tower_case) { return tower_case.param.name; });

// Boxes set down by hand: 2 cm off, up to 3 degrees turned.
TEST(DynamicsStacks, RoughTowerStands) {
    Random random(3);
    std::vector<RigidBody> bodies = tower(10);
    for (std::size_t i = 1; i < bodies.size(); ++i) {
        bodies[i].position[0] = random.uniform(-0.02, 0.02);
        bodies[i].position[2] = random.uniform(-0.02, 0.02);
        set_rotation(bodies[i], about({0, 1, 0}, random.uniform(-0.05, 0.05)));
    }
    WorldSettings s;
    s.sleep = false;
    World world = make_world(world_hulls(), bodies, s);
    run(world, 1);
    const std::vector<Vec3d> start = centres(world);
    run(world, 9);
    std::printf("drift %.3g\n", drift(world, start));
    EXPECT_LT(drift(world, start), 5e-3);
}

// Rows of bricks, each over the joints of the row below, kept awake: bodies must come to rest without sleep.
TEST(DynamicsStacks, PyramidOfTwentyRowsRests) {
    std::vector<RigidBody> bodies{world_floor()};
    for (int row = 0; row < 20; ++row) {
        for (int k = 0; k < 20 - row; ++k) bodies.push_back(body_at(1.05 * (k - 0.5 * (19 - row)), 0.5 + row, 0));
    }
    WorldSettings s;
    s.sleep = false;
    World world = make_world(world_hulls(), bodies, s);
    run(world, 1);
    const std::vector<Vec3d> start = centres(world);
    run(world, 7);
    double fastest = 0;
    for (std::size_t i = 0; i < world.size(); ++i) fastest = std::max(fastest, speed_of(world, i));
    std::printf("pyramid: drift %.3g, fastest %.3g m/s\n", drift(world, start), fastest);
    EXPECT_LT(drift(world, start), 1e-2);
    EXPECT_LT(fastest, 1e-3);
}

TEST(DynamicsStacks, PileComesToRestAndStays) {
    const Pile pile = debris_pile(7, 300);
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
    std::vector<RigidBody> bodies = tower(3);
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
    std::vector<RigidBody> bodies = tower(2);
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
    ghost.groups = 2;
    RigidBody floor = world_floor();
    floor.touches = 1;
    const RigidBody bodies[] = {floor, ghost, body_at(3, 3, 0)};
    World world = make_world(world_hulls(), bodies);
    run(world, 2);
    EXPECT_LT(world.centre(1).y, -5);
    EXPECT_GT(world.centre(2).y, 0.4);
}

}  // namespace
}  // namespace lanefold::test
