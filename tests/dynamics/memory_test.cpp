// SPDX-License-Identifier: MIT
//
// Memory of a World: a step or a restore for which memory runs out, at any allocation, changes nothing.
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "support/compound_bodies.hpp"
#include "support/counted_new.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

using Bytes = std::vector<std::byte>;

Bytes state_of(const World& world) {
    Bytes bytes;
    expect_good(world.save(bytes));
    return bytes;
}

// Towers that fall asleep, and a cube for each other one that falls onto it later.
StandingScene towers(std::uint32_t count) {
    StandingScene scene = tower_scene(1);
    scene.bodies.resize(1);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t row = i / 8;
        const double x = 3.0 * (i % 8);
        const double z = 3.0 * row;
        for (int k = 0; k < 3; ++k) scene.bodies.push_back(body_at(x, 0.5 + k, z));
        if (i % 2 == 0) scene.bodies.push_back(body_at(x + 0.3, 12 + i, z));
    }
    return scene;
}

// A world that has no working memory yet, in the state.
World cold_world(const StandingScene& scene, const WorldSettings& settings, const Bytes& state) {
    World world = make_world(scene, settings);
    expect_good(world.restore(state));
    return world;
}

// Calls `call` on a cold world in the state, with one more allocation each time, until it succeeds: every allocation
// fails once. Returns the number of refusals, and the world that is left.
template <class Call>
std::uint64_t run_out(const StandingScene& scene, const WorldSettings& settings, const Bytes& state, World& left,
                      const Call& call) {
    for (std::uint64_t n = 0;; ++n) {
        left = cold_world(scene, settings, state);
        limit = allocations.load() + n;
        const CallStatus status = call(left);
        limit = ~std::uint64_t{0};
        if (status) return n;
        EXPECT_EQ(status.code, Status::out_of_memory) << status.what;
        EXPECT_TRUE(state_of(left) == state) << n;
        // Once more, with memory: what the refused call left behind changes nothing.
        if (n % 3 == 0) continue;
        World undisturbed = cold_world(scene, settings, state);
        EXPECT_TRUE(call(undisturbed) && call(left));
        EXPECT_TRUE(state_of(left) == state_of(undisturbed)) << n;
        if (testing::Test::HasFailure() || n > 10000) return 0;
    }
}

TEST(DynamicsMemory, AStepThatRunsOutChangesNothing) {
    const StandingScene scene = towers(24);
    for (const std::uint32_t threads : {1U, 2U}) {
        WorldSettings settings;
        settings.threads = threads;
        World undisturbed = make_world(scene, settings);
        std::uint64_t failures = 0, woken = 0, slept = 0;
        std::uint64_t awake = undisturbed.size();
        for (int k = 0; k < 240; ++k) {
            const Bytes before = state_of(undisturbed);
            const StepResult r = undisturbed.step(kWorldStep);
            ASSERT_TRUE(r.status);
            const bool wakes = r.awake > awake;
            const bool sleeps = r.awake < awake;
            woken += wakes ? 1 : 0;
            slept += sleeps ? 1 : 0;
            awake = r.awake;
            // Steps in which bodies wake or fall asleep, the first, and some others.
            if (!wakes && !sleeps && k % 60 != 0) continue;
            World left;
            failures += run_out(scene, settings, before, left, [](World& w) { return w.step(kWorldStep).status; });
            ASSERT_TRUE(state_of(left) == state_of(undisturbed)) << k;
        }
        std::printf("%u threads: memory ran out %llu times; %llu steps woke bodies, %llu put some to sleep\n", threads,
                    static_cast<unsigned long long>(failures), static_cast<unsigned long long>(woken),
                    static_cast<unsigned long long>(slept));
        EXPECT_GT(failures, 200U);
        EXPECT_GT(woken, 3U);
        EXPECT_GT(slept, 1U);
    }
}

// A step that runs out after it has woken a body puts it back to sleep. The state shows labels only; so the body that
// woke it is taken away, and then the sleeping body must not take part in the next step.
TEST(DynamicsMemory, AStepThatRunsOutLeavesBodiesAsleep) {
    StandingScene scene = tower_scene(1);
    scene.bodies.resize(1);
    scene.bodies.push_back(body_at(0, 0.5, 0));
    scene.bodies.push_back(body_at(0, 30, 0));
    World world = make_world(scene);
    Bytes before;
    for (int k = 0; k < 240 && (k < 60 || world.asleep(1)); ++k) {
        before = state_of(world);
        ASSERT_TRUE(world.step(kWorldStep).status);
    }
    const double far[3] = {100, 50, 0};
    const float upright[4] = {0, 0, 0, 1};
    std::uint64_t failures = 0;
    for (;; ++failures) {
        World left = cold_world(scene, {}, before);
        ASSERT_TRUE(left.asleep(1));
        for (const Manifold4& contact : left.contacts()) ASSERT_NE(contact.pair[1], 2U);
        limit = allocations.load() + failures;
        const CallStatus status = left.step(kWorldStep).status;
        limit = ~std::uint64_t{0};
        if (status) {
            EXPECT_FALSE(left.asleep(1));  // the whole step wakes it
            break;
        }
        expect_good(left.set_pose(2, far, upright));
        expect_good(left.step(kWorldStep).status);
        ASSERT_TRUE(left.asleep(1)) << failures;
        ASSERT_EQ(left.unmoved()[1], 1) << failures;
    }
    std::printf("memory ran out %llu times\n", static_cast<unsigned long long>(failures));
    EXPECT_GT(failures, 10U);
}

TEST(DynamicsMemory, AnAdvanceThatRunsOutChangesNothing) {
    const StandingScene scene = towers(24);
    World undisturbed = make_world(scene);
    run(undisturbed, 0.9);
    const Bytes before = state_of(undisturbed);
    ASSERT_TRUE(undisturbed.step(kWorldStep).status);
    const std::vector<Manifold4> manifolds(undisturbed.contacts().begin(), undisturbed.contacts().end());
    World left;
    const std::uint64_t failures =
        run_out(scene, {}, before, left, [&](World& w) { return w.advance(kWorldStep, manifolds).status; });
    std::printf("memory ran out %llu times\n", static_cast<unsigned long long>(failures));
    EXPECT_GT(failures, 10U);
}

TEST(DynamicsMemory, ARestoreThatRunsOutChangesNothing) {
    const StandingScene scene = towers(8);
    World late = make_world(scene);
    run(late, 2.5);
    const Bytes state = state_of(late);
    World early = make_world(scene);
    run(early, 0.05);
    const Bytes before = state_of(early);
    ASSERT_LT(early.contacts().size(), late.contacts().size());
    World left;
    const std::uint64_t failures = run_out(scene, {}, before, left, [&](World& w) { return w.restore(state); });
    EXPECT_GT(failures, 1U);
    EXPECT_TRUE(state_of(left) == state);
}

// A comb of more children than a pair keeps records of, beside tables.
TEST(DynamicsMemory, CompoundsAreAddedOrNotAndStepsOnceWarmAllocateNothing) {
    CompoundBodies make;
    const std::uint32_t table = make.table(), tooth = make.box(0.02, 0.1, 0.02);
    make.piece(make.box(0.5, 0.02, 0.5), 0, 0.22, 0);
    for (int i = 0; i < 81; ++i) make.piece(tooth, 0.1 * (i % 9) - 0.4, 0.1, 0.1 * (i / 9) - 0.4);
    const std::vector<RigidBody> bodies{world_floor(), body_at(3, 0, 0, make.compound()), body_at(0, 0, 0, table),
                                        body_at(-2, 0, 0, table)};
    WorldSettings s;
    s.sleep = false;
    s.threads = 1;
    World world(make.hulls());
    expect_good(world.set_settings(s));
    std::uint64_t refused = 0;
    for (bool done = false; !done; refused += done ? 0U : 1U) {
        limit = allocations.load() + refused;
        const CallStatus status = world.add_bodies(bodies);
        limit = ~std::uint64_t{0};
        done = static_cast<bool>(status);
        EXPECT_EQ(world.size(), done ? bodies.size() : 0U);
    }
    EXPECT_GE(refused, 10U);
    run(world, 1);
    EXPECT_EQ(world.contacts().size(), 64U + 8U);
    const std::uint64_t before = allocations.load();
    run(world, 1);
    EXPECT_EQ(allocations.load(), before);
}

TEST(DynamicsMemory, HullsThatRunOutAreRefused) {
    const StandingScene scene = towers(2);
    World world = make_world(scene);
    const HullSet more = scene.hulls.append(world_hulls());
    limit = allocations.load();
    const CallStatus refused = world.set_hulls(more);
    limit = ~std::uint64_t{0};
    EXPECT_EQ(refused.code, Status::out_of_memory) << refused.what;
    EXPECT_EQ(world.hulls().size(), scene.hulls.size());
    expect_good(world.set_hulls(more));
    EXPECT_EQ(world.hulls().size(), more.size());
}

}  // namespace
}  // namespace lanefold::test
