// SPDX-License-Identifier: MIT
//
// Cables and rods between points of bodies.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

WorldSettings awake() {
    WorldSettings s;
    s.sleep = false;
    return s;
}

HullSet small_cubes() {
    const std::vector<Points> shapes{box_points(0.05, 0.05, 0.05)};
    return world_hulls(shapes);
}

// A small bob on a rod of 1 m: length kept, period 2 pi sqrt(l / g) (1 + a^2 / 16 + ...).
TEST(DynamicsLinks, PendulumKeepsItsLengthAndPeriod) {
    const double angle = 0.2;
    const RigidBody bob = body_at(std::sin(angle), -std::cos(angle), 0, 2);
    World world = make_world(small_cubes(), std::span(&bob, 1), awake());
    BodyLink rod;
    rod.length = 1;
    expect_good(world.add_links(std::span(&rod, 1)));
    double worst = 0;
    std::vector<double> crossings;
    double before = world.centre(0).x;
    const double step = 1.0 / 240;
    for (int k = 1; k <= 2400; ++k) {
        ASSERT_TRUE(world.step(step).status);
        const double x = world.centre(0).x;
        if (before > 0 && x <= 0) crossings.push_back(step * (k - 1 + before / (before - x)));
        before = x;
        worst = std::max(worst, std::fabs(length(world.centre(0)) - 1));
    }
    ASSERT_GE(crossings.size(), 3U);
    const double period = (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
    const double want = 2 * std::numbers::pi * std::sqrt(1 / 9.81) * (1 + angle * angle / 16);
    std::printf("period %.5f s, %.5f by the closed form; length off by at most %.3g\n", period, want, worst);
    EXPECT_NEAR(period, want, 2e-3 * want);
    EXPECT_LT(worst, 1e-3);
}

TEST(DynamicsLinks, RodHangsItsLoadAndTellsTheForce) {
    RigidBody load = body_at(0, -2, 0);
    load.mass = 100;
    World world = make_world(world_hulls(), std::span(&load, 1), awake());
    BodyLink rod;
    rod.end_a = {0, 0.5, 0};
    rod.length = 1.5;
    expect_good(world.add_links(std::span(&rod, 1)));
    run(world, 3);
    EXPECT_NEAR(world.centre(0).y, -2, 2e-3);
    EXPECT_NEAR(world.link_force(0), -981, 10);
    EXPECT_EQ(world.link_force(7), 0);
}

TEST(DynamicsLinks, CableIsNothingWhileSlackAndHoldsWhenTaut) {
    const RigidBody bodies[] = {body_at(0, 0, 0, 2)};
    World world = make_world(small_cubes(), bodies, awake());
    BodyLink cable;
    cable.kind = LinkKind::cable;
    cable.length = 1;
    expect_good(world.add_links(std::span(&cable, 1)));
    run(world, 0.3);
    // Falls freely: semi-implicit steps of 1/240 s fall g h t / 2 further than the parabola.
    EXPECT_NEAR(world.centre(0).y, -0.5 * 9.81 * 0.09, 0.01);
    double lowest = 0;
    for (int k = 0; k < 240; ++k) {
        ASSERT_TRUE(world.step(kWorldStep).status);
        lowest = std::min(lowest, world.centre(0).y);
    }
    EXPECT_GT(lowest, -1.01);
    EXPECT_NEAR(world.centre(0).y, -1, 2e-3);
}

TEST(DynamicsLinks, CableBouncesByItsRestitution) {
    const RigidBody bodies[] = {body_at(0, 0, 0, 2)};
    World world = make_world(small_cubes(), bodies, awake());
    BodyLink cable;
    cable.kind = LinkKind::cable;
    cable.length = 1;
    cable.restitution = 0.8F;
    expect_good(world.add_links(std::span(&cable, 1)));
    double highest = -10;
    bool taut = false;
    for (int k = 0; k < 60; ++k) {
        ASSERT_TRUE(world.step(kWorldStep).status);
        taut = taut || world.velocity(0).y > 1;
        if (taut) highest = std::max(highest, world.centre(0).y);
    }
    EXPECT_NEAR(highest, -1 + 0.64, 0.06);
}

// Thirty rods between thirty bodies, hung at one end and dropped level, whose end cracks like a whip.
TEST(DynamicsLinks, ChainOfRodsHoldsTogether) {
    std::vector<RigidBody> bodies;
    std::vector<BodyLink> links;
    for (std::uint32_t i = 0; i < 30; ++i) {
        bodies.push_back(body_at(0.2 * (i + 1), 0, 0, 2));
        BodyLink rod;
        rod.a = i;
        rod.length = 0.2;
        if (i != 0) rod.b = i - 1;
        links.push_back(rod);
    }
    WorldSettings s = awake();
    s.substeps = 8;
    World world = make_world(small_cubes(), bodies, s);
    expect_good(world.add_links(links));
    double worst = 0;
    for (int k = 0; k < 600; ++k) {
        ASSERT_TRUE(world.step(kWorldStep).status);
        for (std::size_t i = 0; i < 30; ++i) {
            const Vec3d other = i == 0 ? Vec3d{} : world.centre(i - 1);
            worst = std::max(worst, std::fabs(length(world.centre(i) - other) - 0.2));
        }
    }
    std::printf("rods of 0.2 m are off by at most %.3g m\n", worst);
    EXPECT_LT(worst, 0.002);
}

}  // namespace
}  // namespace lanefold::test
