// SPDX-License-Identifier: MIT
//
// Many compounds at once: piles with the bits of every instruction set, thread count, batch and restart; nothing passes
// through their pieces; and fixed compounds, tiles, half-spaces and surfaces under them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <lanefold/half_space.hpp>
#include <lanefold/surface_set.hpp>
#include <lanefold/world_batch.hpp>

#include "support/compound_bodies.hpp"
#include "support/isa_fixture.hpp"
#include "support/surface_scene.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

// Figures, jacks, dumbbells, tables and cubes above the floor.
StandingScene heap(std::uint64_t seed, int count) {
    CompoundBodies make;
    const std::uint32_t kinds[] = {make.figure(), make.jack(), make.dumbbell(), make.table(), 1, make.bent_post(0.5)};
    StandingScene scene{"heap of compounds", make.hulls(), {world_floor()}};
    Random random(seed);
    for (int i = 0; i < count; ++i) {
        RigidBody body = body_at(1.3 * (i % 3) - 1.3, 1.2 + 1.3 * (i / 9), 1.3 * (i / 3 % 3) - 1.3, kinds[i % 6]);
        set_rotation(body, random.rotation());
        body.restitution = i % 7 == 0 ? 0.4F : 0.0F;
        scene.bodies.push_back(body);
    }
    return scene;
}

class DynamicsCompoundBits : public IsaTest {};

TEST_P(DynamicsCompoundBits, AreThoseOfTheScalarKernels) {
    const StandingScene scene = heap(3, 54);
    World scalar = make_awake_world(scene, Isa::scalar);
    World world = make_awake_world(scene, GetParam());
    for (int i = 0; i < 119; ++i) {
        expect_good(scalar.step(kWorldStep).status);
        expect_good(world.step(kWorldStep).status);
    }
    EXPECT_GT(world.contacts().size(), 80U);
    EXPECT_EQ(state_hash(world), state_hash(scalar));
}
LANEFOLD_INSTANTIATE_ISA_TESTS(DynamicsCompoundBits);

TEST(DynamicsCompoundBits, AreThoseOfAnyThreadsAndOfARestart) {
    const StandingScene scene = heap(4, 54);
    WorldSettings s;
    s.threads = 1;
    World one = make_world(scene, s);
    s.threads = 0;
    World many = make_world(scene, s), again = make_world(scene, s);
    run(one, 1.5);
    tbb::task_arena arena(6);
    arena.execute([&] { run(many, 1.5); });
    EXPECT_EQ(state_hash(many), state_hash(one));
    std::vector<std::byte> bytes;
    expect_good(many.save(bytes));
    expect_good(again.restore(bytes));
    run(one, 1);
    run(again, 1);
    EXPECT_EQ(state_hash(again), state_hash(one));
}

TEST(DynamicsCompoundBits, AreThoseOfABatch) {
    constexpr std::uint32_t kWorlds = 6;
    WorldBatch batch(heap(1, 1).hulls, kWorlds);
    std::vector<World> alone;
    for (std::uint32_t w = 0; w < kWorlds; ++w) {
        const StandingScene scene = heap(20 + w, 9 + static_cast<int>(w));
        expect_good(batch.world(w).add_bodies(scene.bodies));
        alone.push_back(make_world(scene));
    }
    for (int i = 0; i < 90; ++i) {
        EXPECT_TRUE(batch.step(kWorldStep).status);
        for (World& world : alone) expect_good(world.step(kWorldStep).status);
    }
    for (std::uint32_t w = 0; w < kWorlds; ++w) {
        std::vector<std::byte> a, b;
        expect_good(alone[w].save(a));
        expect_good(batch.world(w).save(b));
        EXPECT_EQ(a, b) << w;
    }
}

TEST(DynamicsCompoundMotion, AHeapComesToRestWithoutSinking) {
    const StandingScene scene = heap(5, 36);
    World world = make_world(scene);
    const double before = world.motion().kinetic_energy + world.motion().potential_energy;
    double most = 0;
    for (int i = 0; i < 900; ++i) {
        expect_good(world.step(kWorldStep).status);
        most = std::max(most, world.motion().kinetic_energy + world.motion().potential_energy);
    }
    EXPECT_LT(most, 1.01 * before);
    int fast = 0;
    double deepest = 0;
    for (std::uint32_t i = 1; i < world.size(); ++i) {
        EXPECT_FALSE(world.lost(i));
        EXPECT_GT(world.centre(i).y, 0.03) << i;
        fast += speed_of(world, i) > 0.05 ? 1 : 0;
    }
    for (const Manifold4& m : world.contacts()) deepest = std::max(deepest, -static_cast<double>(m.distance));
    std::printf("after 15 s %d of %zu bodies move, the deepest overlap is %.2g m\n", fast, world.size() - 1, deepest);
    EXPECT_LE(fast, 6);  // balls and capsules roll on
    EXPECT_LT(deepest, 0.01);
}

// A plate of 1 cm is thrown at a grid of thin bars, in whose gaps there is room for a bullet but not for the plate.
TEST(DynamicsCompoundMotion, NothingPassesThroughThePiecesAndWhatFitsGoesThrough) {
    CompoundBodies make;
    const std::uint32_t bullet = make.ball(0.03F), plate = make.box(0.3, 0.3, 0.005);
    const std::uint32_t upright = make.box(0.01, 1, 0.005), level = make.box(1, 0.01, 0.005);
    for (int i = -3; i <= 3; ++i) make.piece(upright, 0.2 * i, 0, 0).piece(level, 0, 0.2 * i, 0);
    const std::uint32_t grid = make.compound();
    make.piece(make.box(0.3, 0.02, 0.005), 0, 0, 0).piece(make.box(0.02, 0.3, 0.005), 0, 0, 0);
    const std::uint32_t cross = make.compound();
    Random random(8);
    int through = 0;
    for (int k = 0; k < 60; ++k) {
        const bool moves = k % 2 == 0;
        RigidBody wall = body_at(0, 0, 0, grid), thrown = body_at(0, 0, 3,
                                                                  k % 3 == 0   ? plate
                                                                  : k % 3 == 1 ? cross
                                                                               : bullet);
        if (!moves) wall.kind = BodyKind::fixed;
        wall.mass = 1000;
        thrown.position[0] = random.uniform(-0.2, 0.2);
        thrown.position[1] = random.uniform(-0.2, 0.2);
        if (k % 3 == 2) thrown.position[0] = thrown.position[1] = 0.1;
        thrown.velocity[2] = static_cast<float>(-random.log_uniform(5, 300));
        if (k % 3 != 2) thrown.spin[0] = static_cast<float>(random.uniform(-20, 20));
        WorldSettings s;
        s.gravity = {0, 0, 0};
        World world = make_world(make.hulls(), std::vector<RigidBody>{wall, thrown}, s);
        run(world, 3.5 / std::fabs(static_cast<double>(thrown.velocity[2])) + 5 * kWorldStep);
        const double behind = world.centre(1).z - world.centre(0).z;
        if (k % 3 != 2) {
            EXPECT_GT(behind, -0.01) << k << " at " << thrown.velocity[2];
        }
        if (k % 3 == 2) {
            through += behind < -0.03 ? 1 : 0;
            EXPECT_EQ(world.velocity(1).z, thrown.velocity[2]) << k;
        }
    }
    EXPECT_EQ(through, 20);
}

// Without friction a table keeps its speed and height over tiles, as over one floor.
TEST(DynamicsCompoundMotion, ATableSlidesOverTilesWithoutASeam) {
    CompoundBodies make;
    const std::uint32_t table = make.table(), tile = make.box(0.25, 0.25, 0.25);
    std::vector<RigidBody> bodies;
    for (int i = -2; i < 12; ++i) {
        for (int j = -3; j < 3; ++j) {
            bodies.push_back(body_at(0.5 * i, -0.25, 0.5 * j + 0.25, tile));
            bodies.back().kind = BodyKind::fixed;
        }
    }
    bodies.push_back(body_at(0, 0, 0.07, table));
    bodies.back().velocity[0] = 3;
    for (RigidBody& body : bodies) body.friction = 0;
    World world = make_world(make.hulls(), bodies);
    double lifted = 0;
    for (int i = 0; i < 80; ++i) {
        expect_good(world.step(kWorldStep).status);
        lifted = std::max(lifted, world.bodies().back().position[1]);
    }
    const Vec3f v = world.velocity(bodies.size() - 1);
    std::printf("a table over tiles: %.6f of its speed, lifted by %.2g m\n", static_cast<double>(v.x) / 3, lifted);
    EXPECT_NEAR(static_cast<double>(v.x), 3, 1e-4);
    EXPECT_LT(lifted, 1e-4);
}

// The same bodies on a half-space, on a fixed compound of slabs, and on a surface of triangles.
TEST(DynamicsCompoundMotion, AllKindsOfGroundCarry) {
    CompoundBodies make;
    const std::uint32_t kinds[] = {make.table(), make.figure(), make.jack()};
    const std::uint32_t slab = make.box(2, 0.5, 2);
    make.piece(slab, -2, -0.5, 0).piece(slab, 2, -0.5, 0);
    const std::uint32_t slabs = make.compound();
    HullSet hulls = make.hulls();
    const HalfSpace plane{{0, 1, 0}, 0};
    hulls = hulls.append(build_half_spaces(std::span(&plane, 1)).hulls);
    // Rough ground is over x and y.
    const Surface ground = rough_ground(8, 0.5F, 0, 1);
    hulls = hulls.append(surface_set(std::span(&ground, 1)).hulls);
    const auto last = static_cast<std::uint32_t>(hulls.size() - 1);
    for (const std::uint32_t under : {slabs, last - 1, last}) {
        RigidBody floor = body_at(0, 0, 0, under);
        floor.kind = BodyKind::fixed;
        if (under == last) set_rotation(floor, {-std::sqrt(0.5), 0, 0, std::sqrt(0.5)});
        std::vector<RigidBody> bodies{floor};
        for (int i = 0; i < 3; ++i) bodies.push_back(body_at(1.3 * i - 1.3, i == 0 ? 0.1 : 1.2, 0.2, kinds[i]));
        World world = make_world(hulls, bodies);
        run(world, 8);
        EXPECT_NEAR(world.bodies()[1].position[1], 0, 6e-3) << under;
        for (std::uint32_t i = 1; i < 4; ++i) {
            EXPECT_GT(world.centre(i).y, 0.03) << under << " " << i;
            EXPECT_LT(speed_of(world, i), 0.3) << under << " " << i;
        }
    }
}

}  // namespace
}  // namespace lanefold::test
