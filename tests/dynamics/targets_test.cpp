// SPDX-License-Identifier: MIT
//
// Kinematic bodies go to their targets within a step, and carry what lies on them.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "support/batch_scene.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

RigidBody kinematic_at(double x, double y, double z) {
    RigidBody body = body_at(x, y, z);
    body.kind = BodyKind::kinematic;
    return body;
}

double way_between(const double a[3], const double b[3]) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return std::sqrt(sum);
}

// Sine of half of the turn between two orientations.
double turn_between(const float a[4], const float b[4]) {
    const auto d = [](float x) { return static_cast<double>(x); };
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double x = (d(a[3]) * d(b[k]) - d(b[3]) * d(a[k])) - (d(a[i]) * d(b[j]) - d(a[j]) * d(b[i]));
        sum += x * x;
    }
    return std::sqrt(sum);
}

TEST(DynamicsTargets, AreReachedInOneStepAndKeptWithoutMotion) {
    BatchRandom random(12);
    double worst_way = 0, worst_turn = 0;
    for (int k = 0; k < 300; ++k) {
        const RigidBody body = kinematic_at(3, -2, 7);
        World world = make_world(world_hulls(), {&body, 1});
        double target[3];
        float turn[4];
        double way = 0;
        const float reach = k % 3 == 0 ? 100.0F : 0.1F;
        for (int axis = 0; axis < 3; ++axis) {
            const double by = static_cast<double>(random.uniform(-reach, reach));
            target[axis] = body.position[axis] + by;
            way += by * by;
        }
        random.rotation(turn);
        expect_good(world.set_target(0, target, turn, kWorldStep));
        ASSERT_TRUE(world.step(kWorldStep).status);
        worst_way = std::max(worst_way, way_between(world.bodies()[0].position, target) / std::sqrt(way));
        worst_turn = std::max(worst_turn, turn_between(world.bodies()[0].orientation, turn));
        for (int more = 0; more < 4; ++more) {
            expect_good(world.set_target(0, target, turn, kWorldStep));
            ASSERT_TRUE(world.step(kWorldStep).status);
        }
        ASSERT_EQ(world.velocity(0).x, 0) << k;
        ASSERT_EQ(world.spin(0).x, 0) << k;
        ASSERT_LT(way_between(world.bodies()[0].position, target), 1e-13) << k;
    }
    std::printf("off after one step: %.2g of the way, half a turn's sine by %.2g\n", worst_way, worst_turn);
    EXPECT_LT(worst_way, 1e-6);
    EXPECT_LT(worst_turn, 2e-6);
}

TEST(DynamicsTargets, CarryWhatLiesOnThem) {
    const RigidBody bodies[] = {kinematic_at(0, 0.5, 0), body_at(0, 1.5, 0)};
    World world = make_world(world_hulls(), bodies);
    run(world, 2);
    ASSERT_TRUE(world.asleep(1));
    const float upright[4] = {0, 0, 0, 1};
    double target[3] = {0, 0.5, 0};
    expect_good(world.set_target(0, target, upright, kWorldStep));
    EXPECT_TRUE(world.asleep(1)) << "the body is there already: nothing wakes";
    for (int k = 0; k < 60; ++k) {
        target[0] += 0.01;
        target[1] += 0.02;
        expect_good(world.set_target(0, target, upright, kWorldStep));
        ASSERT_TRUE(world.step(kWorldStep).status);
    }
    EXPECT_NEAR(world.centre(1).y, target[1] + 1, 0.03);
    EXPECT_NEAR(world.centre(1).x, target[0], 0.1);
}

TEST(DynamicsTargets, BadOnesAreRefused) {
    const RigidBody bodies[] = {kinematic_at(0, 0, 0), body_at(5, 0, 0)};
    World world = make_world(world_hulls(), bodies);
    const float upright[4] = {0, 0, 0, 1}, none[4] = {0, 0, 0, 0};
    const double there[3] = {0, 1, 0}, nowhere[3] = {0, std::nan(""), 0}, far[3] = {1e30, 0, 0};
    EXPECT_STREQ(world.set_target(1, there, upright, kWorldStep).what, "target: the body is not kinematic");
    EXPECT_EQ(world.set_target(1, there, upright, kWorldStep).where, 1U);
    EXPECT_STREQ(world.set_target(2, there, upright, kWorldStep).what, "there is no such body");
    EXPECT_STREQ(world.set_target(0, nowhere, upright, kWorldStep).what, "target: position is not finite");
    EXPECT_STREQ(world.set_target(0, there, none, kWorldStep).what, "target: orientation is not a unit quaternion");
    EXPECT_STREQ(world.set_target(0, far, upright, kWorldStep).what, "target: velocity or spin would be beyond 1e12");
    EXPECT_STREQ(world.set_target(0, there, upright, 0).what, "dt must be 1e-9 to 10 seconds");
    EXPECT_EQ(world.velocity(0).x, 0);
    expect_good(world.remove(0));
    EXPECT_STREQ(world.set_target(0, there, upright, kWorldStep).what,
                 "the body was removed; set_pose() brings it back");
}

}  // namespace
}  // namespace lanefold::test
