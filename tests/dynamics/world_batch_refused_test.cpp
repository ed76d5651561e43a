// SPDX-License-Identifier: MIT
//
// A world of a batch whose step is refused after some of its bodies have had their orders is what it was, byte by byte:
// its velocities, what sleeps in it, and what is known of bodies at rest.
#include <cstdint>
#include <cstdio>
#include <limits>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/world_batch.hpp>

#include "support/counted_new.hpp"
#include "support/small_worlds.hpp"

namespace lanefold::test {
namespace {

constexpr std::size_t kWorlds = 3;
constexpr std::uint32_t kKinematic = 1;

// Each world has a floor, a kinematic body beside a pair of dynamic ones that rest on each other, and one far away.
WorldBatch new_worlds() {
    WorldBatch batch(small_hulls(), kWorlds);
    std::vector<RigidBody> bodies(5);
    const double places[][2] = {{0, -0.5}, {0.5, 0.25}, {0, 0.25}, {0, 0.75}, {-3, 0.25}};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].hull = i == 0 ? 0 : 1;
        bodies[i].position[0] = places[i][0];
        bodies[i].position[1] = places[i][1];
    }
    bodies[0].kind = BodyKind::fixed;
    bodies[kKinematic].kind = BodyKind::kinematic;
    EXPECT_TRUE(batch.add_bodies(bodies));
    return batch;
}

WorldBatch resting_worlds() {
    WorldBatch batch = new_worlds();
    for (int k = 0; k < 600; ++k) EXPECT_TRUE(batch.step(kWorldStep).status);
    for (std::size_t i = 2; i < 5; ++i) EXPECT_TRUE(batch.world(1).asleep(i)) << i;
    return batch;
}

// Gives world 1 an impulse on a body that sleeps, a target of the kinematic body, and a force on the last.
void give_orders(WorldBatch& batch, float last) {
    const WorldArrays arrays = batch.arrays();
    const std::size_t first = arrays.offsets[1];
    arrays.impulses[3 * (first + 3) + 1] = 20;
    arrays.targets[first + kKinematic] = 1;
    arrays.target_positions[3 * (first + kKinematic) + 1] = 0.3;
    arrays.forces[3 * (first + 4)] = last;
}

TEST(WorldBatchRefused, AnOrderBeyondAllSpeedsLeavesTheWorldAsItWas) {
    WorldBatch batch = resting_worlds();
    const std::vector<std::byte> before = bytes_of(batch.world(1));
    give_orders(batch, 1e38F);
    const WorldBatchResult r = batch.step(kWorldStep);
    EXPECT_STREQ(r.status.what, "impulse: velocity or spin would be beyond 1e12");
    EXPECT_EQ(r.status.where, 1U);
    EXPECT_EQ(r.done, kWorlds - 1);
    EXPECT_TRUE(bytes_of(batch.world(1)) == before);
    EXPECT_FALSE(bytes_of(batch.world(0)) == before);  // it has counted the step
    // The orders are still there, and act once the last one is possible.
    batch.arrays().forces[3 * (batch.arrays().offsets[1] + 4)] = 100;
    ASSERT_TRUE(batch.step(kWorldStep).status);
    WorldBatch other = resting_worlds();
    give_orders(other, 100);
    ASSERT_TRUE(other.step(kWorldStep).status);
    EXPECT_TRUE(bytes_of(batch.world(1)) == bytes_of(other.world(1)));
    EXPECT_FALSE(batch.world(1).asleep(3));
}

TEST(WorldBatchRefused, AStepThatRunsOutOfMemoryLeavesTheWorldAsItWas) {
    const std::vector<std::byte> before = bytes_of(resting_worlds().world(1));
    const std::vector<std::uint8_t> one{0, 1, 0};
    std::uint64_t failures = 0;
    for (;; ++failures) {
        WorldBatch cold = new_worlds();  // has no working memory yet
        cold.set_threads(1);
        ASSERT_TRUE(cold.world(1).restore(before));
        give_orders(cold, 100);
        limit = allocations.load() + failures;
        const WorldBatchResult r = cold.step(kWorldStep, {}, one);
        limit = ~std::uint64_t{0};
        if (r.status) break;
        ASSERT_EQ(r.status.code, Status::out_of_memory) << r.status.what;
        ASSERT_TRUE(bytes_of(cold.world(1)) == before) << failures;
    }
    std::printf("memory ran out %llu times\n", static_cast<unsigned long long>(failures));
    EXPECT_GT(failures, 50U);
}

TEST(WorldBatchRefused, MoreWorldsThanMemoryCanHoldAreBadAlloc) {
    EXPECT_THROW(WorldBatch(small_hulls(), std::numeric_limits<std::size_t>::max()), std::bad_alloc);
}

}  // namespace
}  // namespace lanefold::test
