// SPDX-License-Identifier: MIT
//
// A call on one thread, or of one chunk, never touches oneTBB's scheduler: a thread that was unknown to it before stays
// so. Only a fresh thread can tell.
#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <thread>
#include <vector>

#include <tbb/task_arena.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/contact_stream.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/rays.hpp>
#include <lanefold/sweep.hpp>
#include <lanefold/world_batch.hpp>

#include "support/batch_scene.hpp"
#include "support/batch_threads.hpp"

namespace lanefold::test {
namespace {

// Whether the work of `call` on a thread of its own made that thread known to the scheduler.
bool touches_scheduler(const std::function<void()>& call) {
    bool touched = true;
    std::thread([&] {
        const int unknown = tbb::task_arena::not_initialized;
        EXPECT_EQ(tbb::this_task_arena::current_thread_index(), unknown) << "the thread is not fresh";
        call();
        touched = tbb::this_task_arena::current_thread_index() != unknown;
    }).join();
    return touched;
}

struct Calls {
    BatchScene scene;
    Options options;
    std::vector<Manifold4> out;
    Workspace workspace;

    Calls(std::uint32_t pairs, std::uint32_t threads) : scene(make_batch_scene(91, 60, pairs)) {
        options = scene.options();
        options.threads = threads;
        out.resize(scene.pairs.size());
    }

    void dense() { EXPECT_TRUE(collide(scene.hulls, scene.view(), scene.pairs, options, out, workspace).status); }
    void compact() {
        EXPECT_TRUE(collide_compact(scene.hulls, scene.view(), scene.pairs, options, out, workspace).status);
    }
    void worlds() {
        const std::uint64_t n = scene.pairs.size();
        const std::uint64_t offsets[] = {0, n / 2, n};
        WorldResult results[2];
        const WorldRanges ranges{offsets, offsets, {}, {}};
        EXPECT_TRUE(
            collide_worlds<Manifold4>(scene.hulls, scene.view(), scene.pairs, ranges, options, out, results, workspace)
                .status);
    }
    void stream() {
        ContactStream<Manifold4> contacts;
        for (int step = 0; step < 2; ++step)
            EXPECT_TRUE(contacts.step(scene.hulls, scene.view(), scene.pairs, options).status);
    }
    void swept() {
        SweepWorkspace own;
        SweepOptions o;
        o.threads = options.threads;
        std::vector<SweepRecord> records(scene.pairs.size());
        EXPECT_TRUE(sweep(scene.hulls, scene.view(), scene.view(), scene.pairs, o, records, own).status);
    }
    void found() {
        PairFinder finder;
        PairFinderOptions o;
        o.threads = options.threads;
        EXPECT_TRUE(finder.find(scene.hulls, scene.view(), o).status);
    }
    std::vector<std::function<void()>> all() {
        return {[&] { dense(); },  [&] { compact(); }, [&] { worlds(); },
                [&] { stream(); }, [&] { swept(); },   [&] { found(); }};
    }
};

TEST(Scheduler, IsNotTouchedByCallsOnOneThread) {
    Calls calls(5000, 1);
    std::size_t i = 0;
    for (const auto& call : calls.all()) EXPECT_FALSE(touches_scheduler(call)) << "call " << i++;
}

TEST(Scheduler, IsNotTouchedByCallsOfOneChunk) {
    Calls one(1, 0);
    Calls chunk(64, 0);
    for (Calls* calls : {&one, &chunk}) {
        EXPECT_FALSE(touches_scheduler([&] { calls->dense(); }));
        EXPECT_FALSE(touches_scheduler([&] { calls->compact(); }));
        EXPECT_FALSE(touches_scheduler([&] { calls->worlds(); }));
        EXPECT_FALSE(touches_scheduler([&] { calls->swept(); }));
    }
    SweepWorkspace own;
    const Ray ray{};
    RayHit hit;
    EXPECT_FALSE(touches_scheduler([&] {
        static_cast<void>(cast_rays(one.scene.hulls, one.scene.view(), {&ray, 1}, {&hit, 1}, own));
    }));
}

TEST(Scheduler, IsNotTouchedByStepsOnOneThread) {
    std::vector<RigidBody> bodies(40);
    for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].position[1] = 0.9 * static_cast<double>(i);
    bodies[0].kind = BodyKind::fixed;
    WorldSettings settings;
    settings.threads = 1;
    EXPECT_FALSE(touches_scheduler([&] {
        World world(batch_hulls());
        EXPECT_TRUE(world.set_settings(settings));
        EXPECT_TRUE(world.add_bodies(bodies));
        for (int step = 0; step < 5; ++step) EXPECT_TRUE(world.step(1.0 / 60).status);
    }));
    EXPECT_FALSE(touches_scheduler([&] {
        WorldBatch batch(batch_hulls(), 3);
        batch.set_threads(1);
        EXPECT_TRUE(batch.add_bodies(bodies));
        EXPECT_TRUE(batch.keep().status);
        for (int step = 0; step < 5; ++step) EXPECT_TRUE(batch.step(1.0 / 60).status);
        EXPECT_TRUE(batch.reset().status);
    }));
}

// So that the tests above can fail.
TEST(Scheduler, IsTouchedByCallsOnMoreThreads) {
    Calls calls(5000, 0);
    std::size_t i = 0;
    for (const auto& call : calls.all()) {
        if (i++ != 5) {
            EXPECT_TRUE(touches_scheduler(call)) << "call " << i - 1;
        }
    }
}

}  // namespace
}  // namespace lanefold::test
