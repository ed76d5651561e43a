// SPDX-License-Identifier: MIT
//
// Bodies that all worlds of a batch share, impulses that act once, and hulls whose vertices are there once: the bits
// are those of worlds alone, which have a floor of their own.
#include <cstring>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/hull_builder.hpp>
#include <lanefold/world_batch.hpp>

#include "support/counted_new.hpp"
#include "support/small_worlds.hpp"

namespace lanefold::test {
namespace {

constexpr std::size_t kWorlds = 12;
constexpr std::size_t kOwn = 5;

// A tile of a floor and a cube.
HullSet hulls() {
    std::vector<Vec3f> points;
    for (const float size : {2.0F, 0.25F}) {
        for (int c = 0; c < 8; ++c)
            points.push_back({(c & 1) != 0 ? size : -size, (c & 2) != 0 ? 0.25F : -0.25F, (c & 4) != 0 ? size : -size});
    }
    const std::uint64_t offsets[] = {0, 8, 16};
    const BuildResult built = build_hulls(points, offsets);
    EXPECT_TRUE(built);
    return built.hulls;
}

// Two tiles side by side: the seam between them is one of bodies that all worlds share.
std::vector<RigidBody> floor_of_two() {
    std::vector<RigidBody> tiles(2);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        tiles[i].kind = BodyKind::fixed;
        tiles[i].position[0] = i == 0 ? -2 : 2;
        tiles[i].position[1] = -0.25;
    }
    return tiles;
}

std::vector<RigidBody> cubes(BatchRandom& random) {
    std::vector<RigidBody> bodies(kOwn);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].hull = 1;
        bodies[i].position[0] = static_cast<double>(random.uniform(-1, 1));
        bodies[i].position[1] = 0.3 + 0.6 * static_cast<double>(i);
        bodies[i].velocity[0] = random.uniform(-3, 3);
    }
    return bodies;
}

// A batch with shared tiles, and worlds alone that have them as their last bodies.
struct Shared {
    WorldBatch batch{hulls(), kWorlds};
    std::vector<World> alone;

    Shared() {
        BatchRandom random(5);
        for (std::size_t w = 0; w < kWorlds; ++w) {
            alone.emplace_back(hulls());
            std::vector<RigidBody> bodies = cubes(random);
            EXPECT_TRUE(batch.world(w).add_bodies(bodies));
            const std::vector<RigidBody> tiles = floor_of_two();
            bodies.insert(bodies.end(), tiles.begin(), tiles.end());
            EXPECT_TRUE(alone[w].add_bodies(bodies));
        }
        EXPECT_TRUE(batch.add_shared(floor_of_two()));
    }
};

TEST(WorldBatchShared, BodiesOfAllWorldsGiveTheBitsOfWorldsAlone) {
    Shared both;
    EXPECT_EQ(both.batch.shared(), 2U);
    BatchRandom random(6);
    std::uint64_t contacts = 0, pushed = 0;
    for (int step = 0; step < 60; ++step) {
        const WorldArrays arrays = both.batch.arrays();
        ASSERT_EQ(arrays.touches.size(), kWorlds * kOwn) << "the arrays leave the shared bodies out";
        std::vector<std::uint8_t> active(kWorlds);
        for (std::size_t w = 0; w < kWorlds; ++w) {
            active[w] = random.below(4) != 0 ? 1 : 0;
            if (active[w] == 0 || random.below(3) != 0) continue;
            const std::size_t i = random.below(kOwn);
            const Vec3f impulse{random.uniform(-40, 40), random.uniform(0, 60), random.uniform(-40, 40)};
            std::memcpy(&arrays.impulses[3 * (arrays.offsets[w] + i)], &impulse, sizeof impulse);
            EXPECT_TRUE(both.alone[w].apply_impulse(i, impulse, both.alone[w].centre(i)));
            ++pushed;
        }
        const WorldBatchResult r = both.batch.step(kWorldStep, {}, active);
        ASSERT_TRUE(r.status) << r.status.what;
        contacts += r.contacts;
        for (std::size_t w = 0; w < kWorlds; ++w) {
            if (active[w] != 0) {
                EXPECT_TRUE(both.alone[w].step(kWorldStep).status);
            }
            ASSERT_EQ(bytes_of(both.batch.world(w)), bytes_of(both.alone[w])) << "world " << w << ", step " << step;
            for (std::size_t i = 0; i < kOwn; ++i) {
                ASSERT_EQ(std::memcmp(&arrays.positions[3 * (kOwn * w + i)], both.alone[w].bodies()[i].position, 24),
                          0);
            }
        }
        for (const float x : arrays.impulses) ASSERT_EQ(x, 0) << "an impulse acts once";
    }
    EXPECT_GT(contacts, 1000U);
    EXPECT_GT(pushed, 50U);
}

void expect_refused(const CallStatus& status, const char* what, std::uint64_t where) {
    EXPECT_EQ(status.code, Status::bad_argument);
    EXPECT_STREQ(status.what, what);
    EXPECT_EQ(status.where, where);
}

TEST(WorldBatchShared, OneThatMovesIsRefusedWithItsPlace) {
    Shared both;
    std::vector<RigidBody> more = floor_of_two();
    more[1].kind = BodyKind::kinematic;
    expect_refused(both.batch.add_shared(more), "body: one that all worlds share must be fixed", 1);
    more[1].kind = BodyKind::dynamic;
    more[1].hull = 1;
    expect_refused(both.batch.add_shared(more), "body: one that all worlds share must be fixed", 1);
    more[1].kind = BodyKind::fixed;
    more[1].hull = 7;
    expect_refused(both.batch.add_shared(more), "body: there is no such hull", 1);
    expect_refused(both.batch.add_bodies(more), "bodies: those that all worlds share come last, and there are some", 2);
    EXPECT_EQ(both.batch.shared(), 2U);
    ASSERT_TRUE(both.batch.keep().status);
    const double aside[3] = {2.5, -0.25, 0};
    const float upright[4] = {0, 0, 0, 1};
    ASSERT_TRUE(both.batch.world(4).set_pose(kOwn + 1, aside, upright));
    const std::vector<std::byte> before = bytes_of(both.batch.world(4));
    std::vector<StepResult> results(kWorlds);
    WorldBatchResult r = both.batch.step(kWorldStep, results);
    const char* const moved = "a shared body has moved, or bodies were added behind it";
    expect_refused(r.status, moved, 4);
    expect_refused(results[4].status, moved, 1);
    EXPECT_EQ(r.refused, 1U);
    EXPECT_EQ(r.done, kWorlds - 1);
    EXPECT_EQ(bytes_of(both.batch.world(4)), before);
    ASSERT_TRUE(both.batch.reset().status);
    EXPECT_TRUE(both.batch.step(kWorldStep).status) << "reset() takes the shared bodies back, too";
    ASSERT_TRUE(both.batch.world(2).remove(kOwn + 1));
    r = both.batch.step(kWorldStep, results);
    expect_refused(r.status, "a shared body was removed", 2);
    expect_refused(results[2].status, "a shared body was removed", 1);
    ASSERT_TRUE(both.batch.reset().status);
    ASSERT_TRUE(both.batch.world(7).add_bodies({more.data(), 1}));
    r = both.batch.step(kWorldStep, results);
    EXPECT_EQ(r.refused, 1U);
    expect_refused(results[7].status, moved, 0);
}

TEST(WorldBatchShared, EachWorldGetsBodiesOfItsOwn) {
    WorldBatch batch(hulls(), 3);
    BatchRandom random(8);
    std::vector<RigidBody> all;
    for (std::size_t w = 0; w < 3; ++w) {
        const std::vector<RigidBody> own = cubes(random);
        all.insert(all.end(), own.begin(), own.end());
    }
    all[kOwn + 2].mass = -1;
    expect_refused(batch.add_bodies_of_each(all), "body: mass must be finite and positive; 0 takes the density",
                   kOwn + 2);
    for (std::size_t w = 0; w < 3; ++w) EXPECT_EQ(batch.world(w).size(), 0U) << "all or none";
    all[kOwn + 2].mass = 3;
    expect_refused(batch.add_bodies_of_each({all.data(), 7}), "bodies: not as many for each world", 7);
    ASSERT_TRUE(batch.add_bodies_of_each(all));
    for (std::size_t k = 0; k < all.size(); ++k) {
        const BodyD& body = batch.world(k / kOwn).bodies()[k % kOwn];
        EXPECT_EQ(body.position[0], all[k].position[0]) << k;
    }
    EXPECT_NEAR(batch.world(1).mass(2), 3, 1e-6);
}

TEST(WorldBatchShared, AnImpulseOfARefusedStepStays) {
    Shared both;
    const WorldArrays arrays = both.batch.arrays();
    arrays.impulses[3] = std::nanf("");
    arrays.impulses[3 * kOwn] = 2;
    std::vector<StepResult> results(kWorlds);
    WorldBatchResult r = both.batch.step(kWorldStep, results);
    EXPECT_EQ(r.refused, 1U);
    expect_refused(results[0].status, "impulses are not finite", 1);
    EXPECT_EQ(arrays.impulses[3 * kOwn], 0);
    EXPECT_NE(arrays.impulses[3], 0);
    arrays.impulses[3] = 1;
    EXPECT_TRUE(both.batch.step(kWorldStep).status);
    EXPECT_EQ(arrays.impulses[3], 0);
    arrays.impulses[0] = 1;
    ASSERT_TRUE(both.batch.keep().status);
    ASSERT_TRUE(both.batch.reset().status);
    EXPECT_EQ(arrays.impulses[0], 0) << "reset() clears what has not acted yet";
}

// A hull of thousands of vertices costs each further world nothing.
TEST(WorldBatchShared, VerticesAreThereOnce) {
    BatchRandom random(9);
    std::vector<Vec3f> points(20000);
    for (Vec3f& p : points) {
        float u[3];
        random.axis(u);
        p = {u[0], u[1], u[2]};
    }
    const std::uint64_t offsets[] = {0, points.size()};
    const BuildResult built = build_hulls(points, offsets);
    ASSERT_TRUE(built);
    const std::uint64_t vertices = 3 * sizeof(float) * built.hulls.vertices(0).size();
    ASSERT_GT(vertices, 20000U);
    std::vector<RigidBody> bodies(2);
    bodies[1].position[1] = 5;
    const auto bytes_with = [&](std::size_t worlds) {
        const std::uint64_t before = allocated_bytes.load();
        WorldBatch batch(built.hulls, worlds);
        batch.set_threads(1);
        EXPECT_TRUE(batch.add_bodies(bodies));
        EXPECT_TRUE(batch.step(kWorldStep).status);
        const HullSet more = built.hulls.append(hulls());
        EXPECT_TRUE(batch.set_hulls(more));
        EXPECT_TRUE(batch.step(kWorldStep).status);
        return allocated_bytes.load() - before;
    };
    static_cast<void>(bytes_with(1));
    const std::uint64_t few = bytes_with(2);
    const std::uint64_t many = bytes_with(22);
    EXPECT_LT(many - few, 20 * vertices / 4);
}

TEST(WorldBatchShared, HullsThatAWorldRefusesAreTakenByNone) {
    WorldBatch batch(hulls(), 3);
    std::vector<RigidBody> cube(1);
    cube[0].hull = 1;
    ASSERT_TRUE(batch.world(2).add_bodies(cube));
    const std::uint32_t gone[] = {1};
    const HullSet less = hulls().remove(gone);
    EXPECT_FALSE(batch.set_hulls(less));
    for (std::size_t w = 0; w < 3; ++w) EXPECT_TRUE(batch.world(w).hulls().contains(1)) << w;
    EXPECT_TRUE(batch.step(kWorldStep).status);
}

}  // namespace
}  // namespace lanefold::test
