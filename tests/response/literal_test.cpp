// SPDX-License-Identifier: MIT
//
// The published contact of two particles against numbers worked by hand from its text, and beside ours.
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include <lanefold/contact_response_literal.hpp>

#include "support/random.hpp"
#include "support/response_world.hpp"

namespace lanefold::test {
namespace {

using published::literal::Particle;
using published::literal::ParticleContact;
using published::literal::VelocitySteps;

constexpr Vec3d kUp{0, 1, 0};

// Masses 2 and 1 meet at 4 + 2 = 6 along y, restitution 0.5, without acceleration. By hand: separating velocity -6,
// after it 3, so a change of 9; inverse masses 0.5 + 1 = 1.5, so an impulse of 6. The first gets 6 * 0.5 = 3 on its -4,
// the second -6 * 1 on its 2. Their momentum 2 * -4 + 1 * 2 = -6 stays: 2 * -1 + 1 * -4.
TEST(PublishedResponse, ImpactOfTwoParticlesIsThatWorkedByHand) {
    ParticleContact c{{{}, {0, -4, 0}, {}, 0.5}, Particle{{}, {0, 2, 0}, {}, 1}, 0.5, kUp, 0};
    EXPECT_EQ(calculate_separating_velocity(c), -6);
    const VelocitySteps s = resolve_velocity(c, 0.5);
    EXPECT_EQ(s.separating_velocity, -6);
    EXPECT_EQ(s.acceleration_caused, 0);
    EXPECT_EQ(s.new_separating_velocity, 3);
    EXPECT_EQ(s.impulse, 6);
    EXPECT_EQ(c.first.velocity, (Vec3d{0, -1, 0}));
    EXPECT_EQ(c.second->velocity, (Vec3d{0, -4, 0}));
}

// Penetration 0.75, masses 2 and 1: 0.75 / 1.5 = 0.5 per unit of inverse mass. The text's formula gives the same:
// m_b / (m_a + m_b) d = 1/3 * 0.75 and 2/3 * 0.75.
TEST(PublishedResponse, InterpenetrationIsSharedByInverseMasses) {
    ParticleContact c{{{0, 1, 0}, {}, {}, 0.5}, Particle{{0, 0.5, 0}, {}, {}, 1}, 0, kUp, 0.75};
    const auto moves = resolve_interpenetration(c);
    EXPECT_EQ(moves[0], (Vec3d{0, 0.25, 0}));
    EXPECT_EQ(moves[1], (Vec3d{0, -0.5, 0}));
    EXPECT_EQ(c.first.position, (Vec3d{0, 1.25, 0}));
    EXPECT_EQ(c.second->position, (Vec3d{0, 0, 0}));
    c.penetration = 0;
    EXPECT_EQ(resolve_interpenetration(c)[0], (Vec3d{}));
    c.penetration = 1;
    c.first.inverse_mass = c.second->inverse_mass = 0;
    EXPECT_EQ(resolve_interpenetration(c)[1], (Vec3d{}));
}

// A particle on the ground, gravity -8, a step of 1/4. In a step gravity builds up -2.
//   closing at 2, all of it built up: 0.5 * 2 - 0.5 * 2 = 0, so it rests.
//   closing at 5:                     0.5 * 5 - 0.5 * 2 = 1.5; the impulse is (1.5 + 5) / 0.5 = 13.
//   closing at 1, less than built up: 0.5 * 1 - 0.5 * 2 < 0, so 0.
TEST(PublishedResponse, RestingRuleIsThatWorkedByHand) {
    const auto on_ground = [](double velocity) {
        return ParticleContact{{{}, {0, velocity, 0}, {0, -8, 0}, 0.5}, std::nullopt, 0.5, kUp, 0};
    };
    ParticleContact rest = on_ground(-2);
    const VelocitySteps s = resolve_velocity(rest, 0.25);
    EXPECT_EQ(s.acceleration_caused, -2);
    EXPECT_EQ(s.new_separating_velocity, 0);
    EXPECT_EQ(s.impulse, 4);
    EXPECT_EQ(rest.first.velocity, (Vec3d{}));
    ParticleContact bounce = on_ground(-5);
    EXPECT_EQ(resolve_velocity(bounce, 0.25).impulse, 13);
    EXPECT_EQ(bounce.first.velocity, (Vec3d{0, 1.5, 0}));
    ParticleContact slow = on_ground(-1);
    resolve_velocity(slow, 0.25);
    EXPECT_EQ(slow.first.velocity, (Vec3d{}));
    ParticleContact leaving = on_ground(1);
    EXPECT_EQ(resolve_velocity(leaving, 0.25).impulse, 0);
    EXPECT_EQ(leaving.first.velocity, (Vec3d{0, 1, 0}));
    ParticleContact fixed = on_ground(-2);
    fixed.first.inverse_mass = 0;
    EXPECT_EQ(resolve_velocity(fixed, 0.25).impulse, 0);
}

ResponseWorld world_of(const ParticleContact& c) {
    ResponseWorld w;
    w.add(c.first.position, c.first.velocity, c.first.inverse_mass);
    w.add(c.second->position, c.second->velocity, c.second->inverse_mass);
    w.acceleration = {c.first.acceleration, c.second->acceleration};
    return w;
}

// Our normal points from A to B, the source's from the second particle to the first.
ResponseContact contact_of(const ParticleContact& c) { return {0, 1, -c.contact_normal, c.penetration, c.restitution}; }

// A body falls onto one that lies at rest, both of mass 1 under gravity -8. The accelerations cancel, so by the text
// nothing was built up, and what one step of gravity gave the upper body bounces: they separate with 0.5 * 2 = 1, by an
// impulse of (1 + 2) / 2. Ours counts the upper body's acceleration as if the lower one were held, so 2 are built up
// and none of it comes back: the impulse is 2 / 2, and both go on together.
TEST(PublishedResponse, BodyOnABodyAtRestHopsByTheTextAndRestsByOurs) {
    const ParticleContact before{{{}, {0, -2, 0}, {0, -8, 0}, 1}, Particle{{}, {}, {0, -8, 0}, 1}, 0.5, kUp, 0};
    ParticleContact c = before;
    const VelocitySteps s = resolve_velocity(c, 0.25);
    EXPECT_EQ(s.acceleration_caused, 0);
    EXPECT_EQ(s.new_separating_velocity, 1);
    EXPECT_EQ(s.impulse, 1.5);
    EXPECT_EQ(c.first.velocity, (Vec3d{0, -0.5, 0}));
    EXPECT_EQ(c.second->velocity, (Vec3d{0, -1.5, 0}));

    ResponseWorld w = world_of(before);
    ResponseContact contacts[] = {contact_of(before)};
    const ResponseImpulse ours = contact_impulse(w.view(), contacts[0], 0.25);
    EXPECT_EQ(ours.closing, 2);
    EXPECT_EQ(ours.built_up, 2);
    EXPECT_EQ(ours.separating_after, 0);
    EXPECT_EQ(ours.impulse, 1);
    ResponseSettings settings;
    settings.step = 0.25;
    ASSERT_TRUE(resolve_contacts(contacts, w.view(), settings, w.workspace).status);
    EXPECT_EQ(w.velocity[0], (Vec3d{0, -1, 0}));
    EXPECT_EQ(w.velocity[1], (Vec3d{0, -1, 0}));
}

// If only one of the two bodies accelerates towards the other, or none does, both rules are the same.
TEST(PublishedResponse, OursIsTheTextsUnlessBothBodiesAccelerate) {
    std::uint32_t closing = 0, built_up = 0, different = 0;
    for (std::uint32_t k = 0; k < 2000; ++k) {
        Random random(83, k);
        const Vec3d n = random.direction();
        const bool both = k % 4 == 0;
        const Vec3d gravity = random.direction() * 9.81;
        const Vec3d of_second = both ? gravity : Vec3d{};
        const Vec3d of_first = dot(gravity, n) < 0 || both ? gravity : Vec3d{};
        ParticleContact c{{{}, random.in_ball() * 3.0, of_first, random.uniform()},
                          Particle{{}, random.in_ball() * 3.0, of_second, random.uniform() + 0.01},
                          random.uniform(),
                          n,
                          random.uniform()};
        ResponseWorld w = world_of(c);
        ResponseContact contacts[] = {contact_of(c)};
        const double step = 1.0 / 16;
        const ResponseImpulse ours = contact_impulse(w.view(), contacts[0], step);
        EXPECT_NEAR(ours.closing, -calculate_separating_velocity(c), 1e-14);
        ResponseSettings settings;
        settings.step = step;
        settings.position_tolerance = 0;
        settings.velocity_tolerance = 0;
        ASSERT_TRUE(resolve_contacts(contacts, w.view(), settings, w.workspace).status);
        const VelocitySteps text = resolve_velocity(c, step);
        resolve_interpenetration(c);
        EXPECT_LT(length(w.position[0] - c.first.position) + length(w.position[1] - c.second->position), 1e-14);
        if (ours.closing <= 0) {
            EXPECT_EQ(text.impulse, 0);
            continue;
        }
        ++closing;
        built_up += text.acceleration_caused < 0 ? 1U : 0U;
        const double off = length(w.velocity[0] - c.first.velocity) + length(w.velocity[1] - c.second->velocity);
        if (both) {
            EXPECT_EQ(text.acceleration_caused, 0);
            different += off > 1e-3 ? 1U : 0U;
            continue;
        }
        EXPECT_LT(off, 1e-12) << k;
        EXPECT_NEAR(ours.impulse, text.impulse, 1e-12) << k;
    }
    EXPECT_GT(closing, 500U);
    EXPECT_GT(built_up, 200U);
    EXPECT_GT(different, 50U);
}

}  // namespace
}  // namespace lanefold::test
