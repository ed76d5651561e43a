// SPDX-License-Identifier: MIT
//
// Energy that nobody puts in does not appear: in free flight, in contact, in impacts, where steps change their length.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <gtest/gtest.h>

#include "support/random.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kRod = 2, kNail = 3, kBrick = 4;

HullSet thin_hulls() {
    return world_hulls(
        std::vector<Points>{box_points(0.05, 0.05, 1), box_points(0.005, 0.01, 0.1), box_points(0.2, 0.6, 0.9)});
}

WorldSettings awake() {
    WorldSettings s;
    s.sleep = false;
    return s;
}

RigidBody spinning(std::uint32_t hull, double speed, double height, Random& random) {
    RigidBody body = body_at(0, height, 0, hull);
    set_rotation(body, random.rotation());
    const Vec3d axis = rotation(random.rotation()) * Vec3d{1, 0, 0};
    const Vec3f spin = to_float(axis * speed);
    std::memcpy(body.spin, &spin, sizeof body.spin);
    return body;
}

double energy_of(const World& world) {
    const WorldMotion m = world.motion();
    return m.kinetic_energy + m.potential_energy;
}

// Thin bodies that nothing touches, up to a sixth of a radian a substep: of a rod whose moments are as 1 to 200 an
// explicit rule multiplies the energy.
TEST(DynamicsEnergy, FreeBodiesKeepEnergyAndAngularMomentum) {
    Random random(31);
    WorldSettings s = awake();
    s.gravity = {};
    double energy = 0, angular = 0;
    for (const std::uint32_t hull : {kRod, kNail, kBrick}) {
        for (const double speed : {10.0, 30.0, 100.0}) {
            for (int k = 0; k < 40; ++k) {
                const RigidBody body = spinning(hull, speed, 0, random);
                World world = make_world(thin_hulls(), {&body, 1}, s);
                const WorldMotion before = world.motion();
                for (int i = 0; i < 120; ++i) {
                    expect_good(world.step(kWorldStep).status);
                    const WorldMotion now = world.motion();
                    energy = std::max(energy, std::fabs(now.kinetic_energy / before.kinetic_energy - 1));
                    angular = std::max(angular, length(now.angular_momentum - before.angular_momentum) /
                                                    length(before.angular_momentum));
                }
            }
        }
    }
    std::printf("2 s of free turning: energy changed by %.2g, angular momentum by %.2g of themselves\n", energy,
                angular);
    EXPECT_LT(energy, 2e-3);
    EXPECT_LT(angular, 2e-3);
}

// A spin beyond what a substep can show is not cut: the body turns by less than it should, and keeps its momentum.
TEST(DynamicsEnergy, FastSpinsAreNotCut) {
    WorldSettings s = awake();
    s.gravity = {};
    for (const BodyKind kind : {BodyKind::dynamic, BodyKind::kinematic}) {
        RigidBody body = body_at(0, 0, 0);
        body.kind = kind;
        body.spin[1] = 5000;
        World world = make_world(world_hulls(), {&body, 1}, s);
        run(world, 1);
        EXPECT_NEAR(world.spin(0).y, 5000, kind == BodyKind::kinematic ? 0 : 5);
    }
}

// Bodies that fall, spinning, on a floor with the material of a new RigidBody.
TEST(DynamicsEnergy, SpinningBodiesGainNothingFromAFloor) {
    Random random(37);
    double worst = 0;
    for (const std::uint32_t hull : {kRod, kNail, kBrick}) {
        for (const double speed : {10.0, 30.0, 60.0, 100.0}) {
            for (int k = 0; k < 40; ++k) {
                RigidBody body = spinning(hull, speed, 1.3, random);
                body.velocity[1] = -2;
                const RigidBody bodies[] = {world_floor(), body};
                World world = make_world(thin_hulls(), bodies, awake());
                const double before = energy_of(world);
                for (int i = 0; i < 120; ++i) {
                    expect_good(world.step(kWorldStep).status);
                    worst = std::max(worst, energy_of(world) / before);
                }
            }
        }
    }
    std::printf("most energy of spinning bodies on a floor: %.4f of what they had\n", worst);
    EXPECT_LT(worst, 1.01);
}

// Bricks that lose nothing in impacts, in a closed room without gravity.
TEST(DynamicsEnergy, ElasticBodiesInARoomGainNothing) {
    const double wall = 3;
    const HullSet hulls = world_hulls(std::vector<Points>{box_points(wall, 0.5, wall), box_points(0.5, wall, wall),
                                                          box_points(wall, wall, 0.5), box_points(0.2, 0.35, 0.5)});
    double worst = 0, least = 1;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Random random(seed);
        std::vector<RigidBody> bodies;
        for (int side : {-1, 1}) {
            const double at = side * (wall + 0.5);
            bodies.push_back(body_at(0, at, 0, 2));
            bodies.push_back(body_at(at, 0, 0, 3));
            bodies.push_back(body_at(0, 0, at, 4));
        }
        for (RigidBody& b : bodies) b.kind = BodyKind::fixed;
        for (int k = 0; k < 12; ++k) {
            const int row = k / 3 % 2, layer = k / 6;
            RigidBody b = body_at(1.8 * (k % 3) - 1.8, 1.6 * row - 0.8, 1.8 * layer - 0.9, 5);
            set_rotation(b, random.rotation());
            const Vec3f v = to_float(random.in_ball() * 8.0);
            std::memcpy(b.velocity, &v, sizeof b.velocity);
            bodies.push_back(b);
        }
        for (RigidBody& b : bodies) b.restitution = 1, b.friction = 0;
        WorldSettings s = awake();
        s.gravity = {};
        World world = make_world(hulls, bodies, s);
        const double before = energy_of(world);
        for (int i = 0; i < 1200; ++i) {
            expect_good(world.step(kWorldStep).status);
            worst = std::max(worst, energy_of(world) / before);
        }
        least = std::min(least, energy_of(world) / before);
    }
    std::printf("20 s of elastic bricks in a room: at most %.4f of their energy, at the end at least %.4f\n", worst,
                least);
    EXPECT_LT(worst, 1.02);
    EXPECT_GT(least, 0.03);
}

// A level tower whose steps change their length a thousandfold in every step.
TEST(DynamicsEnergy, StepsOfAnyLengthLeaveATowerStanding) {
    for (const double shorter : {2.0, 30.0, 1000.0, 1e5}) {
        World world = make_world(tower_scene(5), awake());
        double fastest = 0;
        for (int i = 0; i < 600; ++i) {
            expect_good(world.step(i % 2 == 0 ? kWorldStep : kWorldStep / shorter).status);
            fastest = std::max(fastest, speed_of(world, 5));
        }
        EXPECT_LT(fastest, 0.1) << shorter;
        EXPECT_NEAR(world.centre(5).y, 4.5, 0.01) << shorter;
        EXPECT_NEAR(world.centre(5).x, 0, 0.01) << shorter;
    }
}

// In a long step gravity alone takes a body further than its margin.
TEST(DynamicsEnergy, LongStepsFindTheFloor) {
    for (const double dt : {0.1, 0.25, 0.5, 1.0}) {
        World world = make_world(world_hulls(), std::vector<RigidBody>{world_floor(), body_at(0, 3, 0)}, awake());
        for (int i = 0; i < 40; ++i) expect_good(world.step(dt).status);
        EXPECT_NEAR(world.centre(1).y, 0.5, 0.1) << dt;
    }
}

}  // namespace
}  // namespace lanefold::test
