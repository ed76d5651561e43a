// SPDX-License-Identifier: MIT
//
// Bodies with a scale in a World: they move as bodies of the scaled hulls to the last bit, their mass and inertia grow
// with the third and the fifth power, and what is no scale is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <lanefold/compound.hpp>
#include <lanefold/scaled_hulls.hpp>
#include <lanefold/world_batch.hpp>

#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

// A floor, a box, a tetrahedron, a rounded box, a sphere, and a compound of the box and the sphere.
HullSet scale_hulls() {
    Points points;
    std::vector<std::uint64_t> offsets{0};
    for (const Points& p :
         {box_points(20, 0.5, 20), box_points(0.3, 0.2, 0.4),
          Points{{0.4F, 0.4F, 0.4F}, {0.4F, -0.4F, -0.4F}, {-0.4F, 0.4F, -0.4F}, {-0.4F, -0.4F, 0.4F}},
          box_points(0.25, 0.25, 0.25), Points{{0, 0, 0}}}) {
        points.insert(points.end(), p.begin(), p.end());
        offsets.push_back(points.size());
    }
    const float radii[] = {0, 0, 0, 0.1F, 0.3F};
    BuildOptions options;
    options.radii = radii;
    const HullSet hulls = build_hulls(points, offsets, options).hulls;
    CompoundChild children[2];
    children[0].hull = 1;
    children[1].hull = 4;
    children[1].position[2] = 0.5;
    return build_compound(hulls, children).hulls;
}

std::vector<RigidBody> falling_bodies() {
    Random random(71);
    std::vector<RigidBody> bodies{body_at(0, -0.5, 0, 0)};
    bodies[0].kind = BodyKind::fixed;
    const float scales[] = {1, 0.5F, 1.7F, 0.5F, 2.25F, 1};
    for (std::uint32_t i = 0; i < 40; ++i) {
        RigidBody body = body_at(random.uniform(-1.5, 1.5), 1 + 0.7 * i, random.uniform(-1.5, 1.5), 1 + i % 5);
        set_rotation(body, random.rotation());
        body.scale = scales[i % 6];
        bodies.push_back(body);
    }
    return bodies;
}

TEST(DynamicsScale, BodiesMoveAsTheScaledHullsToTheLastBit) {
    const HullSet hulls = scale_hulls();
    const std::vector<RigidBody> bodies = falling_bodies();
    ScaledHulls scaled(hulls);
    std::vector<RigidBody> unscaled = bodies;
    for (RigidBody& body : unscaled) {
        body.hull = scaled.take(body.hull, {body.scale, body.scale, body.scale}).ids.at(0);
        body.scale = 1;
    }
    World own(hulls);
    World baked(scaled.hulls());
    expect_good(own.add_bodies(bodies));
    expect_good(baked.add_bodies(unscaled));
    EXPECT_GT(own.hulls().size(), hulls.size() + 8);
    const std::size_t known = own.hulls().size();
    std::uint64_t contacts = 0;
    for (int step = 0; step < 240; ++step) {
        const StepResult r = own.step(kWorldStep);
        expect_good(r.status);
        expect_good(baked.step(kWorldStep).status);
        contacts += r.contacts;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            ASSERT_EQ(std::memcmp(own.bodies()[i].position, baked.bodies()[i].position, sizeof(double[3])), 0)
                << step << " " << i;
            ASSERT_EQ(own.velocity(i), baked.velocity(i)) << step << " " << i;
        }
    }
    EXPECT_GT(contacts, 2000U);
    // The same scales again: no hull more. Saved states go on in a world that was made alike.
    std::vector<std::byte> saved;
    expect_good(own.save(saved));
    World other(hulls);
    expect_good(other.add_bodies(bodies));
    expect_good(other.restore(saved));
    expect_good(own.add_bodies(std::span(bodies).subspan(1, 5)));
    EXPECT_EQ(own.hulls().size(), known);
    World without(hulls);
    expect_good(without.add_bodies(std::span(bodies).first(1)));
    EXPECT_FALSE(static_cast<bool>(without.restore(saved)));
    // More hulls follow those that the world has.
    expect_good(own.set_hulls(own.hulls().append(hulls)));
    EXPECT_FALSE(static_cast<bool>(own.set_hulls(hulls)));
}

TEST(DynamicsScale, MassAndInertiaGrowAsPowers) {
    const HullSet hulls = scale_hulls();
    for (std::uint32_t hull = 1; hull < hulls.size(); ++hull) {
        for (const float s : {0.25F, 1.5F, 3.0F}) {
            World world(hulls);
            RigidBody body = body_at(0, 0, 0, hull);
            body.scale = s;
            const RigidBody both[] = {body_at(5, 0, 0, hull), body};
            expect_good(world.add_bodies(both));
            const auto ds = static_cast<double>(s);
            EXPECT_NEAR(world.mass(1) / world.mass(0), ds * ds * ds, 1e-6 * ds * ds * ds);
            const MassProperties& one = world.hulls().info(hull).mass;
            const MassProperties& own = world.hulls().info(world.bodies()[1].hull).mass;
            const auto trace = [](const Mat3d& m) { return m.row[0].x + m.row[1].y + m.row[2].z; };
            EXPECT_NEAR(trace(own.inertia) / trace(one.inertia), std::pow(ds, 5), 1e-5 * std::pow(ds, 5));
            EXPECT_NEAR(length(world.centre(1)), ds * length(world.centre(0) - Vec3d{5, 0, 0}), 1e-6);
        }
    }
}

TEST(DynamicsScale, WhatIsNoScaleIsRefusedAndChangesNothing) {
    const float inf = std::numeric_limits<float>::infinity();
    World world(scale_hulls());
    const std::size_t before = world.hulls().size();
    for (const float s : {0.0F, -1.0F, inf, std::nanf(""), 1e-40F, 1e30F, 1e-30F}) {
        RigidBody bodies[3] = {body_at(0, 0, 0, 1), body_at(1, 0, 0, 2), body_at(2, 0, 0, 3)};
        bodies[1].scale = 2;
        bodies[2].scale = s;
        const CallStatus status = world.add_bodies(bodies);
        EXPECT_EQ(status.code, Status::bad_argument) << s;
        EXPECT_EQ(status.where, 2U) << s;
        EXPECT_EQ(world.size(), 0U);
        EXPECT_EQ(world.hulls().size(), before);
    }
    RigidBody nothing = body_at(0, 0, 0, 99);
    nothing.scale = 2;
    EXPECT_EQ(world.add_bodies({&nothing, 1}).code, Status::bad_argument);
}

TEST(DynamicsScale, WorldsOfABatchMoveAsAlone) {
    const HullSet hulls = scale_hulls();
    const std::vector<RigidBody> bodies = falling_bodies();
    WorldBatch batch(hulls, 3);
    expect_good(batch.add_bodies(bodies));
    World alone(hulls);
    expect_good(alone.add_bodies(bodies));
    for (int step = 0; step < 60; ++step) {
        expect_good(batch.step(kWorldStep).status);
        expect_good(alone.step(kWorldStep).status);
    }
    for (std::size_t w = 0; w < 3; ++w) {
        for (std::size_t i = 0; i < bodies.size(); ++i)
            EXPECT_EQ(batch.world(w).velocity(i), alone.velocity(i)) << w << " " << i;
    }
}

// A world that takes back bodies because a later one refuses its own takes back the hulls of their scales, too.
TEST(DynamicsScale, BodiesThatOneWorldOfABatchRefusesLeaveNoHulls) {
    const HullSet hulls = scale_hulls();
    WorldBatch batch(hulls, 3);
    std::vector<RigidBody> bodies(3, body_at(0, 0, 0, 1));
    bodies[0].scale = 2;
    bodies[1].scale = 3;
    bodies[2].scale = -1;
    const CallStatus status = batch.add_bodies_of_each(bodies);
    EXPECT_EQ(status.code, Status::bad_argument);
    EXPECT_EQ(status.where, 2U);
    for (std::size_t w = 0; w < 3; ++w) EXPECT_EQ(batch.world(w).hulls().size(), hulls.size()) << w;
    // Hulls that come now have the numbers that the scaled ones had.
    const HullSet more = hulls.append(hulls);
    expect_good(batch.set_hulls(more));
    bodies[2].scale = 1;
    expect_good(batch.add_bodies_of_each(bodies));
    for (std::size_t w = 0; w < 3; ++w) {
        World alone(more);
        expect_good(alone.add_bodies({&bodies[w], 1}));
        EXPECT_EQ(batch.world(w).mass(0), alone.mass(0)) << w;
    }
}

}  // namespace
}  // namespace lanefold::test
