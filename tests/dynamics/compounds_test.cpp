// SPDX-License-Identifier: MIT
//
// Rigid bodies of several pieces: masses in closed form, what stands and what tips, what hangs on what; and a compound
// of one child, which is its hull.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "support/compound_bodies.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr double kGravity = 9.81;
constexpr double kPi = 3.14159265358979323846;

double energy_of(const World& world) {
    const WorldMotion m = world.motion();
    return m.kinetic_energy + m.potential_energy;
}

WorldSettings awake() {
    WorldSettings s;
    s.sleep = false;
    return s;
}

std::vector<Pair> all_pairs(std::size_t bodies) {
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < bodies; ++a)
        for (std::uint32_t b = a + 1; b < bodies; ++b) pairs.push_back({a, b});
    return pairs;
}

void expect_same(const World& a, const World& b, std::size_t body) {
    EXPECT_EQ(std::memcmp(a.bodies()[body].position, b.bodies()[body].position, sizeof(double[3])), 0) << body;
    EXPECT_EQ(std::memcmp(a.bodies()[body].orientation, b.bodies()[body].orientation, sizeof(float[4])), 0) << body;
    EXPECT_EQ(a.velocity(body), b.velocity(body)) << body;
    EXPECT_EQ(a.spin(body), b.spin(body)) << body;
    EXPECT_EQ(a.asleep(body), b.asleep(body)) << body;
}

// Pairs with compounds have no hysteresis, and their boxes are looser: so none here, and all pairs are given.
TEST(DynamicsCompounds, AChildAloneIsItsHullToTheLastBit) {
    CompoundBodies make;
    make.capsule(0.4F, 0.2F);
    make.ball(0.3F);
    make.hull(box_points(0.3, 0.2, 0.4), 0.05F);
    make.hull({{0.4F, 0.4F, 0.4F}, {0.4F, -0.4F, -0.4F}, {-0.4F, 0.4F, -0.4F}, {-0.4F, -0.4F, 0.4F}}, 0);
    const auto own = static_cast<std::uint32_t>(make.hulls().size());
    const HullSet hulls = with_lone_children(make.hulls());
    Random random(5);
    std::vector<RigidBody> bodies{world_floor()};
    for (int i = 0; i < 40; ++i) {
        RigidBody body = body_at(random.uniform(-1.5, 1.5), 1 + 0.4 * i, random.uniform(-1.5, 1.5),
                                 1 + static_cast<std::uint32_t>(i) % (own - 1));
        set_rotation(body, random.rotation());
        body.restitution = i % 5 == 0 ? 0.5F : 0.0F;
        bodies.push_back(body);
    }
    std::vector<RigidBody> alone = bodies;
    for (RigidBody& body : alone) body.hull += own;
    WorldSettings s;
    s.hysteresis = 0;
    World plain = make_world(hulls, bodies, s), compounds = make_world(hulls, alone, s);
    const std::vector<Pair> pairs = all_pairs(bodies.size());
    std::uint64_t contacts = 0;
    for (int i = 0; i < 240; ++i) {
        const StepResult r = plain.step(kWorldStep, pairs);
        expect_good(r.status);
        expect_good(compounds.step(kWorldStep, pairs).status);
        contacts += r.contacts;
        for (std::size_t k = 0; k < bodies.size(); ++k) expect_same(compounds, plain, k);
        ASSERT_FALSE(HasFailure()) << "step " << i;
    }
    EXPECT_GT(contacts, 4000U);
}

// Two balls of mass m and radius r, d apart: 2/5 m r^2 each about the axis, and m (d/2)^2 more across it.
TEST(DynamicsCompounds, ADumbbellTurnsWithTheInertiaOfItsBalls) {
    CompoundBodies make;
    const std::uint32_t ball = make.ball(0.2F);
    const std::uint32_t hull = make.piece(ball, 0.7, 0, 0).piece(ball, -0.1, 0, 0).compound();
    RigidBody body = body_at(3, 0, 0, hull);
    body.mass = 10;
    World world = make_world(make.hulls(), std::vector<RigidBody>{body}, awake());
    EXPECT_NEAR(world.centre(0).x, 3.3, 1e-6);
    EXPECT_NEAR(world.mass(0), 10, 1e-5);
    const double along = 2 * 0.4 * 5 * 0.2 * 0.2, across = along + 2 * 5 * 0.4 * 0.4;
    for (const auto& [axis, wanted] :
         {std::pair{Vec3f{1, 0, 0}, along}, std::pair{Vec3f{0, 1, 0}, across}, std::pair{Vec3f{0, 0, 1}, across}}) {
        expect_good(world.set_velocity(0, {}, axis * 2.0F));
        EXPECT_NEAR(world.motion().kinetic_energy, 0.5 * wanted * 4, 1e-5 * wanted);
    }
    RigidBody dense = body_at(0, 0, 0, hull);
    dense.density = 300;
    EXPECT_NEAR(make_world(make.hulls(), std::vector<RigidBody>{dense}).mass(0), 300 * 2 * 4.0 / 3 * kPi * 0.008, 1e-3);
}

TEST(DynamicsCompounds, ATableStandsOnFourLegsAndCarries) {
    CompoundBodies make;
    const std::uint32_t table = make.table();
    std::vector<RigidBody> bodies{world_floor(), body_at(0, 0, 0, table), body_at(0.1, 1.3, 0)};
    bodies[2].mass = 200;
    for (const bool sleep : {false, true}) {
        WorldSettings s;
        s.sleep = sleep;
        World world = make_world(make.hulls(), bodies, s);
        run(world, 6);
        EXPECT_NEAR(world.bodies()[1].position[1], 0, 3e-3);
        EXPECT_LT(std::hypot(world.bodies()[1].position[0], world.bodies()[1].position[2]), 2e-3);
        EXPECT_NEAR(world.centre(2).y, 1.3, 6e-3);
        EXPECT_EQ(world.asleep(1), sleep);
        double load = 0;
        std::vector<std::uint32_t> legs;
        for (std::size_t i = 0; i < world.contacts().size(); ++i) {
            const Manifold4& m = world.contacts()[i];
            if (m.pair[0] != 0) continue;
            EXPECT_EQ(m.pair[1], 1U);
            EXPECT_EQ(m.child_a, 0U);
            legs.push_back(m.child_b);
            for (std::uint32_t k = 0; k < m.count; ++k) load += static_cast<double>(world.impulses()[i].normal[k]);
        }
        EXPECT_EQ(legs, (std::vector<std::uint32_t>{1, 2, 3, 4}));
        const double weight = (world.mass(1) + 200) * kGravity * kWorldStep / world.settings().substeps;
        EXPECT_NEAR(load, weight, 2e-3 * weight);
    }
}

// With an arm that reaches r beyond the foot, the centre of mass is r (0.2 + r) / 2 / (1.2 + r) from the post's middle,
// and the foot ends at 0.1: they are equal where r^2 = 0.24.
TEST(DynamicsCompounds, ABentPostTipsWhereItsCentreOfMassLeavesTheFoot) {
    const double critical = std::sqrt(0.24);
    for (const double part : {0.97, 1.03}) {
        CompoundBodies make;
        const std::uint32_t post = make.bent_post(part * critical);
        World world = make_world(make.hulls(), std::vector<RigidBody>{world_floor(), body_at(0, 0, 0, post)}, awake());
        run(world, 5);
        const double up = 1 - 2 * (static_cast<double>(world.bodies()[1].orientation[0]) *
                                       static_cast<double>(world.bodies()[1].orientation[0]) +
                                   static_cast<double>(world.bodies()[1].orientation[2]) *
                                       static_cast<double>(world.bodies()[1].orientation[2]));
        std::printf("arm of %.2f of the critical reach: up %.4f\n", part, up);
        if (part < 1) {
            EXPECT_GT(up, 0.9999);
        }
        if (part > 1) {
            EXPECT_LT(up, 0.9);
        }
    }
}

// On a slope of much friction a table tips over its lower legs where the plumb line leaves them.
TEST(DynamicsCompounds, ATableTipsAtTheAngleOfItsLegs) {
    CompoundBodies make;
    const std::uint32_t table = make.table();
    const double height = make_world(make.hulls(), std::vector<RigidBody>{body_at(0, 0, 0, table)}).centre(0).y;
    const double critical = std::atan(0.30 / height);
    for (const double part : {0.97, 1.03}) {
        WorldSettings s = awake();
        const double slope = part * critical;
        s.gravity = {0, static_cast<float>(-kGravity * std::cos(slope)),
                     static_cast<float>(kGravity * std::sin(slope))};
        std::vector<RigidBody> bodies{world_floor(), body_at(0, 0, 0, table)};
        for (RigidBody& body : bodies) body.friction = 3;
        World world = make_world(make.hulls(), bodies, s);
        run(world, 4);
        const double turned = 2 * std::hypot(static_cast<double>(world.bodies()[1].orientation[0]),
                                             static_cast<double>(world.bodies()[1].orientation[2]));
        std::printf("table on %.2f of its critical slope: turned by %.4f\n", part, turned);
        if (part < 1) {
            EXPECT_LT(turned, 0.01);
        }
        if (part > 1) {
            EXPECT_GT(turned, 0.3);
        }
    }
}

// A hook hangs on a bar, and a cube stays in a box without a lid: neither is the convex hull of its pieces.
TEST(DynamicsCompounds, HooksHangAndBoxesHold) {
    CompoundBodies make;
    const std::uint32_t bar = make.box(0.05, 0.05, 1);
    const std::uint32_t upright = make.box(0.05, 0.4, 0.05), short_one = make.box(0.05, 0.15, 0.05),
                        across = make.box(0.25, 0.05, 0.05);
    const std::uint32_t hook =
        make.piece(upright, -0.2, -0.4, 0).piece(across, 0, 0, 0).piece(short_one, 0.2, -0.15, 0).compound();
    const std::uint32_t wall = make.box(0.05, 0.5, 1), end = make.box(1, 0.5, 0.05), base = make.box(1, 0.05, 1);
    const std::uint32_t tray = make.piece(base, 0, 0.05, 0)
                                   .piece(wall, -0.95, 0.5, 0)
                                   .piece(wall, 0.95, 0.5, 0)
                                   .piece(end, 0, 0.5, -0.95)
                                   .piece(end, 0, 0.5, 0.95)
                                   .compound();
    std::vector<RigidBody> bodies{world_floor(), body_at(0, 5, 0, bar), body_at(0.02, 5.105, 0, hook),
                                  body_at(10, 0.01, 0, tray), body_at(10.2, 1.5, 0.1)};
    bodies[1].kind = BodyKind::fixed;
    World world = make_world(make.hulls(), bodies);
    run(world, 8);
    EXPECT_NEAR(world.bodies()[2].position[1], 5.1, 0.1);
    EXPECT_LT(speed_of(world, 2), 0.5);
    EXPECT_NEAR(world.centre(4).y, 0.6, 5e-3);
    EXPECT_NEAR(world.bodies()[3].position[1], 0, 5e-3);
    EXPECT_TRUE(world.asleep(4));
}

TEST(DynamicsCompounds, FiguresFallGainNothingAndRest) {
    CompoundBodies make;
    const std::uint32_t figure = make.figure(), jack = make.jack(), dumbbell = make.dumbbell();
    Random random(12);
    double worst = 0;
    for (const std::uint32_t hull : {figure, jack, dumbbell}) {
        int resting = 0, falls = 0;
        for (const double spin : {0.0, 5.0, 20.0}) {
            for (int k = 0; k < 6; ++k, ++falls) {
                RigidBody body = body_at(0, 2.5, 0, hull);
                set_rotation(body, random.rotation());
                const Vec3f w = to_float(random.direction() * spin);
                std::copy_n(&w.x, 3, body.spin);
                World world = make_world(make.hulls(), std::vector<RigidBody>{world_floor(), body});
                const double before = energy_of(world);
                for (int i = 0; i < 600; ++i) {
                    expect_good(world.step(kWorldStep).status);
                    worst = std::max(worst, energy_of(world) / before);
                }
                resting += world.asleep(1) || speed_of(world, 1) < 0.05 ? 1 : 0;
                EXPECT_GT(world.centre(1).y, 0.03);
            }
        }
        std::printf("shape %u: %d of %d rest\n", hull, resting, falls);
        // Nothing stops a dumbbell that rolls.
        if (hull != dumbbell) {
            EXPECT_EQ(resting, falls);
        }
    }
    std::printf("most energy of what they had: %.4f\n", worst);
    EXPECT_LT(worst, 1.01);
}

// More children touch than a pair has records for: the deepest bear the load.
TEST(DynamicsCompounds, ACombOfAHundredTeethRests) {
    CompoundBodies make;
    const std::uint32_t tooth = make.box(0.02, 0.1, 0.02), back = make.box(0.5, 0.02, 0.5);
    make.piece(back, 0, 0.22, 0);
    for (int i = 0; i < 100; ++i) make.piece(tooth, 0.1 * (i % 10) - 0.45, 0.1, 0.1 * (i / 10) - 0.45);
    const std::uint32_t comb = make.compound();
    World world = make_world(make.hulls(), std::vector<RigidBody>{world_floor(), body_at(0, 0.05, 0, comb)}, awake());
    run(world, 4);
    EXPECT_EQ(world.contacts().size(), 64U);
    EXPECT_NEAR(world.bodies()[1].position[1], 0, 5e-3);
    EXPECT_LT(speed_of(world, 1), 0.01);
}

TEST(DynamicsCompounds, ManifoldsOfACallerNameChildrenThatExist) {
    CompoundBodies make;
    const std::uint32_t table = make.table();
    World world = make_world(make.hulls(), std::vector<RigidBody>{world_floor(), body_at(0, 0, 0, table)});
    expect_good(world.step(kWorldStep).status);
    std::vector<Manifold4> own(world.contacts().begin(), world.contacts().end());
    ASSERT_EQ(own.size(), 4U);
    World other = make_world(make.hulls(), std::vector<RigidBody>{world_floor(), body_at(0, 0, 0, table)});
    expect_good(other.advance(kWorldStep, own).status);
    EXPECT_EQ(state_hash(other), state_hash(world));
    own[2].child_b = 5;
    const StepResult r = other.advance(kWorldStep, own);
    EXPECT_STREQ(r.status.what, "manifolds: a body has no such child");
    EXPECT_EQ(r.status.where, 2U);
    own[2].child_b = 3;
    own[1].child_a = 1;
    EXPECT_EQ(other.advance(kWorldStep, own).status.where, 1U);
}

}  // namespace
}  // namespace lanefold::test
