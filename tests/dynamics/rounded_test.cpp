// SPDX-License-Identifier: MIT
//
// Rounded bodies in a world: spheres roll as the textbook says, capsules and rounded crates come to rest and sleep, no
// energy comes, and the bits are those of every instruction set.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <gtest/gtest.h>

#include "support/isa_fixture.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr double kGravity = 9.81;
constexpr std::uint32_t kFloor = 0, kSphere = 2, kCapsule = 3, kCrate = 4, kStone = 5;

// Floor and cube of world_hulls(), a sphere of 0.5, a capsule of 0.25 along x, a crate of 1 m with rounded edges, and a
// rounded tetrahedron.
HullSet rounded_hulls() {
    const std::vector<Points> points{
        box_points(50, 1, 50),
        box_points(0.5, 0.5, 0.5),
        {{0, 0, 0}},
        {{-0.5F, 0, 0}, {0.5F, 0, 0}},
        box_points(0.45, 0.45, 0.45),
        {{0.3F, 0.3F, 0.3F}, {0.3F, -0.3F, -0.3F}, {-0.3F, 0.3F, -0.3F}, {-0.3F, -0.3F, 0.3F}}};
    const float radii[] = {0, 0, 0.5F, 0.25F, 0.05F, 0.2F};
    return build_library(points, radii).hulls;
}

double energy_of(const World& world) {
    const WorldMotion m = world.motion();
    return m.kinetic_energy + m.potential_energy;
}

WorldSettings awake() {
    WorldSettings s;
    s.sleep = false;
    return s;
}

// A dead impact without gravity leaves pushes that become denormal; their inverses are not finite.
TEST(DynamicsRounded, ABallThatStopsWhereNothingWeighsIsNotLost) {
    const HullSet hulls = rounded_hulls();
    WorldSettings s = awake();
    s.gravity = {0, 0, 0};
    for (std::uint32_t i = 0; i < 1000; ++i) {
        Random random(77, i);
        RigidBody floor = world_floor(), ball = body_at(0, 0.5 + random.log_uniform(5e-6, 0.5), 0, kSphere);
        floor.friction = ball.friction = 0;
        const double speed = random.log_uniform(5, 5000), angle = random.uniform(0, 1.4);
        ball.velocity[0] = static_cast<float>(speed * std::sin(angle));
        ball.velocity[1] = static_cast<float>(-speed * std::cos(angle));
        World world = make_world(hulls, std::vector<RigidBody>{floor, ball}, s);
        for (int k = 0; k < 3; ++k) expect_good(world.step(1.0 / 120).status);
        ASSERT_FALSE(world.lost(1)) << i;
    }
}

// A sphere that slides rolls at last with 5/7 of its speed (G. Coriolis, 1835), whatever the friction.
TEST(DynamicsRounded, ASlidingSphereRollsWithFiveSeventhsOfItsSpeed) {
    for (const float friction : {0.2F, 0.6F, 2.0F}) {
        RigidBody ball = body_at(0, 0.5, 0, kSphere);
        ball.velocity[0] = 3;
        ball.friction = friction;
        RigidBody floor = world_floor();
        floor.friction = friction;
        World world = make_world(rounded_hulls(), std::vector<RigidBody>{floor, ball}, awake());
        run(world, 3);
        const double v = static_cast<double>(world.velocity(1).x), w = static_cast<double>(world.spin(1).z);
        std::printf("friction %.1f: rolls at %.4f of 3 m/s, slips at %.2g m/s\n", static_cast<double>(friction), v / 3,
                    v + 0.5 * w);
        EXPECT_NEAR(v, 3 * 5.0 / 7, 1e-3) << friction;
        EXPECT_NEAR(w, -v / 0.5, 1e-4) << friction;
        EXPECT_NEAR(world.centre(1).y, 0.5, 2e-3);
    }
}

// Down a slope a sphere that rolls gets 5/7 of the acceleration of one that slides.
TEST(DynamicsRounded, ASphereRollsDownASlope) {
    const double slope = 0.2;
    WorldSettings s = awake();
    s.gravity = {static_cast<float>(kGravity * std::sin(slope)), static_cast<float>(-kGravity * std::cos(slope)), 0};
    World world = make_world(rounded_hulls(), std::vector<RigidBody>{world_floor(), body_at(0, 0.5, 0, kSphere)}, s);
    run(world, 2);
    const double wanted = 5.0 / 7 * kGravity * std::sin(slope) * 2;
    EXPECT_NEAR(static_cast<double>(world.velocity(1).x), wanted, 1e-3 * wanted);
}

TEST(DynamicsRounded, ACapsuleSettlesAndSleeps) {
    for (const double tilt : {0.0, 0.3, 1.2}) {
        RigidBody capsule = body_at(0, 1.5, 0, kCapsule);
        set_rotation(capsule, {0, 0, std::sin(tilt / 2), std::cos(tilt / 2)});
        World world = make_world(rounded_hulls(), std::vector<RigidBody>{world_floor(), capsule});
        run(world, 6);
        EXPECT_NEAR(world.centre(1).y, 0.25, 2e-3) << tilt;
        EXPECT_TRUE(world.asleep(1)) << tilt;
        EXPECT_EQ(world.contacts().front().count, 2U) << tilt;
    }
}

TEST(DynamicsRounded, RoundedCratesStandAndSleep) {
    std::vector<RigidBody> bodies{world_floor()};
    for (int i = 0; i < 6; ++i) bodies.push_back(body_at(0, 0.5 + i, 0, kCrate));
    for (const bool sleep : {true, false}) {
        WorldSettings s;
        s.sleep = sleep;
        World world = make_world(rounded_hulls(), bodies, s);
        run(world, 8);
        for (std::uint32_t i = 1; i <= 6; ++i) {
            EXPECT_NEAR(world.centre(i).y, i - 0.5, 5e-3) << i;
            EXPECT_LT(std::hypot(world.centre(i).x, world.centre(i).z), 1e-3) << i;
            EXPECT_EQ(world.asleep(i), sleep) << i;
        }
    }
}

// Rounded bodies of all kinds fall on a floor, spinning.
TEST(DynamicsRounded, SpinningBodiesGainNothingFromAFloor) {
    Random random(41);
    double worst = 0;
    for (const std::uint32_t hull : {kSphere, kCapsule, kCrate, kStone}) {
        for (const double speed : {5.0, 20.0, 60.0}) {
            for (int k = 0; k < 20; ++k) {
                RigidBody body = body_at(0, 1.5, 0, hull);
                set_rotation(body, random.rotation());
                const Vec3f spin = to_float(rotation(random.rotation()) * Vec3d{speed, 0, 0});
                std::memcpy(body.spin, &spin, sizeof body.spin);
                body.velocity[1] = -2;
                World world = make_world(rounded_hulls(), std::vector<RigidBody>{world_floor(), body}, awake());
                const double before = energy_of(world);
                for (int i = 0; i < 120; ++i) {
                    expect_good(world.step(kWorldStep).status);
                    worst = std::max(worst, energy_of(world) / before);
                }
                EXPECT_GT(world.centre(1).y, 0);
            }
        }
    }
    std::printf("most energy of spinning rounded bodies on a floor: %.4f of what they had\n", worst);
    EXPECT_LT(worst, 1.01);
}

TEST(DynamicsRounded, AnElasticBallReturns) {
    RigidBody ball = body_at(0, 2.5, 0, kSphere);
    ball.restitution = 1;
    RigidBody floor = world_floor();
    floor.restitution = 1;
    World world = make_world(rounded_hulls(), std::vector<RigidBody>{floor, ball}, awake());
    double top = 0;
    run(world, 0.7);
    for (int i = 0; i < 60; ++i) {
        run(world, kWorldStep);
        top = std::max(top, world.centre(1).y);
    }
    EXPECT_NEAR(top, 2.5, 0.05);
}

// A heap of all of them, in the corner of two walls.
StandingScene heap() {
    StandingScene scene{"heap", rounded_hulls(), {world_floor()}};
    Random random(6);
    for (int i = 0; i < 60; ++i) {
        const std::uint32_t kinds[] = {kSphere, kCapsule, kCrate, kStone, 1};
        RigidBody body = body_at(1.1 * (i % 3) - 1.1, 0.8 + 1.1 * (i / 9), 1.1 * (i / 3 % 3) - 1.1, kinds[i % 5]);
        set_rotation(body, random.rotation());
        scene.bodies.push_back(body);
    }
    return scene;
}

class DynamicsRoundedBits : public IsaTest {};

TEST_P(DynamicsRoundedBits, AreThoseOfTheScalarKernels) {
    World scalar = make_awake_world(heap(), Isa::scalar);
    World world = make_awake_world(heap(), GetParam());
    for (int i = 0; i < 89; ++i) {
        expect_good(scalar.step(kWorldStep).status);
        expect_good(world.step(kWorldStep).status);
    }
    EXPECT_GT(world.contacts().size(), 60U);
    EXPECT_EQ(state_hash(world), state_hash(scalar));
}
LANEFOLD_INSTANTIATE_ISA_TESTS(DynamicsRoundedBits);

TEST(DynamicsRounded, AHeapComesToRestWithoutSinking) {
    const StandingScene scene = heap();
    World world = make_world(scene);
    run(world, 12);
    for (std::uint32_t i = 1; i < world.size(); ++i) {
        EXPECT_FALSE(world.lost(i));
        EXPECT_GT(world.centre(i).y, 0.15) << i;
        EXPECT_LT(speed_of(world, i), 12) << i;
    }
    std::vector<std::byte> bytes;
    expect_good(world.save(bytes));
    World again = make_world(scene);
    expect_good(again.restore(bytes));
    run(world, 0.5);
    run(again, 0.5);
    EXPECT_EQ(state_hash(world), state_hash(again));
}

}  // namespace
}  // namespace lanefold::test
