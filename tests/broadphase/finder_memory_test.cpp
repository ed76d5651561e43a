// SPDX-License-Identifier: MIT
//
// Memory of the finders: warm ones allocate nothing, and memory that runs out anywhere is a status, after which the
// finder starts anew.

#include <algorithm>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/window_finder.hpp>

#include "support/batch_threads.hpp"
#include "support/counted_new.hpp"
#include "support/finder_world.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

constexpr std::size_t kFrames = 9;

// A world whose bodies move in each frame, some of them far.
struct Fall {
    FinderWorld world = make_world(111, 2500, 6, choose_isa(Isa::automatic).isa);
    std::vector<std::vector<BodyD>> frames;
    std::vector<std::vector<Pair>> pairs;

    Fall() {
        Random random(111);
        for (std::size_t f = 0; f < kFrames; ++f) {
            frames.push_back(world.bodies);
            pairs.push_back(brute_force(world, options()));
            for (std::size_t i = 0; i < world.bodies.size(); ++i) {
                const double way = i % 40 == f ? 1 : 0.01;
                for (double& x : world.bodies[i].position) x += random.uniform(-way, way);
            }
        }
    }
    PairFinderOptions options() const { return world.options(0.02F); }
    BodyView view(std::size_t frame) const { return std::span<const BodyD>(frames[frame]); }
    std::vector<BodyView> views() const {
        std::vector<BodyView> all;
        for (std::size_t f = 0; f < kFrames; ++f) all.push_back(view(f));
        return all;
    }
};

// Calls `call` with one more allocation each time, until it succeeds. Returns how often memory ran out.
template <class Call>
std::uint64_t run_out(const Call& call) {
    for (std::uint64_t n = 0;; ++n) {
        limit = allocations.load() + n;
        const CallStatus status = call();
        limit = ~std::uint64_t{0};
        if (status) return n;
        EXPECT_EQ(status.code, Status::out_of_memory) << status.what;
        if (status.code != Status::out_of_memory || n > 10000) return 0;
    }
}

TEST(FinderMemory, WarmFindersAllocateNothing) {
    const Fall fall;
    const std::vector<BodyView> views = fall.views();
    for (const std::uint32_t threads : {1U, 0U}) {
        PairFinderOptions o = fall.options();
        o.threads = threads;
        PairFinder frames;
        WindowFinder windows;
        std::vector<Pair> list(2 * fall.pairs[0].size());
        std::uint64_t before = 0;
        std::uint64_t listed = 0;
        for (int turn = 0; turn < 6; ++turn) {
            // Lists change places from frame to frame, so each gets any frame's pairs by then.
            if (turn == 4) before = allocations.load();
            for (std::size_t f = 0; f < kFrames; ++f)
                EXPECT_TRUE(frames.find(fall.world.hulls, fall.view(f), o).status);
            EXPECT_TRUE(windows.find(fall.world.hulls, views, o).status);
            for (std::size_t f = 0; f < kFrames; ++f) {
                listed += windows.count(f);
                EXPECT_TRUE(windows.list(f, std::span(list).first(windows.count(f)), threads));
            }
        }
        EXPECT_EQ(allocations.load() - before, 0U) << threads << " threads";
        EXPECT_GT(listed, 6 * kFrames * 2500U);
    }
}

TEST(FinderMemory, MemoryThatRunsOutIsAStatusAndTheFinderStartsAnew) {
    const Fall fall;
    const std::vector<BodyView> views = fall.views();
    for (const std::uint32_t threads : {1U, 2U}) {
        PairFinderOptions o = fall.options();
        o.threads = threads;
        // TBB starts first.
        EXPECT_TRUE(WindowFinder().find(fall.world.hulls, views, o).status);
        PairFinder frames;
        std::uint64_t failures = 0;
        for (std::size_t f = 0; f < 3; ++f) {
            failures += run_out([&] { return frames.find(fall.world.hulls, fall.view(f), o).status; });
            const PairFinderResult found = frames.find(fall.world.hulls, fall.view(f), o);
            ASSERT_TRUE(found.status);
            EXPECT_TRUE(std::equal(found.pairs.begin(), found.pairs.end(), fall.pairs[f].begin(), fall.pairs[f].end()));
        }
        WindowFinder windows;
        std::uint64_t failed_windows = 0;
        for (const std::size_t n : {std::size_t{2}, kFrames}) {
            const std::span<const BodyView> window = std::span(views).first(n);
            failed_windows += run_out([&] { return windows.find(fall.world.hulls, window, o).status; });
            for (std::size_t f = 0; f < n; ++f) {
                std::vector<Pair> list(windows.count(f));
                ASSERT_TRUE(windows.list(f, list, threads));
                EXPECT_TRUE(list == fall.pairs[f]);
            }
        }
        std::printf("%u threads: memory ran out %llu times in frames, %llu in windows\n", threads,
                    static_cast<unsigned long long>(failures), static_cast<unsigned long long>(failed_windows));
        EXPECT_GT(failures, 20U);
        EXPECT_GT(failed_windows, 20U);
    }
}

// A host that cancels its task group at the very moment: oneTBB forgets what tasks of such a group throw.
tbb::task_group* host = nullptr;

TEST(FinderMemory, MemoryThatRunsOutInACancelledGroupIsToldToo) {
    const FinderWorld world = make_world(112, 20000, 15, choose_isa(Isa::automatic).isa);
    PairFinderOptions o = world.options(0.02F);
    o.threads = 1;
    PairFinder serial;
    const PairFinderResult expected = serial.find(world.hulls, world.view(), o);
    ASSERT_TRUE(expected.status);
    o.threads = 0;
    tbb::task_arena arena(4);
    std::uint64_t failures = 0;
    at_failure = [] { host->cancel(); };
    for (std::uint64_t n = 0;; ++n) {
        PairFinder finder;
        PairFinderResult found;
        arena.execute([&] {
            tbb::task_group group;
            host = &group;
            group.run([&] {
                limit = allocations.load() + n;
                found = finder.find(world.hulls, world.view(), o);
                limit = ~std::uint64_t{0};
            });
            group.wait();
        });
        if (found.status) {
            EXPECT_TRUE(
                std::equal(found.pairs.begin(), found.pairs.end(), expected.pairs.begin(), expected.pairs.end()))
                << n;
            break;
        }
        ASSERT_EQ(found.status.code, Status::out_of_memory) << found.status.what;
        ASSERT_LT(++failures, 10000U);
    }
    at_failure = nullptr;
    std::printf("memory ran out %llu times in a group that was cancelled\n", static_cast<unsigned long long>(failures));
    EXPECT_GT(failures, 50U);
}

}  // namespace
}  // namespace lanefold::test
