// SPDX-License-Identifier: MIT
//
// Level pieces of one compound side by side: what slides or rolls over them meets no seam, whether the compound is
// fixed or kinematic, and a corner of two pieces stays one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include "support/compound_bodies.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

enum class Sliding { box, turned_box, ball };

struct Slid {
    double speed = 0;   // least, as a share of that at the begin
    double lifted = 0;  // highest centre above that of rest
};

// A body of 0.5 m that slides without friction over a floor of tiles of 1 m, which are one compound.
Slid slide(Sliding what, BodyKind kind, double rate) {
    CompoundBodies make;
    const std::uint32_t tile = make.box(0.5, 0.5, 0.5);
    for (int i = -3; i < 8; ++i)
        for (int j = -2; j < 3; ++j) make.piece(tile, i, -0.5, j);
    const std::uint32_t tiles = make.compound();
    const std::uint32_t own = what == Sliding::ball ? make.ball(0.25F) : make.box(0.25, 0.25, 0.25);
    std::vector<RigidBody> bodies{body_at(0, 0, 0, tiles), body_at(-1.3, 0.25, 0.13, own)};
    bodies[0].kind = kind;
    bodies[0].friction = bodies[1].friction = 0;
    bodies[1].velocity[0] = 3;
    if (what == Sliding::turned_box) set_rotation(bodies[1], {0, std::sin(0.2), 0, std::cos(0.2)});
    World world = make_world(make.hulls(), bodies);
    Slid out{1, 0};
    for (int i = 0; i < 2 * rate; ++i) {
        expect_good(world.step(1 / rate).status);
        out.speed = std::min(out.speed, static_cast<double>(world.velocity(1).x) / 3);
        out.lifted = std::max(out.lifted, world.centre(1).y - 0.25);
    }
    return out;
}

TEST(DynamicsCompoundSeams, LevelPiecesAreOneFloor) {
    double least = 1, lifted = 0;
    for (const Sliding what : {Sliding::box, Sliding::turned_box, Sliding::ball}) {
        for (const BodyKind kind : {BodyKind::fixed, BodyKind::kinematic}) {
            for (const double rate : {24.0, 60.0, 240.0}) {
                const Slid slid = slide(what, kind, rate);
                least = std::min(least, slid.speed);
                lifted = std::max(lifted, slid.lifted);
            }
        }
    }
    std::printf("slides over the pieces of a compound: %.6f of the speed, lifted by %.2g m\n", least, lifted);
    EXPECT_GT(least, 0.999);
    EXPECT_LT(lifted, 1e-4);
}

// Six cubes of two halves each stand on each other: no half pushes the other half of the cube under it aside.
TEST(DynamicsCompoundSeams, HalvesDoNotPushEachOtherAside) {
    CompoundBodies make;
    const std::uint32_t half = make.box(0.25, 0.5, 0.5);
    const std::uint32_t cube = make.piece(half, -0.25, 0, 0).piece(half, 0.25, 0, 0).compound();
    std::vector<RigidBody> bodies{world_floor()};
    for (int i = 0; i < 6; ++i) bodies.push_back(body_at(0, 0.5 + i, 0, cube));
    WorldSettings s;
    s.sleep = false;
    World world = make_world(make.hulls(), bodies, s);
    for (int i = 0; i < 120; ++i) {
        expect_good(world.step(1.0 / 60).status);
        for (const Manifold4& m : world.contacts()) ASSERT_GT(std::fabs(m.normal[1]), 0.99F) << i;
    }
}

// A floor and a wall that stands on it are one compound. A thin plate set down in their corner is held by both.
TEST(DynamicsCompoundSeams, ACornerHoldsBothWays) {
    CompoundBodies make;
    make.piece(make.box(2, 0.5, 2), 0, -0.5, 0).piece(make.box(0.5, 1, 2), 1.5, 1, 0);
    const std::uint32_t corner = make.compound();
    const std::uint32_t plate = make.box(0.005, 0.2, 0.2);
    std::vector<RigidBody> bodies{body_at(0, 0, 0, corner), body_at(0.99, 0.2, 0, plate)};
    bodies[0].kind = BodyKind::fixed;
    bodies[1].velocity[0] = 2;
    World world = make_world(make.hulls(), bodies);
    for (int i = 0; i < 120; ++i) {
        expect_good(world.step(1.0 / 60).status);
        ASSERT_LT(world.centre(1).x, 0.997) << i;
        ASSERT_GT(world.centre(1).y, 0.199) << i;
    }
}

}  // namespace
}  // namespace lanefold::test
