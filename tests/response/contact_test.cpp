// SPDX-License-Identifier: MIT
//
// Contact response against conservation laws and closed forms: two bodies, Newton's cradle, displacements, rest,
// a pile from real manifolds, and refused input.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/serial.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"
#include "support/response_world.hpp"

namespace lanefold::test {
namespace {

using World = ResponseWorld;

TEST(ContactResponse, TwoBodiesCollideAsTheClosedFormSays) {
    double worst = 0;
    std::uint32_t immovable = 0, apart = 0;
    for (std::uint32_t k = 0; k < 2000; ++k) {
        Random random(71, k);
        World w;
        const double ia = random.chance(0.1) ? 0.0 : 1.0 / random.log_uniform(0.01, 100);
        const double ib = random.chance(0.1) && ia > 0 ? 0.0 : 1.0 / random.log_uniform(0.01, 100);
        const Vec3d va = random.in_ball() * 10.0, vb = random.in_ball() * 10.0;
        w.add({}, va, ia);
        w.add({1, 0, 0}, vb, ib);
        const Vec3d n = random.direction();
        const double e = random.uniform();
        ResponseContact c[] = {contact(0, 1, n, e)};
        const double closing = dot(va - vb, n);
        ASSERT_DOUBLE_EQ(closing_velocity(w.view(), c[0]), closing);
        const Vec3d momentum = w.momentum();
        const double energy = w.energy();
        ASSERT_TRUE(w.resolve(c).status);
        if (closing <= 1e-6) {
            ++apart;
            ASSERT_EQ(w.velocity[0], va);
            ASSERT_EQ(w.velocity[1], vb);
            continue;
        }
        // One-dimensional collision along n: impulse (1 + e) v mu, mu the reduced mass.
        const double mu = 1.0 / (ia + ib);
        const Vec3d expected_a = va - n * ((1 + e) * closing * mu * ia),
                    expected_b = vb + n * ((1 + e) * closing * mu * ib);
        worst = std::max({worst, length(w.velocity[0] - expected_a), length(w.velocity[1] - expected_b)});
        ASSERT_LT(length(w.velocity[0] - expected_a) + length(w.velocity[1] - expected_b), 1e-12) << "case " << k;
        if (ia > 0 && ib > 0) {
            ASSERT_LT(length(w.momentum() - momentum), 1e-9) << "case " << k;
            ASSERT_NEAR(energy - w.energy(), 0.5 * mu * closing * closing * (1 - e * e), 1e-9 * (1 + energy));
        } else {
            ++immovable;
            ASSERT_EQ(ia > 0 ? w.velocity[1] : w.velocity[0], ia > 0 ? vb : va);
        }
    }
    std::printf("seed 71: worst velocity error %.1e; %u with an immovable body, %u moving apart\n", worst, immovable,
                apart);
    EXPECT_GT(immovable, 100U);
    EXPECT_GT(apart, 500U);
}

TEST(ContactResponse, NewtonsCradlePassesOnWhatArrives) {
    for (std::uint32_t lifted = 1; lifted <= 4; ++lifted) {
        World w;
        std::vector<ResponseContact> contacts;
        for (std::uint32_t i = 0; i < 5; ++i) {
            w.add({static_cast<double>(i), 0, 0}, {i < lifted ? 2.0 : 0.0, 0, 0}, 0.5);
            if (i > 0) contacts.push_back(contact(i - 1, i, {1, 0, 0}, 1.0));
        }
        const ResponseResult r = w.resolve(contacts);
        EXPECT_LE(r.worst_closing, 1e-6);
        for (std::uint32_t i = 0; i < 5; ++i) {
            EXPECT_NEAR(w.velocity[i].x, i >= 5 - lifted ? 2.0 : 0.0, 1e-12) << lifted << " lifted, ball " << i;
        }
    }
}

TEST(ContactResponse, ChainsConserveMomentumAndNeverGainEnergy) {
    std::uint32_t iterations = 0;
    for (std::uint32_t k = 0; k < 100; ++k) {
        Random random(72, k);
        World w;
        std::vector<ResponseContact> contacts;
        for (std::uint32_t i = 0; i < 40; ++i)
            w.add(random.in_ball() * 5.0, random.in_ball(), 1.0 / random.log_uniform(0.1, 10));
        for (std::uint32_t i = 0; i < 60; ++i) {
            const std::uint32_t a = random.index(40), b = (a + 1 + random.index(39)) % 40;
            contacts.push_back(contact(a, b, random.direction(), random.uniform(), random.uniform(-0.001, 0.01)));
        }
        const Vec3d momentum = w.momentum();
        const double energy = w.energy();
        Vec3d centre, centre_after;
        for (std::size_t i = 0; i < 40; ++i) centre = centre + w.position[i] * (1 / w.inverse_mass[i]);
        ResponseSettings settings;
        settings.iterations = 5000;
        const ResponseResult r = w.resolve(contacts, settings);
        for (std::size_t i = 0; i < 40; ++i) centre_after = centre_after + w.position[i] * (1 / w.inverse_mass[i]);
        EXPECT_LT(length(w.momentum() - momentum), 1e-10);
        EXPECT_LT(length(centre_after - centre), 1e-10) << "the centre of mass stays";
        EXPECT_LE(w.energy(), energy * (1 + 1e-12));
        iterations += r.velocity_iterations;
        EXPECT_LE(r.worst_closing, 1e-6);
    }
    std::printf("seed 72: %u velocity iterations\n", iterations);
    EXPECT_GT(iterations, 1000U);
}

TEST(ContactResponse, DisplacementIsSharedByInverseMasses) {
    World w;
    w.add({0, 0, 0}, {}, 1.0 / 3.0);
    w.add({1, 0, 0}, {}, 1.0);
    w.add({2, 0, 0}, {}, 0.0);
    ResponseSettings exact;
    exact.position_tolerance = 0;
    ResponseContact two[] = {contact(0, 1, {1, 0, 0}, 0, 0.4)};
    EXPECT_TRUE(w.resolve(two, exact).status);
    EXPECT_NEAR(w.position[0].x, -0.1, 1e-15);
    EXPECT_NEAR(w.position[1].x, 1.3, 1e-15);
    EXPECT_NEAR(two[0].penetration, 0.0, 1e-15);
    ResponseContact wall[] = {contact(1, 2, {1, 0, 0}, 0, 0.5)};
    EXPECT_TRUE(w.resolve(wall, exact).status);
    EXPECT_NEAR(w.position[1].x, 0.8, 1e-15);
    EXPECT_EQ(w.position[2], (Vec3d{2, 0, 0}));
    // A contact of two immovable bodies is ignored and does not stop the others.
    w.add({3, 0, 0}, {}, 0.0);
    ResponseContact stuck[] = {contact(2, 3, {1, 0, 0}, 0, 9.0), contact(0, 1, {1, 0, 0}, 0, 0.04)};
    const ResponseResult r = w.resolve(stuck, exact);
    EXPECT_EQ(r.position_iterations, 1U);
    EXPECT_FALSE(r.limit_reached);
    EXPECT_EQ(w.position[3], (Vec3d{3, 0, 0}));
}

TEST(ContactResponse, WorstContactGoesFirst) {
    // Three bodies in a row; the gap on the right closes faster. With one iteration only that contact is resolved.
    World w;
    w.add({0, 0, 0}, {1, 0, 0}, 1);
    w.add({1, 0, 0}, {0, 0, 0}, 1);
    w.add({2, 0, 0}, {-3, 0, 0}, 1);
    ResponseContact c[] = {contact(0, 1, {1, 0, 0}, 0), contact(1, 2, {1, 0, 0}, 0)};
    ResponseSettings once;
    once.iterations = 1;
    const ResponseResult r = w.resolve(c, once);
    EXPECT_EQ(w.velocity[0], (Vec3d{1, 0, 0}));
    EXPECT_EQ(w.velocity[1], (Vec3d{-1.5, 0, 0}));
    EXPECT_DOUBLE_EQ(r.worst_closing, 2.5);
    EXPECT_TRUE(r.limit_reached);
    EXPECT_FALSE(w.resolve(c).limit_reached);
}

TEST(ContactResponse, RestingContactDoesNotBounceButAFallingOneDoes) {
    const double g = 9.81, step = 1.0 / 60.0, e = 0.8;
    const auto after = [&](double downwards) {
        World w;
        w.add({0, 0, 0}, {0, 0, -downwards}, 2.0);
        w.acceleration = {{0, 0, -g}};
        ResponseContact floor[] = {contact(kNoBody, 0, {0, 0, 1}, e)};
        ResponseSettings settings;
        settings.step = step;
        EXPECT_TRUE(w.resolve(floor, settings).status);
        return w.velocity[0].z;
    };
    EXPECT_EQ(after(g * step), 0.0);
    EXPECT_EQ(after(0.5 * g * step), 0.0);
    EXPECT_NEAR(after(5.0), e * (5.0 - g * step), 1e-12);
    // It hops if the acceleration is not passed.
    World w;
    w.add({0, 0, 0}, {0, 0, -g * step}, 2.0);
    ResponseContact floor[] = {contact(kNoBody, 0, {0, 0, 1}, e)};
    EXPECT_TRUE(w.resolve(floor).status);
    EXPECT_NEAR(w.velocity[0].z, e * g * step, 1e-12);
}

TEST(ContactResponse, WhatIsStillApartKeepsItsVelocity) {
    World w;
    w.add({0, 0, 0}, {0, 0, -1}, 1.0);
    ResponseContact floor[] = {contact(kNoBody, 0, {0, 0, 1}, 0, -0.01)};
    EXPECT_TRUE(w.resolve(floor).status);
    EXPECT_EQ(w.velocity[0], (Vec3d{0, 0, -1}));
}

// Ten boxes dropped on one another and onto a floor: every step the batch finds the manifolds and the response
// resolves them. The stack must come to rest at its height, without sinking and without hopping.
TEST(ContactResponse, StackOfRealManifoldsSettles) {
    constexpr std::uint32_t kBoxes = 10;
    const Points lists[] = {box_points(0.5, 0.5, 0.5), box_points(5, 5, 0.5)};
    const Library library = build_library(lists);
    World w;
    w.add({0, 0, -0.5}, {}, 0.0);
    for (std::uint32_t i = 0; i < kBoxes; ++i) w.add({0.02 * (i % 3), 0.01 * (i % 2), 0.6 + 1.1 * i}, {}, 1.0);
    std::vector<Pair> pairs;
    for (std::uint32_t i = 1; i <= kBoxes; ++i) pairs.push_back({i - 1, i});
    const double step = 1.0 / 120.0;
    std::vector<BodyD> bodies(w.position.size());
    std::vector<Manifold4> manifolds(pairs.size());
    Workspace workspace;
    Options options;
    std::vector<ResponseContact> contacts;
    double fastest_late = 0, deepest_late = 0;
    std::uint32_t touching = 0;
    for (int i = 0; i < 1200; ++i) {
        w.acceleration.assign(w.position.size(), {0, 0, -9.81});
        w.acceleration[0] = {};
        for (std::size_t k = 1; k < w.position.size(); ++k) {
            w.velocity[k] = w.velocity[k] + w.acceleration[k] * step;
            w.position[k] = w.position[k] + w.velocity[k] * step;
        }
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            bodies[k].hull = k == 0 ? 1 : 0;
            set_orientation(bodies[k], Quat{});
            const double p[3] = {w.position[k].x, w.position[k].y, w.position[k].z};
            std::copy(p, p + 3, bodies[k].position);
        }
        ASSERT_TRUE(collide_serial(library.hulls, BodyView(std::span<const BodyD>(bodies)), pairs, options, manifolds,
                                   workspace)
                        .status);
        contacts.clear();
        append_contacts(manifolds, 0.3, contacts);
        ResponseSettings settings;
        settings.step = step;
        settings.iterations = 400;
        ASSERT_TRUE(w.resolve(contacts, settings).status);
        if (i < 900) continue;
        touching += static_cast<std::uint32_t>(contacts.size());
        for (std::size_t k = 1; k < w.position.size(); ++k) {
            fastest_late = std::max(fastest_late, std::fabs(w.velocity[k].z));
            deepest_late = std::max(deepest_late, std::fabs(w.position[k].z - (static_cast<double>(k) - 0.5)));
        }
    }
    std::printf("after 7.5 s: fastest %.1e, furthest from its place in the stack %.1e, %.1f contacts a step\n",
                fastest_late, deepest_late, touching / 300.0);
    EXPECT_LT(fastest_late, 9.81 * step * 1.5);  // at most the velocity that one step of gravity adds
    EXPECT_LT(deepest_late, 2e-3);
    EXPECT_GT(touching, 300U * kBoxes / 3);
    for (std::size_t k = 1; k < w.position.size(); ++k)
        EXPECT_NEAR(w.position[k].x, 0.02 * static_cast<double>((k - 1) % 3), 1e-6);
}

TEST(ContactResponse, SpheresAndParticlesMakeContacts) {
    World w;
    w.add({0, 0, 0}, {1, 0, 0}, 1.0);
    w.add({0, 3, 0}, {}, 1.0);
    w.add({0, 0, 0}, {}, 1.0);
    const auto particles = particle_contact(w.view(), 0, 1, 0.25, 0.5);
    ASSERT_TRUE(particles);
    EXPECT_EQ(particles->normal, (Vec3d{0, 1, 0}));  // from A to B
    EXPECT_EQ(particles->penetration, 0.25);
    EXPECT_FALSE(particle_contact(w.view(), 0, 2, 0.25, 0.5)) << "the same place has no direction";
    EXPECT_FALSE(particle_contact(w.view(), 0, 3, 0.25, 0.5)) << "no such body";
    const auto spheres = sphere_contact(w.view(), 1, 0, 1.5, 2.0, 0.5);
    ASSERT_TRUE(spheres);
    EXPECT_EQ(spheres->normal, (Vec3d{0, -1, 0}));
    EXPECT_DOUBLE_EQ(spheres->penetration, 0.5);
    EXPECT_FALSE(sphere_contact(w.view(), 0, 1, 1.0, 1.5, 0.5)) << "apart";
    const Pair pairs[] = {{0, 1}, {0, 2}, {1, 2}, {0, 9}};
    const double radius[] = {2.0, 1.5, 1.0};
    std::vector<ResponseContact> out;
    EXPECT_EQ(append_spheres(pairs, w.view(), radius, 0.5, out), 2U) << "one concentric, one without a body";
    ASSERT_EQ(out.size(), 1U);
    EXPECT_DOUBLE_EQ(out[0].penetration, 0.5);
}

// The published order: velocity before position, the fastest closing contact before the deepest one.
TEST(ContactResponse, PublishedOrderTakesVelocityThenPositionOfEachContact) {
    World w;
    w.add({0, 0, 0}, {0, 0, 0}, 1);
    w.add({1, 0, 0}, {-1, 0, 0}, 1);
    w.add({2, 0, 0}, {-1, 0, 0}, 1);
    ResponseSettings once;
    once.order = ResolutionOrder::per_contact;
    once.iterations = 1;
    once.position_tolerance = 0;
    ResponseContact c[] = {contact(0, 1, {1, 0, 0}, 0, 0.1), contact(1, 2, {1, 0, 0}, 0, 0.5)};
    const ResponseResult r = w.resolve(c, once);
    EXPECT_TRUE(r.limit_reached);
    EXPECT_EQ(r.velocity_iterations, 1U);
    EXPECT_EQ(r.position_iterations, 1U);
    EXPECT_EQ(w.velocity[0], (Vec3d{-0.5, 0, 0}));
    EXPECT_DOUBLE_EQ(w.position[0].x, -0.05);
    EXPECT_DOUBLE_EQ(w.position[1].x, 1.05);
    EXPECT_DOUBLE_EQ(c[1].penetration, 0.55);
    // The order by passes moves the deeper contact first.
    World p;
    p.add({0, 0, 0}, {0, 0, 0}, 1);
    p.add({1, 0, 0}, {-1, 0, 0}, 1);
    p.add({2, 0, 0}, {-1, 0, 0}, 1);
    once.order = ResolutionOrder::passes;
    ResponseContact d[] = {contact(0, 1, {1, 0, 0}, 0, 0.1), contact(1, 2, {1, 0, 0}, 0, 0.5)};
    EXPECT_TRUE(p.resolve(d, once).status);
    EXPECT_EQ(p.position[0].x, 0.0);
    EXPECT_DOUBLE_EQ(p.position[2].x, 2.25);
    // With unlimited iterations both orders end at rest and apart.
    once.iterations = 0;
    once.position_tolerance = 1e-6;
    once.order = ResolutionOrder::per_contact;
    const ResponseResult all = w.resolve(c, once);
    EXPECT_FALSE(all.limit_reached);
    EXPECT_LE(all.worst_penetration, 1e-6);
    EXPECT_LE(all.worst_closing, 1e-6);
}

TEST(ContactResponse, BadArgumentsAreRefusedAndChangeNothing) {
    World w;
    w.add({0, 0, 0}, {1, 0, 0}, 1.0);
    w.add({1, 0, 0}, {0, 0, 0}, 1.0);
    const auto refused = [&](const ResponseContact& c, const char* what) {
        ResponseContact list[] = {contact(0, 1, {1, 0, 0}, 1, 0.1), c};
        const ResponseResult r = w.resolve(list);
        EXPECT_EQ(r.status.code, Status::bad_argument);
        EXPECT_STREQ(r.status.what, what);
        EXPECT_EQ(r.status.where, 1U);
        EXPECT_EQ(w.velocity[0], (Vec3d{1, 0, 0}));
        EXPECT_EQ(w.position[0], (Vec3d{0, 0, 0}));
    };
    refused(contact(0, 2, {1, 0, 0}, 1), "contact names a body that does not exist");
    refused(contact(1, 1, {1, 0, 0}, 1), "contact of a body with itself, or without a body");
    refused(contact(0, 1, {1, 1, 0}, 1), "normal is not unit");
    refused(contact(0, 1, {1, 0, 0}, 1.5), "restitution must be within 0 and 1");
    refused(contact(0, 1, {1, 0, 0}, 1, std::nan("")), "penetration is not finite");
    w.inverse_mass[1] = -1;
    ResponseContact c[] = {contact(0, 1, {1, 0, 0}, 1)};
    EXPECT_STREQ(w.resolve(c).status.what, "inverse_mass must be finite and >= 0");
    w.inverse_mass.pop_back();
    EXPECT_STREQ(w.resolve(c).status.what, "inverse_mass and position differ in length");
}

}  // namespace
}  // namespace lanefold::test
