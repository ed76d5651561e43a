// SPDX-License-Identifier: MIT
//
// Bodies of every size and speed, dropped and thrown on a floor and on each other: contact gives no energy.
// LANEFOLD_THROWS=N: so many of each kind (./dev sweep --energy); LANEFOLD_SEED: other ones.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <gtest/gtest.h>

#include "support/solids.hpp"
#include "support/sweep.hpp"
#include "support/throws.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kThrows = 1500;
constexpr double kMostGain = 2e-4;

struct Throw {
    std::vector<Points> shapes;
    std::vector<RigidBody> bodies;
    double rate = 60;
    double speed = 0;  // of the first moving body
    double size = 0;
};

void set_motion(RigidBody& body, const Vec3d& velocity, const Vec3d& spin) {
    const Vec3f v = to_float(velocity), w = to_float(spin);
    std::memcpy(body.velocity, &v, sizeof body.velocity);
    std::memcpy(body.spin, &w, sizeof body.spin);
}

// 100 turns a second at most: half of the bodies turn slowly or not at all.
Vec3d random_spin(Random& random) {
    const bool still = random.chance(0.25);
    const double speed = random.log_uniform(0.1, 628);
    const Vec3d axis = random.direction();
    return still ? Vec3d{0, 0, 0} : axis * speed;
}

RigidBody random_body(Random& random, std::uint32_t hull) {
    RigidBody body = body_at(0, 0, 0, hull);
    if (!random.chance(0.3)) set_rotation(body, random.rotation());
    body.friction = static_cast<float>(random.chance(0.2) ? 0.0 : random.uniform());
    return body;
}

// On a floor that is large beside the body and its way; the gap is up to three steps of its motion, or twenty sizes.
Throw random_drop(Random& random) {
    Throw t;
    t.size = random.log_uniform(5e-4, 10);
    t.rate = random.log_uniform(24, 240);
    t.speed = random.log_uniform(0.1, 500);
    t.shapes = {small_points(random, t.size)};
    RigidBody body = random_body(random, 1);
    const double steps = random.uniform(0, 3), sizes = random.log_uniform(0.01, 20);
    const double gap = random.chance(0.7) ? steps * t.speed / t.rate : sizes * t.size;
    Vec3d direction = random.direction();
    direction.y = -std::fabs(direction.y) - 0.05;
    direction = normalized(direction);
    set_motion(body, direction * t.speed, random_spin(random));
    const double back = gap / -direction.y;
    body.position[0] = -direction.x * back;
    body.position[1] = t.size + gap;
    body.position[2] = -direction.z * back;
    RigidBody floor = body_at(0, -floor_half(t.size), 0, 0);
    floor.kind = BodyKind::fixed;
    floor.friction = body.friction;
    t.bodies = {floor, body};
    return t;
}

// Two that fly at each other.
Throw random_crash(Random& random) {
    Throw t = random_drop(random);
    const double other = t.size * random.log_uniform(0.1, 10);
    t.shapes.push_back(small_points(random, other));
    RigidBody target = random_body(random, 2);
    const Vec3d way{static_cast<double>(t.bodies[1].velocity[0]), static_cast<double>(t.bodies[1].velocity[1]),
                    static_cast<double>(t.bodies[1].velocity[2])};
    const double gap = random.uniform(0, 3) * t.speed / t.rate + 0.01 * t.size;
    Vec3d side = random.in_ball() * (0.7 * (t.size + other));
    side = side - normalized(way) * dot(side, normalized(way));  // across the way, so that the two are apart
    const Vec3d place = normalized(way) * (t.size + other + gap) + side;
    const double high = 1e4;  // metres, far above the floor
    t.bodies[1].position[0] = t.bodies[1].position[2] = 0;
    t.bodies[1].position[1] = high;
    target.position[0] = place.x;
    target.position[1] = high + place.y;
    target.position[2] = place.z;
    set_motion(target, way * -random.uniform(), random_spin(random));
    t.bodies.push_back(target);
    return t;
}

struct Gain {
    double of_all = 0;   // energy over the floor, beyond what there was at the begin, as a share of that
    double of_step = 0;  // kinetic energy after a step beyond that before it and gravity's work, of the most it was
    bool touched = false;
    bool lost = false;
};

Gain gain_of(const Throw& t) {
    WorldSettings s;
    s.sleep = false;
    s.threads = 1;
    World world = make_world(throw_hulls(t.shapes, t.size), t.bodies, s);
    std::vector<Solid> solids;
    for (std::size_t i = 1; i < t.bodies.size(); ++i)
        solids.push_back(solid_of(world.hulls(), t.bodies[i].hull, t.shapes[t.bodies[i].hull - 1],
                                  static_cast<double>(t.bodies[i].density)));
    const auto energy = [&] {
        SolidEnergy sum;
        for (std::size_t i = 0; i < solids.size(); ++i) {
            const SolidEnergy own = energy_of(world, i + 1, solids[i]);
            sum = {sum.kinetic + own.kinetic, sum.height + own.height};
        }
        return sum;
    };
    SolidEnergy before = energy();
    const double begin = before.kinetic + before.height;
    double most_kinetic = before.kinetic;
    Gain out;
    for (int i = 0; i < 24; ++i) {
        out.lost = out.lost || !world.step(1 / t.rate).status;
        if (out.lost) return out;
        const SolidEnergy now = energy();
        most_kinetic = std::max(most_kinetic, now.kinetic);
        const double work = std::max(0.0, before.height - now.height);
        out.of_all = std::max(out.of_all, (now.kinetic + now.height - begin) / begin);
        out.of_step = std::max(out.of_step, (now.kinetic - before.kinetic - work) / most_kinetic);
        before = now;
        for (const ContactImpulse& p : world.impulses()) out.touched = out.touched || p.normal[0] > 0;
    }
    return out;
}

template <class Make>
void sweep(const char* name, std::uint64_t seed, const Make& make) {
    const std::uint32_t count = throws_count(kThrows);
    Gain worst;
    std::uint32_t over = 0, touching = 0, lost = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        Random random(sweep_seed(seed), i);
        const Throw t = make(random);
        const Gain gain = gain_of(t);
        touching += gain.touched ? 1U : 0U;
        lost += gain.lost ? 1U : 0U;
        if ((gain.lost || std::max(gain.of_all, gain.of_step) > kMostGain) && over++ < 10)
            std::printf("  %s %u: gains %.3g of all, %.3g in a step; size %.3g m, %.3g m/s, %.3g steps/s\n", name, i,
                        gain.of_all, gain.of_step, t.size, t.speed, t.rate);
        worst.of_all = std::max(worst.of_all, gain.of_all);
        worst.of_step = std::max(worst.of_step, gain.of_step);
    }
    std::printf(
        "%s, seed %llu: %u, %u touch; most energy %.6f of all at the begin, %.6f of that before a step and gravity's "
        "work; %u above, %u lost\n",
        name, static_cast<unsigned long long>(sweep_seed(seed)), count, touching, 1 + worst.of_all, 1 + worst.of_step,
        over, lost);
    EXPECT_EQ(lost, 0U);
    EXPECT_EQ(over, 0U);
    // Half of the crashes miss.
    EXPECT_GT(touching, count / 15);
}

TEST(DynamicsThrows, DropsGainNoEnergy) { sweep("drops", 51, random_drop); }
TEST(DynamicsThrows, CrashesGainNoEnergy) { sweep("crashes", 52, random_crash); }

}  // namespace
}  // namespace lanefold::test
