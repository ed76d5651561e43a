// SPDX-License-Identifier: MIT
//
// Bodies wake and fall asleep by these rules, and a body that has rested takes part again at once.
#include <gtest/gtest.h>

#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPlate = 2;

HullSet hulls_with_plate() { return world_hulls(std::vector<Points>{box_points(0.02, 3, 3)}); }

RigidBody of_kind(RigidBody body, BodyKind kind) {
    body.kind = kind;
    return body;
}

WorldSettings weightless() {
    WorldSettings s;
    s.gravity = {};
    return s;
}

void put(World& world, std::size_t body, double x, double y, double z) {
    const double position[] = {x, y, z};
    const float orientation[] = {0, 0, 0, 1};
    expect_good(world.set_pose(body, position, orientation));
}

TEST(DynamicsWaking, AKinematicBodyThatRestedMoves) {
    const RigidBody alone = of_kind(body_at(0, 0, 0), BodyKind::kinematic);
    World world = make_world(world_hulls(), {&alone, 1});
    run(world, 1);
    expect_good(world.set_velocity(0, {1, 0, 0}, {0, 0, 1}));
    run(world, 1);
    EXPECT_NEAR(world.centre(0).x, 1, 1e-4);
    EXPECT_EQ(world.spin(0).z, 1);
}

// Half a metre before a plate of four centimetres: without the margin of its new speed the cube would be behind it
// after one step.
TEST(DynamicsWaking, ASleeperThatIsPushedMeetsWhatIsInItsWay) {
    for (const bool by_impulse : {false, true}) {
        for (const float speed : {20.0F, 60.0F, 200.0F}) {
            const RigidBody bodies[] = {of_kind(body_at(2, 0, 0, kPlate), BodyKind::fixed), body_at(0.9, 0, 0)};
            World world = make_world(hulls_with_plate(), bodies, weightless());
            run(world, 2);
            ASSERT_TRUE(world.asleep(1));
            if (by_impulse)
                expect_good(world.apply_impulse(1, {speed * static_cast<float>(world.mass(1)), 0, 0}, world.centre(1)));
            else
                expect_good(world.set_velocity(1, {speed, 0, 0}, {}));
            run(world, 0.5);
            EXPECT_LT(world.centre(1).x, 1.5) << speed;
            EXPECT_GT(world.centre(1).x, 1.4) << speed;
        }
    }
}

TEST(DynamicsWaking, APlateThatBeginsToMoveTakesASleeperAlong) {
    RigidBody drifter = body_at(0, 500, 0);  // keeps the world awake
    drifter.velocity[0] = 1;
    const RigidBody bodies[] = {of_kind(body_at(2, 0, 0, kPlate), BodyKind::kinematic), body_at(0.9, 0, 0), drifter};
    World world = make_world(hulls_with_plate(), bodies, weightless());
    run(world, 2);
    ASSERT_TRUE(world.asleep(1));
    expect_good(world.set_velocity(0, {-100, 0, 0}, {}));
    run(world, 0.05);
    EXPECT_FALSE(world.asleep(1));
    EXPECT_LT(world.centre(1).x, world.centre(0).x - 0.5);
}

// A body that hangs on another wakes when that one is moved or begins to move.
TEST(DynamicsWaking, LinksWake) {
    for (const BodyKind kind : {BodyKind::kinematic, BodyKind::fixed}) {
        const RigidBody bodies[] = {of_kind(body_at(0, 10, 0), kind), body_at(0, 5, 0)};
        World world = make_world(world_hulls(), bodies);
        BodyLink rod;
        rod.a = 1;
        rod.b = 0;
        rod.length = 5;
        expect_good(world.add_links({&rod, 1}));
        run(world, 3);
        ASSERT_TRUE(world.asleep(1));
        if (kind == BodyKind::kinematic) {
            expect_good(world.set_velocity(0, {0, 1, 0}, {}));
            run(world, 2);
            expect_good(world.set_velocity(0, {}, {}));
        } else {
            put(world, 0, 0, 12, 0);
        }
        run(world, 4);
        EXPECT_NEAR(world.centre(0).y, 12, 1e-3);
        EXPECT_NEAR(world.centre(1).y, 7, 1e-3);
    }
}

// A fixed body that is put into a sleeping one, or added there, pushes it out.
TEST(DynamicsWaking, WhatIsPutIntoASleeperWakesIt) {
    for (const bool added : {false, true}) {
        std::vector<RigidBody> bodies = {world_floor(), body_at(0, 0.5, 0)};
        const RigidBody block = of_kind(body_at(40, 0.5, 0), BodyKind::fixed);
        if (!added) bodies.push_back(block);
        World world = make_world(world_hulls(), bodies);
        run(world, 2);
        ASSERT_TRUE(world.asleep(1));
        if (added) {
            const RigidBody here = of_kind(body_at(0.7, 0.5, 0), BodyKind::fixed);
            expect_good(world.add_bodies({&here, 1}));
        } else {
            put(world, 2, 0.7, 0.5, 0);
        }
        run(world, 3);
        EXPECT_LT(world.centre(1).x, -0.29);
    }
}

// Overlaps and links are taken back without velocity; a body is not at rest before that is done.
TEST(DynamicsWaking, NobodySleepsInTheMiddleOfACorrection) {
    const RigidBody cube = body_at(0, 0, 0);
    for (const LinkKind kind : {LinkKind::rod, LinkKind::cable}) {
        World world = make_world(world_hulls(), {&cube, 1});
        BodyLink link;
        link.kind = kind;
        link.a = 0;
        link.end_b = {0, 10, 0};
        link.length = 5;
        expect_good(world.add_links({&link, 1}));
        run(world, 10);
        EXPECT_TRUE(world.asleep(0));
        EXPECT_NEAR(world.centre(0).y, 5, 1e-3);
    }
    const RigidBody bodies[] = {world_floor(), body_at(0, 0.1, 0)};
    World world = make_world(world_hulls(), bodies);
    run(world, 10);
    EXPECT_TRUE(world.asleep(1));
    EXPECT_NEAR(world.centre(1).y, 0.5, 1e-3);
}

// Many islands of one body, all woken by their floor.
TEST(DynamicsWaking, AFloorThatMovesWakesAllIslands) {
    std::vector<RigidBody> bodies = {of_kind(world_floor(), BodyKind::kinematic)};
    for (int x = 0; x < 20; ++x) {
        for (int z = 0; z < 20; ++z) bodies.push_back(body_at(1.5 * x - 15, 0.5, 1.5 * z - 15));
    }
    World world = make_world(world_hulls(), bodies);
    run(world, 2);
    for (std::size_t i = 1; i < bodies.size(); ++i) ASSERT_TRUE(world.asleep(i));
    expect_good(world.set_velocity(0, {0, 0.5F, 0}, {}));
    run(world, 1);
    for (std::size_t i = 1; i < bodies.size(); ++i) EXPECT_NEAR(world.centre(i).y, 1, 0.01);
}

// In a step as long as this the box falls by more than its distance from the floor.
constexpr double kLongStep = 0.8;

StandingScene box_over_floor() {
    StandingScene scene = tower_scene(1);
    scene.bodies.resize(1);
    scene.bodies.push_back(body_at(0, 2.5, 0));
    return scene;
}

std::vector<std::byte> saved(const World& world) {
    std::vector<std::byte> bytes;
    expect_good(world.save(bytes));
    return bytes;
}

// The finder keeps the box of a body at rest for one duration of steps only.
TEST(DynamicsWaking, ASearchForAShortStepDoesNotHideThePairsOfALongOne) {
    const StandingScene scene = box_over_floor();
    World searched = make_world(scene);
    World fresh = make_world(scene);
    EXPECT_TRUE(searched.find_pairs(kWorldStep).status);
    const StepResult after = searched.step(kLongStep);
    const StepResult alone = fresh.step(kLongStep);
    EXPECT_EQ(alone.pairs, 1U);
    EXPECT_EQ(after.pairs, alone.pairs);
    EXPECT_TRUE(saved(searched) == saved(fresh));
    EXPECT_GT(searched.centre(1).y, 0.4);
}

TEST(DynamicsWaking, GravityThatBeginsReachesThePairsOfThoseWhoRested) {
    StandingScene scene = box_over_floor();
    RigidBody drifter = body_at(50, 40, 0);  // keeps the world awake
    drifter.velocity[0] = 1;
    scene.bodies.push_back(drifter);
    World world = make_world(scene, weightless());
    run(world, 2);
    ASSERT_TRUE(world.asleep(1));
    expect_good(world.set_settings({}));
    World restored = make_world(scene);
    expect_good(restored.restore(saved(world)));
    const StepResult here = world.step(kLongStep);
    EXPECT_EQ(here.pairs, restored.step(kLongStep).pairs);
    EXPECT_GE(here.pairs, 1U);
    EXPECT_TRUE(saved(world) == saved(restored));
}

// The pair of the box and the floor has no record. In the long step its margin is wider than when it was looked at.
TEST(DynamicsWaking, ASleeperWhoseShelfIsTakenAwayMeetsTheFloorInALongStep) {
    StandingScene scene = box_over_floor();
    scene.bodies.push_back(of_kind(body_at(0, 1.5, 0), BodyKind::fixed));
    World world = make_world(scene);
    run(world, 3);
    ASSERT_TRUE(world.asleep(1));
    put(world, 2, 100, 0, 0);
    ASSERT_FALSE(world.asleep(1));
    const Pair pairs[] = {{0, 1}, {0, 2}, {1, 2}};
    const StepResult result = world.step(kLongStep, pairs);
    EXPECT_TRUE(result.status) << result.status.what;
    EXPECT_EQ(result.contacts, 1U);
    EXPECT_GT(world.centre(1).y, 0.4);
}

}  // namespace
}  // namespace lanefold::test
