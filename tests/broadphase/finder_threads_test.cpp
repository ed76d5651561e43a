// SPDX-License-Identifier: MIT
//
// Candidate pairs on several threads: worlds large enough that every loop of a search has many blocks, in arenas of
// several threads, frame after frame beside a finder on one thread.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <tbb/task_arena.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/window_finder.hpp>

#include "support/batch_threads.hpp"
#include "support/finder_world.hpp"
#include "support/isa_fixture.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kBodies = 20000;
constexpr double kSpread = 15;

// Moves one body of `one_of` by up to `way` along each axis.
void move_some(FinderWorld& w, Random& random, std::uint32_t one_of, double way) {
    for (BodyD& b : w.bodies) {
        if (static_cast<std::uint32_t>(random.uniform(0, one_of)) != 0) continue;
        for (double& x : b.position) x += random.uniform(-way, way);
    }
}

struct Finders {
    PairFinder one;
    PairFinder many;
    std::uint64_t whole = 0;
    std::uint64_t single = 0;

    // A frame with both; `in_arena` calls a function on several threads.
    template <class InArena>
    void compare(const FinderWorld& w, const InArena& in_arena) {
        PairFinderOptions o = w.options(0.02F);
        PairFinderResult b;
        in_arena([&] { b = many.find(w.hulls, w.view(), o); });
        o.threads = 1;
        const PairFinderResult a = one.find(w.hulls, w.view(), o);
        ASSERT_TRUE(a.status && b.status);
        ASSERT_GT(a.pairs.size(), kBodies);
        ASSERT_TRUE(std::equal(a.pairs.begin(), a.pairs.end(), b.pairs.begin(), b.pairs.end()));
        EXPECT_EQ(a.searched, b.searched);
        EXPECT_EQ(a.whole, b.whole);
        ++(a.whole ? whole : single);
    }
};

class EveryFinderOnThreads : public IsaTest {};

TEST_P(EveryFinderOnThreads, FindsInArenasWhatItFindsOnOneThread) {
    for (const int threads : {2, 8}) {
        FinderWorld w = make_world(91, kBodies, kSpread, GetParam());
        tbb::task_arena arena(threads);
        Random random(91);
        Finders finders;
        for (int frame = 0; frame < 8; ++frame) {
            // 3 to 10% of the bodies leave their boxes; in one frame all do.
            const std::uint32_t one_of = frame == 5 ? 1 : 10 + 5 * static_cast<std::uint32_t>(frame % 4);
            if (frame != 0) move_some(w, random, one_of, 1);
            finders.compare(w, [&](const auto& f) { arena.execute(f); });
            ASSERT_FALSE(HasFatalFailure()) << "frame " << frame << ", " << threads << " threads";
        }
        EXPECT_EQ(finders.whole, 2U);
        EXPECT_EQ(finders.single, 6U);
        EXPECT_TRUE(expect_frame(finders.many, w, w.options(0.02F)).status);
    }
}

std::vector<Pair> listed(const WindowFinder& finder, std::size_t frame, std::uint32_t threads) {
    std::vector<Pair> pairs(finder.count(frame));
    EXPECT_TRUE(finder.list(frame, pairs, threads));
    return pairs;
}

TEST_P(EveryFinderOnThreads, FindsWindowsInArenasAsOnOneThread) {
    FinderWorld w = make_world(93, kBodies, kSpread, GetParam());
    Random random(93);
    std::vector<std::vector<BodyD>> frames;
    for (int frame = 0; frame < 5; ++frame) {
        frames.push_back(w.bodies);
        move_some(w, random, 3, 0.3);
    }
    std::vector<BodyView> views;
    for (const std::vector<BodyD>& bodies : frames) views.emplace_back(std::span<const BodyD>(bodies));
    PairFinderOptions o = w.options(0.02F);
    o.threads = 1;
    WindowFinder one;
    ASSERT_TRUE(one.find(w.hulls, views, o).status);
    o.threads = 0;
    for (const int threads : {2, 8}) {
        tbb::task_arena arena(threads);
        WindowFinder many;
        arena.execute([&] {
            ASSERT_TRUE(many.find(w.hulls, views, o).status);
            for (std::size_t f = 0; f < frames.size(); ++f) {
                const std::vector<Pair> pairs = listed(one, f, 1);
                EXPECT_GT(pairs.size(), kBodies);
                EXPECT_TRUE(listed(many, f, 0) == pairs) << "frame " << f << ", " << threads << " threads";
            }
        });
    }
}

LANEFOLD_INSTANTIATE_ISA_TESTS(EveryFinderOnThreads);

// Work that others put into an arena gives it more threads, from one moment to the next.
TEST(FinderThreads, ArenasThatGrowDuringASearchChangeNothing) {
    FinderWorld w = make_world(92, kBodies, kSpread, choose_isa(Isa::automatic).isa);
    tbb::task_arena arena(1);
    std::atomic<bool> over = false;
    std::jthread other([&] {
        for (int i = 0; !over.load(); ++i) {
            arena.enqueue([] {});
            std::this_thread::sleep_for(std::chrono::microseconds(i % 200));
        }
    });
    std::uint64_t frames[3] = {};  // by the arena's threads when they began
    Random random(92);
    Finders finders;
    for (int frame = 0; frame < 60; ++frame) {
        move_some(w, random, 8, 1);
        finders.compare(w, [&](const auto& f) {
            arena.execute([&] {
                ++frames[std::min(2, tbb::this_task_arena::max_concurrency())];
                f();
            });
        });
        if (HasFatalFailure()) break;
    }
    over = true;
    other.join();
    std::printf("%llu frames began with one thread, %llu with more\n", static_cast<unsigned long long>(frames[1]),
                static_cast<unsigned long long>(frames[2]));
    EXPECT_GT(finders.single, 40U);
}

}  // namespace
}  // namespace lanefold::test
