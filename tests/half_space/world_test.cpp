// SPDX-License-Identifier: MIT
//
// Half-spaces in a World: bodies rest, slide and bounce on them as on a large box; stacks stand; slopes hold by
// friction; they can only be fixed; the same bits with any number of threads and after a restart.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <lanefold/half_space.hpp>
#include <lanefold/isa.hpp>

#include "support/hulls.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

enum Id : std::uint32_t { kPlane, kFloorBox, kCube, kPlate, kPrism };

HullSet world_hulls() {
    const HalfSpace plane{{0, 0, 2}, 0};
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    Points floor = box_points(100, 100, 1);
    for (Vec3f& p : floor) p.z -= 1;
    for (const Points& p : {floor, box_points(0.5, 0.5, 0.5), box_points(0.3, 0.2, 0.002), prism_points(9, 0.4, 0.3)}) {
        points.insert(points.end(), p.begin(), p.end());
        offsets.push_back(points.size());
    }
    return build_half_spaces(std::span(&plane, 1)).hulls.append(build_hulls(points, offsets).hulls);
}

RigidBody ground(std::uint32_t hull, const Quat& q = {}) {
    RigidBody b;
    b.hull = hull;
    b.kind = BodyKind::fixed;
    const double turn[4] = {q.x, q.y, q.z, q.w};
    for (int k = 0; k < 4; ++k) b.orientation[k] = static_cast<float>(turn[k]);
    return b;
}

RigidBody at(std::uint32_t hull, double x, double y, double z) {
    RigidBody b;
    b.hull = hull;
    b.position[0] = x;
    b.position[1] = y;
    b.position[2] = z;
    return b;
}

WorldSettings down_z() {
    WorldSettings settings;
    settings.gravity = {0, 0, -9.81F};
    return settings;
}

// Cubes, plates and prisms that fall, slide and tumble, on a plane and on a box that has the same top.
TEST(HalfSpaceWorld, MotionsAreThoseOnALargeBox) {
    World worlds[2];
    for (const std::uint32_t floor : {kPlane, kFloorBox}) {
        std::vector<RigidBody> bodies{ground(floor)};
        for (int i = 0; i < 6; ++i) {
            RigidBody b = at(i % 3 == 0 ? kCube : i % 3 == 1 ? kPlate : kPrism, 3.0 * i, 0, 0);
            b.position[2] = i % 3 == 0 ? 0.5 : i % 3 == 1 ? 0.002 : 0.3;
            b.friction = 0.3F;
            b.velocity[1] = 1.0F + 0.3F * static_cast<float>(i);
            bodies.push_back(b);
        }
        worlds[floor] = make_world(world_hulls(), bodies, down_z());
    }
    for (World& world : worlds) run(world, 2);
    for (std::size_t i = 1; i < worlds[0].size(); ++i) {
        const double speed = 1.0 + 0.3 * static_cast<double>(i - 1);
        const double way = speed * speed / (2 * std::sqrt(0.3 * 0.6) * 9.81);
        // Both keep four of the nine corners of a prism, but not the same.
        const double within = (i - 1) % 3 == 2 ? 1e-2 : 1e-3;
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(worlds[0].bodies()[i].position[k], worlds[1].bodies()[i].position[k], within) << i;
        }
        EXPECT_GT(worlds[0].bodies()[i].position[1], 0.5 * way) << i;
        EXPECT_LT(speed_of(worlds[0], i), 1e-3) << i;
        EXPECT_LT(speed_of(worlds[1], i), 1e-3) << i;
    }
}

TEST(HalfSpaceWorld, ATowerStandsAndPlatesLieFlat) {
    std::vector<RigidBody> bodies{ground(kPlane)};
    for (int i = 0; i < 10; ++i) bodies.push_back(at(kCube, 50, 0, 0.5 + i));
    for (int i = 0; i < 5; ++i) bodies.push_back(at(kPlate, 60 + i, 0, 0.05));
    World world = make_world(world_hulls(), bodies, down_z());
    run(world, 1);
    const std::vector<BodyD> then(world.bodies().begin(), world.bodies().end());
    run(world, 5);
    for (std::size_t i = 1; i < bodies.size(); ++i) {
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(world.bodies()[i].position[k], then[i].position[k], 1e-4) << i;
    }
    for (std::size_t i = 11; i < bodies.size(); ++i) {
        EXPECT_NEAR(world.bodies()[i].position[2], 0.002, 1e-3);
        EXPECT_NEAR(std::fabs(world.bodies()[i].orientation[3]), 1, 1e-3);
    }
}

// A slope of 20 degrees holds a cube of friction 0.5 and not one of 0.2. The plane's body is turned.
TEST(HalfSpaceWorld, SlopesHoldByTheFrictionOfTheClosedForm) {
    constexpr double kSlope = 0.349;
    const Quat turn = about({1, 0, 0}, kSlope);
    for (const float friction : {0.2F, 0.5F}) {
        RigidBody slope = ground(kPlane, turn);
        slope.friction = friction;
        RigidBody cube = at(kCube, 0, 0, 0);
        const Vec3d place = rotation(turn) * Vec3d{0, 0, 0.5};
        cube.position[1] = place.y;
        cube.position[2] = place.z;
        const float q[4] = {static_cast<float>(turn.x), 0, 0, static_cast<float>(turn.w)};
        std::copy_n(q, 4, cube.orientation);
        cube.friction = friction;
        const RigidBody bodies[] = {slope, cube};
        World world = make_world(world_hulls(), bodies, down_z());
        run(world, 1);
        const Vec3d moved{0, world.bodies()[1].position[1] - place.y, world.bodies()[1].position[2] - place.z};
        const double acceleration = 9.81 * (std::sin(kSlope) - static_cast<double>(friction) * std::cos(kSlope));
        const double way = acceleration > 0 ? 0.5 * acceleration : 0;
        EXPECT_NEAR(length(moved), way, 0.03 * way + 1e-3) << friction;
        EXPECT_NEAR(dot(rotation(turn) * Vec3d{0, 0, 1}, moved), 0, 1e-3);
    }
}

TEST(HalfSpaceWorld, TheyCanOnlyBeFixed) {
    World world(world_hulls());
    for (const BodyKind kind : {BodyKind::dynamic, BodyKind::kinematic}) {
        RigidBody b = ground(kPlane);
        b.kind = kind;
        const RigidBody bodies[] = {at(kCube, 0, 0, 1), b};
        const CallStatus status = world.add_bodies(bodies);
        EXPECT_EQ(status.code, Status::bad_argument);
        EXPECT_EQ(status.where, 1U);
        EXPECT_EQ(world.size(), 0U);
    }
}

TEST(HalfSpaceWorld, BitsDoNotDependOnThreadsInstructionSetOrRestart) {
    std::vector<RigidBody> bodies{ground(kPlane)};
    Random random(1401);
    for (int i = 0; i < 60; ++i) {
        bodies.push_back(at(kCube + random.index(3), random.uniform(-3, 3), random.uniform(-3, 3),
                            1 + 0.7 * static_cast<double>(i % 10)));
    }
    std::uint64_t expected = 0;
    for (const Isa isa : available_isas()) {
        for (const std::uint32_t threads : {1U, 3U}) {
            WorldSettings settings = down_z();
            settings.isa = isa;
            settings.threads = threads;
            World world = make_world(world_hulls(), bodies, settings);
            run(world, 0.25);
            std::vector<std::byte> saved;
            ASSERT_TRUE(world.save(saved));
            World other = make_world(world_hulls(), bodies, settings);
            ASSERT_TRUE(other.restore(saved));
            run(world, 0.25);
            run(other, 0.25);
            EXPECT_EQ(state_hash(world), state_hash(other));
            if (expected == 0) expected = state_hash(world);
            EXPECT_EQ(state_hash(world), expected) << lanefold::to_string(isa) << ", " << threads;
            for (std::size_t i = 1; i < world.size(); ++i) EXPECT_GT(world.bodies()[i].position[2], 0) << i;
        }
    }
}

// A body that rests on a plane that set_pose() takes away falls.
TEST(HalfSpaceWorld, APlaneThatIsPutElsewhereWakesWhatLiesOnIt) {
    const RigidBody bodies[] = {ground(kPlane), at(kCube, 0, 0, 0.5)};
    World world = make_world(world_hulls(), bodies, down_z());
    run(world, 5);
    EXPECT_NEAR(world.bodies()[1].position[2], 0.5, 1e-3);
    const double down[3] = {0, 0, -2};
    const float upright[4] = {0, 0, 0, 1};
    ASSERT_TRUE(world.set_pose(0, down, upright));
    run(world, 3);
    EXPECT_NEAR(world.bodies()[1].position[2], -1.5, 1e-3);
}

}  // namespace
}  // namespace lanefold::test
