// SPDX-License-Identifier: MIT
//
// A body that slides over level tiles, bricks or boards meets no seam: it keeps the speed that it has on one floor, and
// is not lifted. Real edges stay: a body falls off the last tile, and a step is a step.
//
// LANEFOLD_SLIDES=N: so many random slides instead of a few dozen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/world.hpp>

#include "support/hulls.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

constexpr double kBox = 0.25;  // half side of the body that slides

HullSet hulls_of(const std::vector<Points>& all) {
    HullSet set;
    for (const Points& p : all) set = set.append(build_hull(p).hulls);
    return set;
}

RigidBody fixed_at(std::uint32_t hull, const Vec3d& at, const Quat& q, float friction) {
    RigidBody body;
    body.kind = BodyKind::fixed;
    body.hull = hull;
    const double p[3] = {at.x, at.y, at.z};
    const double r[4] = {q.x, q.y, q.z, q.w};
    for (int k = 0; k < 3; ++k) body.position[k] = p[k];
    for (int k = 0; k < 4; ++k) body.orientation[k] = static_cast<float>(r[k]);
    body.friction = friction;
    return body;
}

Quat about_y(double angle) { return {0, std::sin(angle / 2), 0, std::cos(angle / 2)}; }
Vec3d turned(double angle, const Vec3d& v) { return rotation(about_y(angle)) * v; }

// How a floor is laid. All tops are y = 0, all of it turned by `yaw` about y.
enum class Floor { whole, tiles, bricks, thick_and_thin, boards };

struct Slide {
    Floor floor = Floor::tiles;
    double yaw = 0;        // of the floor
    double direction = 0;  // of the motion, in the floor's axes
    double turn = 0;       // of the body about y
    double speed = 3;
    double hertz = 60;
    float friction = 0;
};

void lay(const Slide& s, std::vector<Points>& hulls, std::vector<RigidBody>& bodies) {
    const auto add = [&](double hx, double hy, double hz, double x, double z) {
        hulls.push_back(box_points(hx, hy, hz));
        bodies.push_back(fixed_at(static_cast<std::uint32_t>(hulls.size() - 1), turned(s.yaw, {x, -hy, z}),
                                  about_y(s.yaw), s.friction));
    };
    if (s.floor == Floor::whole) add(8, 0.5, 8, 0, 0);
    for (int i = -8; i < 8 && s.floor != Floor::whole; ++i) {
        if (s.floor == Floor::boards) add(0.5, 0.25, 8, i + 0.5, 0);
        for (int j = -8; j < 8 && s.floor != Floor::boards; ++j) {
            const double shift = s.floor == Floor::bricks && j % 2 != 0 ? 0.5 : 0;
            const double thick = s.floor == Floor::thick_and_thin && (i + j) % 2 == 0 ? 0.5 : 0.25;
            add(0.5, thick, 0.5, i + 0.5 + shift, j + 0.5);
        }
    }
}

struct Outcome {
    double speed = 0;   // along the motion, at the end
    double lifted = 0;  // highest centre above that of rest
    double side = 0;    // speed across
};

Outcome slide(const Slide& s) {
    std::vector<Points> hulls;
    std::vector<RigidBody> bodies;
    lay(s, hulls, bodies);
    hulls.push_back(box_points(kBox, kBox, kBox));
    RigidBody body = fixed_at(static_cast<std::uint32_t>(hulls.size() - 1), {}, about_y(s.yaw + s.turn), s.friction);
    body.kind = BodyKind::dynamic;
    const Vec3d along = turned(s.yaw + s.direction, {1, 0, 0});
    const Vec3d start = along * -2.0 + turned(s.yaw, {0.13, 0, 0.17});
    body.position[0] = start.x;
    body.position[1] = kBox;
    body.position[2] = start.z;
    body.velocity[0] = static_cast<float>(along.x * s.speed);
    body.velocity[2] = static_cast<float>(along.z * s.speed);
    bodies.push_back(body);
    World world(hulls_of(hulls));
    EXPECT_TRUE(world.add_bodies(bodies));
    const std::size_t last = bodies.size() - 1;
    Outcome out;
    const int steps = static_cast<int>(4.0 / s.speed * s.hertz);
    for (int i = 0; i < steps; ++i) {
        EXPECT_TRUE(world.step(1.0 / s.hertz).status);
        out.lifted = std::max(out.lifted, world.centre(last).y - kBox);
    }
    const Vec3d v = to_double(world.velocity(last));
    out.speed = dot(v, along);
    out.side = length(v - along * out.speed);
    return out;
}

const char* name(Floor floor) {
    constexpr const char* kNames[] = {"whole", "tiles", "bricks", "thick_and_thin", "boards"};
    return kNames[static_cast<int>(floor)];
}

TEST(DynamicsSeams, SlidesKeepTheSpeedOfOneFloor) {
    const char* wanted = std::getenv("LANEFOLD_SLIDES");
    const int slides = wanted != nullptr ? std::atoi(wanted) : 40;
    Random random(71);
    double worst = 0;
    double rubbed = 0;
    double lift = 0;
    for (int i = 0; i < slides; ++i) {
        Slide s;
        s.floor = static_cast<Floor>(1 + i % 4);
        s.yaw = i % 5 == 0 ? 0 : random.uniform(0, 6.28);
        s.direction = i % 3 == 0 ? 0 : random.uniform(0, 6.28);
        s.turn = i % 2 == 0 ? 0 : random.uniform(0, 6.28);
        s.speed = random.uniform(1, 10);
        s.hertz = random.uniform(30, 240);
        s.friction = i % 4 < 2 ? 0.0F : 0.02F;
        const Outcome seams = slide(s);
        Slide one = s;
        one.floor = Floor::whole;
        const Outcome whole = slide(one);
        const double off = std::abs(seams.speed - whole.speed) / s.speed;
        // With friction the impulses of the step before are not carried from piece to piece.
        const double most = s.friction == 0 ? 1e-5 : 2e-4;
        EXPECT_LE(off, most) << "slide " << i << ", " << name(s.floor) << ": " << seams.speed << " " << whole.speed;
        EXPECT_LE(seams.lifted - whole.lifted, 1e-4) << "slide " << i;
        EXPECT_LE(std::abs(seams.side - whole.side), most * s.speed) << "slide " << i;
        (s.friction == 0 ? worst : rubbed) = std::max(s.friction == 0 ? worst : rubbed, off);
        lift = std::max(lift, seams.lifted);
    }
    std::printf("%d slides: speed off by %.1e of it at most, with friction by %.1e; lifted by %.1e m\n", slides, worst,
                rubbed, lift);
    EXPECT_GT(slides, 0);
}

// The last tile has a real edge.
TEST(DynamicsSeams, BodiesFallOffTheLastTile) {
    Slide s;
    std::vector<Points> hulls;
    std::vector<RigidBody> bodies;
    lay(s, hulls, bodies);
    hulls.push_back(box_points(kBox, kBox, kBox));
    RigidBody body = fixed_at(static_cast<std::uint32_t>(hulls.size() - 1), {7, kBox, 0.1}, {}, 0);
    body.kind = BodyKind::dynamic;
    body.velocity[0] = 2;
    bodies.push_back(body);
    World world(hulls_of(hulls));
    ASSERT_TRUE(world.add_bodies(bodies));
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(world.step(1.0 / 60).status);
    EXPECT_LT(world.centre(bodies.size() - 1).y, -0.5);
}

// Tiles that are 40 cm higher stop what slides against them.
TEST(DynamicsSeams, AStepIsAStep) {
    Slide s;
    std::vector<Points> hulls;
    std::vector<RigidBody> bodies;
    lay(s, hulls, bodies);
    for (RigidBody& tile : bodies) {
        if (tile.position[0] > 2) tile.position[1] += 0.4;
    }
    hulls.push_back(box_points(kBox, kBox, kBox));
    RigidBody body = fixed_at(static_cast<std::uint32_t>(hulls.size() - 1), {0, kBox, 0.1}, {}, 0);
    body.kind = BodyKind::dynamic;
    body.velocity[0] = 2;
    bodies.push_back(body);
    World world(hulls_of(hulls));
    ASSERT_TRUE(world.add_bodies(bodies));
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(world.step(1.0 / 60).status);
    EXPECT_NEAR(world.centre(bodies.size() - 1).x, 2 - kBox, 0.03);  // struck at the margin of 2 cm
    EXPECT_LT(std::abs(world.velocity(bodies.size() - 1).x), 0.01F);
}

// Debris on tiles: the same bits with any number of threads, and after a restore.
TEST(DynamicsSeams, SameBitsWithThreadsAndAfterARestore) {
    Slide s;
    s.floor = Floor::bricks;
    s.friction = 0.5F;
    std::vector<Points> hulls;
    std::vector<RigidBody> bodies;
    lay(s, hulls, bodies);
    Random random(5);
    for (int i = 0; i < 12; ++i) hulls.push_back(transformed(make_points(Shape::rock, random), 0.3, {}, {}));
    for (int i = 0; i < 60; ++i) {
        RigidBody body = fixed_at(static_cast<std::uint32_t>(hulls.size()) - 1 - static_cast<std::uint32_t>(i % 12),
                                  {i % 8 * 0.7 - 3, 0.5 + i / 8 * 0.6, i % 5 * 0.7 - 2}, {}, 0.5F);
        body.kind = BodyKind::dynamic;
        body.velocity[0] = 1.5F;
        bodies.push_back(body);
    }
    const HullSet set = hulls_of(hulls);
    std::vector<std::byte> first;
    for (const std::uint32_t threads : {1U, 3U}) {
        World world(set);
        WorldSettings settings;
        settings.threads = threads;
        ASSERT_TRUE(world.set_settings(settings));
        ASSERT_TRUE(world.add_bodies(bodies));
        std::vector<std::byte> half;
        for (int i = 0; i < 90; ++i) {
            if (i == 45) {
                ASSERT_TRUE(world.save(half));
            }
            ASSERT_TRUE(world.step(1.0 / 60).status);
        }
        std::vector<std::byte> end;
        ASSERT_TRUE(world.save(end));
        if (first.empty()) first = end;
        EXPECT_EQ(first, end) << threads << " threads";
        World again(set);
        ASSERT_TRUE(again.set_settings(settings));
        ASSERT_TRUE(again.add_bodies(bodies));
        ASSERT_TRUE(again.restore(half));
        for (int i = 45; i < 90; ++i) ASSERT_TRUE(again.step(1.0 / 60).status);
        std::vector<std::byte> gone_on;
        ASSERT_TRUE(again.save(gone_on));
        EXPECT_EQ(end, gone_on);
    }
}

}  // namespace
}  // namespace lanefold::test
