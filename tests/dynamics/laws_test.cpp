// SPDX-License-Identifier: MIT
//
// The solver against closed forms: impact, restitution, Coulomb's cone, free rotation, conservation.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

WorldSettings weightless() {
    WorldSettings s;
    s.gravity = {0, 0, 0};
    s.sleep = false;
    return s;
}

// Two cubes meet face to face: v' = ((m - e M) v + ...) of the textbook, for equal and unequal masses.
TEST(DynamicsLaws, TwoBodiesCollideAsTheClosedFormSays) {
    const HullSet hulls = world_hulls();
    double worst = 0;
    for (const float e : {0.0F, 0.5F, 1.0F}) {
        for (const float mass : {1.0F, 10.0F, 0.2F}) {
            RigidBody a = body_at(-1, 0, 0);
            RigidBody b = body_at(1, 0, 0);
            a.mass = 1;
            b.mass = mass;
            a.velocity[0] = 3;
            b.velocity[0] = -2;
            a.restitution = b.restitution = e;
            const RigidBody bodies[] = {a, b};
            World world = make_world(hulls, bodies, weightless());
            run(world, 1);
            const double m = static_cast<double>(mass);
            const double together = (3 - 2 * m) / (1 + m);
            const double va = together - static_cast<double>(e) * m / (1 + m) * 5;
            const double vb = together + static_cast<double>(e) / (1 + m) * 5;
            worst = std::max(worst, std::fabs(static_cast<double>(world.velocity(0).x) - va));
            worst = std::max(worst, std::fabs(static_cast<double>(world.velocity(1).x) - vb));
        }
    }
    std::printf("worst velocity error after an impact at 5 m/s: %.3g m/s\n", worst);
    EXPECT_LT(worst, 2e-5);
}

// Many bodies are thrown together and exchange hundreds of impulses; momentum must be kept.
TEST(DynamicsLaws, MomentumIsKeptToRounding) {
    Random random(5);
    std::vector<RigidBody> bodies;
    for (int i = 0; i < 64; ++i) {
        const int row = i / 4 % 4;
        const int layer = i / 16;
        RigidBody body = body_at(1.6 * (i % 4), 1.6 * row, 1.6 * layer);
        set_rotation(body, random.rotation());
        const Vec3f velocity = to_float(random.in_ball() * 4.0);
        const Vec3f spin = to_float(random.in_ball() * 3.0);
        std::memcpy(body.velocity, &velocity, sizeof body.velocity);
        std::memcpy(body.spin, &spin, sizeof body.spin);
        body.restitution = 0.3F;
        bodies.push_back(body);
    }
    const HullSet hulls = world_hulls();
    World world = make_world(hulls, bodies, weightless());
    const WorldMotion before = world.motion();
    std::uint64_t contacts = 0;
    double linear = 0;
    double angular = 0;
    double scale = 0;
    double angular_scale = 0;
    for (std::size_t i = 0; i < world.size(); ++i) {
        scale += world.mass(i) * speed_of(world, i);
        angular_scale += world.mass(i) * speed_of(world, i) * length(world.centre(i));
    }
    for (int k = 0; k < 180; ++k) {
        contacts += world.step(kWorldStep).contacts;
        const WorldMotion now = world.motion();
        linear = std::max(linear, length(now.momentum - before.momentum) / scale);
        angular = std::max(angular, length(now.angular_momentum - before.angular_momentum) / angular_scale);
    }
    std::printf("%llu contacts; momentum changed by %.3g, angular momentum by %.3g of the sum of magnitudes\n",
                static_cast<unsigned long long>(contacts), linear, angular);
    EXPECT_GT(contacts, 2000U);
    EXPECT_LT(linear, 2e-6);
    EXPECT_LT(angular, 2e-3);
    EXPECT_LT(world.motion().kinetic_energy, before.kinetic_energy);
}

// A body of three different moments spins about its middle axis, tumbling: L stays, energy stays bounded.
TEST(DynamicsLaws, FreeBodyKeepsItsAngularMomentum) {
    const std::vector<Points> shapes{box_points(1, 0.5, 0.2)};
    const HullSet hulls = world_hulls(shapes);
    RigidBody body = body_at(0, 0, 0, 2);
    body.spin[1] = 8;
    body.spin[0] = 0.1F;
    World world = make_world(hulls, std::span(&body, 1), weightless());
    const WorldMotion before = world.motion();
    double angular = 0;
    double energy = 0;
    double turned = 1;
    for (int k = 0; k < 600; ++k) {
        ASSERT_TRUE(world.step(kWorldStep).status);
        const WorldMotion now = world.motion();
        angular = std::max(angular, length(now.angular_momentum - before.angular_momentum));
        energy = std::max(energy, std::fabs(now.kinetic_energy - before.kinetic_energy));
        // The middle axis against the angular momentum: it turns over (Dzhanibekov's nut).
        const float* q = world.bodies()[0].orientation;
        Quat rotated;
        ASSERT_TRUE(normalize(q, rotated));
        turned = std::min(turned, dot(rotation(rotated) * Vec3d{0, 1, 0}, normalized(before.angular_momentum)));
    }
    std::printf(
        "10 s of tumbling: angular momentum changed by %.3g, energy by %.3g of themselves; turned over to %.2f\n",
        angular / length(before.angular_momentum), energy / before.kinetic_energy, turned);
    EXPECT_LT(angular / length(before.angular_momentum), 5e-4);
    EXPECT_LT(energy / before.kinetic_energy, 2e-2);
    EXPECT_LT(turned, -0.9);
}

// A body falls 2 m, flat, and rises to e squared of that height.
TEST(DynamicsLaws, BallBouncesToTheSquareOfItsRestitution) {
    const std::vector<Points> shapes{box_points(0.1, 0.1, 0.1)};
    const HullSet hulls = world_hulls(shapes);
    for (const float e : {0.3F, 0.6F, 0.9F}) {
        RigidBody ball = body_at(0, 2.1, 0, 2);
        ball.restitution = e;
        const RigidBody bodies[] = {world_floor(), ball};
        WorldSettings s;
        s.sleep = false;
        World world = make_world(hulls, bodies, s);
        double height = 0;
        bool bounced = false;
        for (int k = 0; k < 240; ++k) {
            ASSERT_TRUE(world.step(kWorldStep).status);
            const double v = static_cast<double>(world.velocity(1).y);
            if (v > 0.5) bounced = true;
            if (bounced && v < 0) {
                height = world.centre(1).y - 0.1;
                break;
            }
        }
        const double want = 2 * static_cast<double>(e) * static_cast<double>(e);
        std::printf("restitution %.1f: bounces to %.4f of 2 m, %.4f by the closed form\n", static_cast<double>(e),
                    height, want);
        // The step at 60 Hz samples the impact velocity, 6.26 m/s, to g / 60.
        EXPECT_NEAR(height, want, 0.06 * want + 0.01);
    }
}

// On a slope of tan a: a block stays when friction exceeds it, and slides with g (sin a - mu cos a) when it does not.
TEST(DynamicsLaws, BlockOnASlopeObeysCoulomb) {
    const HullSet hulls = world_hulls();
    const double angle = 0.5;
    const Quat tilt = about({0, 0, 1}, angle);
    double worst = 0;
    for (const float mu : {0.2F, 0.4F, 0.5F, 0.6F, 0.9F}) {
        RigidBody floor = world_floor();
        floor.position[1] = 0;
        set_rotation(floor, tilt);
        const Vec3d up = rotation(tilt) * Vec3d{0, 1, 0};
        const Vec3d along = rotation(tilt) * Vec3d{-1, 0, 0};
        RigidBody block = body_at(up.x * 1.5, up.y * 1.5, 0);
        set_rotation(block, tilt);
        floor.friction = block.friction = mu;
        const RigidBody bodies[] = {floor, block};
        WorldSettings s;
        s.sleep = false;
        World world = make_world(hulls, bodies, s);
        run(world, 1);
        const double first = dot(to_double(world.velocity(1)), along);
        run(world, 1);
        const double second = dot(to_double(world.velocity(1)), along);
        const double m = static_cast<double>(mu);
        const double want = std::max(0.0, 9.81 * (std::sin(angle) - m * std::cos(angle)));
        worst = std::max(worst, std::fabs(second - first - want));
        if (m > std::tan(angle)) {
            EXPECT_LT(std::fabs(second), 1e-4) << mu;
        }
    }
    std::printf("worst acceleration error on the slope: %.3g m/s2\n", worst);
    EXPECT_LT(worst, 5e-3);
}

// A spinning disc on a floor: friction about the normal stops it, without any push sideways.
TEST(DynamicsLaws, FrictionStopsASpin) {
    const HullSet hulls = world_hulls();
    RigidBody cube = body_at(0, 0.5, 0);
    cube.spin[1] = 5;
    const RigidBody bodies[] = {world_floor(), cube};
    World world = make_world(hulls, bodies);
    run(world, 3);
    EXPECT_LT(length(to_double(world.spin(1))), 1e-3);
    EXPECT_NEAR(world.centre(1).x, 0, 0.01);
    EXPECT_NEAR(world.centre(1).z, 0, 0.01);
}

// A body moves by more than its size in a step, towards a thinner plate: the speculative margin finds the contact.
TEST(DynamicsLaws, FastBodyDoesNotPassAThinPlate) {
    const std::vector<Points> shapes{box_points(3, 0.02, 3), box_points(0.05, 0.05, 0.05)};
    const HullSet hulls = world_hulls(shapes);
    RigidBody plate = body_at(0, 0, 0, 2);
    plate.kind = BodyKind::fixed;
    for (const float speed : {20.0F, 100.0F, 500.0F}) {
        RigidBody bullet = body_at(0.3, 2, 0.2, 3);
        bullet.velocity[1] = -speed;
        const RigidBody bodies[] = {plate, bullet};
        World world = make_world(hulls, bodies, weightless());
        run(world, 1);
        EXPECT_GT(world.centre(1).y, 0) << speed;
    }
}

}  // namespace
}  // namespace lanefold::test
