// SPDX-License-Identifier: MIT
//
// Threads: calls respect the caller's arena and the thread limit, cancellation leaves nothing undefined, a call notices
// a cancelled task group of the host, concurrent calls do not change each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>

#include "support/batch_scene.hpp"
#include "support/batch_threads.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kBodies = 900;
constexpr std::uint32_t kPairs = 30000;

const BatchScene& scene() {
    static const BatchScene instance = make_batch_scene(55, kBodies, kPairs);
    return instance;
}

const std::vector<Manifold4>& reference() {
    static const std::vector<Manifold4> instance = dense_reference<Manifold4>(scene(), scene().options());
    return instance;
}

Manifold4 cancelled_record(std::size_t i) {
    Manifold4 m{};
    m.pair[0] = scene().pairs[i].a;
    m.pair[1] = scene().pairs[i].b;
    m.status = Status::cancelled;
    return m;
}

// Expects that every record is either the computed one or cancelled; returns the number of cancelled ones.
std::size_t check_cancelled(const std::vector<Manifold4>& out, const BatchResult& r) {
    std::size_t cancelled = 0;
    std::size_t first = kPairs;
    for (std::size_t i = 0; i < kPairs; ++i) {
        if (out[i].status == Status::cancelled) {
            EXPECT_TRUE(same_bits(out[i], cancelled_record(i))) << i;
            if (cancelled++ == 0) first = i;
        } else {
            EXPECT_TRUE(same_bits(out[i], reference()[i])) << i;
        }
    }
    EXPECT_EQ(r.by_status[static_cast<std::size_t>(Status::cancelled)], cancelled);
    EXPECT_EQ(r.by_status[0], kPairs - cancelled);
    EXPECT_EQ(r.status.code, cancelled == 0 ? Status::ok : Status::cancelled);
    if (cancelled != 0) {
        EXPECT_EQ(r.status.where, first);
    }
    return cancelled;
}

// Number of calls that must be stopped in the middle, and the most calls that are made for them. On a busy machine most
// calls end before the stopping thread runs.
constexpr std::size_t kCutCalls = 3;
constexpr int kMostCalls = 500;
bool goes_on(int call, std::size_t cut) { return call < 12 || (cut < kCutCalls && call < kMostCalls); }

TEST(BatchCancel, StopBeforeTheCallCancelsEveryPair) {
    std::stop_source stop;
    stop.request_stop();
    const Options options = scene().options();
    const CallInputs inputs{.stop = stop.get_token()};
    Workspace workspace;
    std::vector<Manifold4> out(kPairs);
    std::memset(static_cast<void*>(out.data()), 0x77, out.size() * sizeof(Manifold4));
    const BatchResult r = collide(scene().hulls, scene().view(), scene().pairs, options, out, workspace, inputs);
    EXPECT_EQ(check_cancelled(out, r), kPairs);

    std::vector<PairDistance> distances(kPairs);
    std::vector<std::uint64_t> bits((kPairs + 63) / 64, ~std::uint64_t{0});
    EXPECT_EQ(collide(scene().hulls, scene().view(), scene().pairs, options, distances, workspace, inputs).status.code,
              Status::cancelled);
    for (const PairDistance& d : distances) EXPECT_EQ(d.status, Status::cancelled);
    EXPECT_EQ(
        collide_overlap(scene().hulls, scene().view(), scene().pairs, options, bits, workspace, inputs).status.code,
        Status::cancelled);
    for (const std::uint64_t w : bits) EXPECT_EQ(w, 0U);

    const CompactResult c =
        collide_compact(scene().hulls, scene().view(), scene().pairs, options, out, workspace, inputs);
    EXPECT_EQ(c.status.code, Status::cancelled);
    EXPECT_EQ(c.written, 0U);
    EXPECT_EQ(c.next_pair, 0U);
}

TEST(BatchCancel, StopDuringTheCallLeavesWholeResultsOnly) {
    tbb::task_arena arena(4);
    std::size_t partial = 0;
    // Stops a call when a given record is written, from the first to nearly the last; the test depends on no sleep.
    for (int call = 0; goes_on(call, partial); ++call) {
        const int step = call % 12;
        std::stop_source stop;
        Options options = scene().options();
        const CallInputs inputs{.stop = stop.get_token()};
        options.threads = 1 + static_cast<std::uint32_t>(step % 4);
        Workspace workspace;
        std::vector<Manifold4> out(kPairs);
        Manifold4 untouched{};
        untouched.reserved[0] = 1;  // the library writes zero there
        std::fill(out.begin(), out.end(), untouched);
        const std::size_t watched = static_cast<std::size_t>(step) * (kPairs - 1) / 12;
        std::atomic<bool> finished = false;
        std::jthread stopper([&] {
            std::atomic_ref<std::uint8_t> seen(out[watched].reserved[0]);
            while (seen.load() != 0 && !finished.load()) std::this_thread::yield();
            stop.request_stop();
        });
        BatchResult r;
        arena.execute(
            [&] { r = collide(scene().hulls, scene().view(), scene().pairs, options, out, workspace, inputs); });
        finished = true;
        stopper.join();
        const std::size_t cancelled = check_cancelled(out, r);
        if (cancelled != 0 && cancelled != kPairs) ++partial;
    }
    EXPECT_GE(partial, kCutCalls) << "the test must see calls cut in the middle";
}

TEST(BatchCancel, CompactIsAPrefixAndResumes) {
    const std::vector<Manifold4> expected = reported_of(reference());
    tbb::task_arena arena(4);
    std::size_t partial = 0;
    for (int call = 0; goes_on(call, partial); ++call) {
        const int step = call % 12;
        std::stop_source stop;
        Options options = scene().options();
        const CallInputs inputs{.stop = stop.get_token()};
        Workspace workspace;
        std::vector<Manifold4> out(expected.size());
        Manifold4 untouched{};
        untouched.reserved[0] = 1;
        std::fill(out.begin(), out.end(), untouched);
        const std::size_t watched = static_cast<std::size_t>(step) * (expected.size() - 1) / 12;
        std::atomic<bool> finished = false;
        std::jthread stopper([&] {
            std::atomic_ref<std::uint8_t> seen(out[watched].reserved[0]);
            while (seen.load() != 0 && !finished.load()) std::this_thread::yield();
            stop.request_stop();
        });
        CompactResult r;
        arena.execute([&] {
            r = collide_compact(scene().hulls, scene().view(), scene().pairs, options, out, workspace, inputs);
        });
        finished = true;
        stopper.join();
        if (r.status.code == Status::cancelled) {
            ++partial;
            EXPECT_LT(r.next_pair, kPairs);
            EXPECT_EQ(r.status.where, r.next_pair);
        }
        EXPECT_EQ(r.required, r.written);
        std::vector<Manifold4> all(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(r.written));
        // Go on from there, undisturbed.
        std::vector<Manifold4> rest(expected.size() - r.written);
        const CompactResult s = collide_compact(scene().hulls, scene().view(), scene().pairs, scene().options(), rest,
                                                workspace, {}, r.next_pair);
        EXPECT_TRUE(static_cast<bool>(s.status)) << s.status.what;
        EXPECT_EQ(s.written, rest.size());
        all.insert(all.end(), rest.begin(), rest.end());
        expect_same(all, expected, "resumed after a stop");
    }
    EXPECT_GE(partial, kCutCalls) << "the test must see calls cut in the middle";
}

TEST(BatchCancel, HostsCancelledTaskGroupIsNoticed) {
    // The call runs in a task of the host, and the host cancels its group: unfinished pairs must have a status.
    tbb::task_arena arena(4);
    std::vector<Manifold4> out(kPairs);
    Workspace workspace;
    BatchResult r;
    arena.execute([&] {
        tbb::task_group group;
        group.run([&] {
            group.cancel();
            r = collide(scene().hulls, scene().view(), scene().pairs, scene().options(), out, workspace);
        });
        group.wait();
    });
    EXPECT_EQ(check_cancelled(out, r), kPairs);
}

TEST(BatchThreads, LimitIsRespectedInsideTheArena) {
    struct Counter : tbb::task_scheduler_observer {
        explicit Counter(tbb::task_arena& arena) : tbb::task_scheduler_observer(arena) { observe(true); }
        ~Counter() override { observe(false); }
        void on_scheduler_entry(bool) override {
            const std::lock_guard lock(mutex);
            threads.insert(std::this_thread::get_id());
        }
        std::mutex mutex;
        std::set<std::thread::id> threads;
    };
    tbb::task_arena arena(2);
    Counter counter(arena);
    Options options = scene().options();
    options.threads = 64;  // more than the arena has
    std::vector<Manifold4> out(kPairs);
    Workspace workspace;
    arena.execute(
        [&] { EXPECT_TRUE(collide(scene().hulls, scene().view(), scene().pairs, options, out, workspace).status); });
    EXPECT_LE(counter.threads.size(), 2U);
    expect_same(out, reference(), "arena of two");

    // One thread: the call stays on the calling thread in any arena.
    options.threads = 1;
    tbb::task_arena wide(8);
    Counter wide_counter(wide);
    wide.execute(
        [&] { EXPECT_TRUE(collide(scene().hulls, scene().view(), scene().pairs, options, out, workspace).status); });
    EXPECT_EQ(wide_counter.threads.size(), 1U);
    EXPECT_EQ(*wide_counter.threads.begin(), std::this_thread::get_id());
}

TEST(BatchThreads, ConcurrentCallsDoNotDisturbEachOther) {
    // From several threads and from inside the host's own parallel loop, one workspace each.
    constexpr int kCalls = 6;
    std::vector<std::vector<Manifold4>> outs(kCalls, std::vector<Manifold4>(kPairs));
    std::vector<Workspace> workspaces(kCalls);
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < kCalls / 2; ++i) {
            threads.emplace_back([&, i] {
                EXPECT_TRUE(
                    collide(scene().hulls, scene().view(), scene().pairs, scene().options(), outs[i], workspaces[i])
                        .status);
            });
        }
        tbb::parallel_for(std::size_t{kCalls / 2}, std::size_t{kCalls}, [&](std::size_t i) {
            EXPECT_TRUE(collide(scene().hulls, scene().view(), scene().pairs, scene().options(), outs[i], workspaces[i])
                            .status);
        });
    }
    for (const std::vector<Manifold4>& out : outs) expect_same(out, reference(), "concurrent");
}

TEST(BatchThreads, SharedWorkspaceIsRefusedNotCorrupted) {
    constexpr int kThreads = 4;
    Workspace workspace;
    std::atomic<int> good = 0;
    std::atomic<int> refused = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < kThreads; ++i) {
            threads.emplace_back([&] {
                std::vector<Manifold4> out(kPairs);
                for (int repeat = 0; repeat < 5; ++repeat) {
                    const BatchResult r =
                        collide_serial(scene().hulls, scene().view(), scene().pairs, scene().options(), out, workspace);
                    if (r.status) {
                        ++good;
                        EXPECT_EQ(
                            first_difference(std::span<const Manifold4>(out), std::span<const Manifold4>(reference())),
                            kPairs);
                    } else {
                        ++refused;
                        EXPECT_STREQ(r.status.what, "workspace is in use by another call");
                    }
                }
            });
        }
    }
    EXPECT_EQ(good + refused, 5 * kThreads);
    EXPECT_GT(good, 0);
}

}  // namespace
}  // namespace lanefold::test
