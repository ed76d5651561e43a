// SPDX-License-Identifier: MIT
//
// A world large enough that every loop of a step has many parts, on several threads: the same bits as on one, step by
// step, while bodies fall asleep, are woken, and some constraints find no colour.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include <tbb/task_arena.h>

#include <lanefold/hull_builder.hpp>

#include "support/batch_threads.hpp"
#include "support/hulls.hpp"
#include "support/isa_fixture.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kBodies = 4000;
constexpr int kSteps = 40;
constexpr std::uint64_t kGolden = 0x7add723c8c4a9b41ULL;  // of the last state

struct Told {
    std::vector<std::uint64_t> hashes;  // of the state after each step
    std::uint64_t asleep = 0;           // most at a time
    std::uint64_t woken = 0;            // times that fewer slept than before
    std::uint64_t contacts = 0;
    std::uint64_t overflow = 0;
};

// All that rest even for a moment sleep, so that there is always somebody to wake. Hundreds lie on one plate.
World large_world(Isa isa, std::uint32_t threads) {
    WorldSettings s;
    s.isa = isa;
    s.threads = threads;
    s.sleep_speed = 3;
    s.sleep_time = 0.01F;
    s.margin = 0.1F;
    StandingScene pile = pile_scene(23, kBodies, Shape::debris);
    for (RigidBody& body : pile.bodies)
        if (body.kind == BodyKind::dynamic) body.velocity[1] = -6;
    pile.bodies.push_back(body_at(0, 0.06, 0, static_cast<std::uint32_t>(pile.hulls.size())));
    const Points plate = box_points(5, 0.05, 5);
    const BuildResult built = build_hulls(plate, std::vector<std::uint64_t>{0, plate.size()});
    EXPECT_TRUE(built);
    return make_world(pile.hulls.append(built.hulls), pile.bodies, s);
}

Told run_world(Isa isa, std::uint32_t threads) {
    Told run;
    World world = large_world(isa, threads);
    tbb::task_arena arena(static_cast<int>(threads));
    std::uint64_t before = 0;
    for (int k = 0; k < kSteps; ++k) {
        StepResult r;
        // Some steps begin with the caller's manifolds.
        const std::vector<Manifold4> manifolds(world.contacts().begin(), world.contacts().end());
        arena.execute([&] { r = k % 8 == 7 ? world.advance(kWorldStep / 8, manifolds) : world.step(kWorldStep); });
        EXPECT_TRUE(r.status) << r.status.what;
        EXPECT_EQ(r.isa, isa);
        run.hashes.push_back(state_hash(world));
        run.asleep = std::max(run.asleep, r.asleep);
        run.woken += r.asleep < before ? 1U : 0U;
        run.contacts = std::max(run.contacts, r.contacts);
        run.overflow = std::max(run.overflow, r.overflow);
        before = r.asleep;
    }
    return run;
}

class DynamicsLargeWorld : public IsaTest {};

TEST_P(DynamicsLargeWorld, HasTheSameBitsOnEveryNumberOfThreads) {
    const Told one = run_world(GetParam(), 1);
    std::printf("%u bodies: up to %llu asleep, %llu steps that woke some, %llu contacts, %llu without a colour\n",
                kBodies, static_cast<unsigned long long>(one.asleep), static_cast<unsigned long long>(one.woken),
                static_cast<unsigned long long>(one.contacts), static_cast<unsigned long long>(one.overflow));
    EXPECT_GT(one.asleep, 40U);
    EXPECT_GT(one.woken, 3U);
    EXPECT_GT(one.contacts, 4000U);
    EXPECT_GT(one.overflow, 100U);
    EXPECT_EQ(one.hashes.back(), kGolden) << std::hex << one.hashes.back();
    for (const std::uint32_t threads : {2U, 8U}) {
        const Told run = run_world(GetParam(), threads);
        EXPECT_EQ(run.hashes, one.hashes) << threads << " threads";
        EXPECT_EQ(run.asleep, one.asleep);
        EXPECT_EQ(run.contacts, one.contacts);
        EXPECT_EQ(run.overflow, one.overflow);
    }
}
LANEFOLD_INSTANTIATE_ISA_TESTS(DynamicsLargeWorld);

}  // namespace
}  // namespace lanefold::test
