// SPDX-License-Identifier: MIT
//
// Compact output: exact counts, truncation at every capacity around every boundary, resuming, and sums that
// add up over a resumed sequence.
#include <gtest/gtest.h>

#include <algorithm>

#include <tbb/task_arena.h>

#include "support/batch_scene.hpp"
#include "support/batch_threads.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kBodies = 120;
constexpr std::uint32_t kPairs = 2500;

const BatchScene& scene() {
    static const BatchScene instance = make_bad_batch_scene(31, kBodies, kPairs);
    return instance;
}

const std::vector<Manifold4>& dense() {
    static const std::vector<Manifold4> instance = dense_reference<Manifold4>(scene(), scene().options());
    return instance;
}

const std::vector<Manifold4>& expected() {
    static const std::vector<Manifold4> instance = reported_of(dense());
    return instance;
}

// Pairs that are reported, in order.
const std::vector<std::uint64_t>& reporting_pairs() {
    static const std::vector<std::uint64_t> instance = [] {
        std::vector<std::uint64_t> pairs;
        for (std::size_t i = 0; i < dense().size(); ++i) {
            if (is_reported(dense()[i])) pairs.push_back(i);
        }
        return pairs;
    }();
    return instance;
}

CompactResult compact(std::vector<Manifold4>& out, std::size_t capacity, std::uint32_t threads, Workspace& workspace,
                      std::uint64_t first_pair = 0) {
    static tbb::task_arena arena(4);
    // One guard record behind the end, which must survive.
    out.assign(capacity + 1, Manifold4{});
    std::memset(static_cast<void*>(out.data()), 0xEE, out.size() * sizeof(Manifold4));
    const Manifold4 guard = out.back();
    Options options = scene().options();
    options.threads = threads;
    CompactResult r;
    arena.execute([&] {
        r = collide_compact(scene().hulls, scene().view(), scene().pairs, options,
                            std::span<Manifold4>(out).first(capacity), workspace, {}, first_pair);
    });
    EXPECT_TRUE(same_bits(out.back(), guard)) << "wrote behind the end at capacity " << capacity;
    return r;
}

void expect_truncated_at(std::size_t capacity, std::uint32_t threads, Workspace& workspace) {
    const std::size_t required = expected().size();
    std::vector<Manifold4> out;
    const CompactResult r = compact(out, capacity, threads, workspace);
    EXPECT_EQ(r.required, required) << capacity;
    EXPECT_EQ(r.written, std::min(capacity, required)) << capacity;
    if (capacity < required) {
        EXPECT_EQ(r.status.code, Status::truncated) << capacity;
        EXPECT_EQ(r.next_pair, reporting_pairs()[capacity]) << capacity;
        EXPECT_EQ(r.status.where, r.next_pair);
    } else {
        EXPECT_EQ(r.status.code, Status::ok) << r.status.what;
        EXPECT_EQ(r.next_pair, kPairs);
    }
    EXPECT_EQ(r.pairs, r.next_pair);
    for (std::size_t i = 0; i < r.written; ++i) ASSERT_TRUE(same_bits(out[i], expected()[i])) << capacity << " " << i;
}

TEST(BatchCompact, EveryCapacityAroundTheBoundaries) {
    const std::size_t required = expected().size();
    ASSERT_GT(required, 500U);
    ASSERT_LT(required, kPairs);
    // Records that end each chunk of the serial and of the parallel chunk sizes.
    std::vector<std::size_t> capacities = {0, 1, 2, required - 2, required - 1, required, required + 1, 2 * required};
    for (const std::uint64_t boundary : {128U, 256U, 1024U, 2048U}) {
        const auto end = std::lower_bound(reporting_pairs().begin(), reporting_pairs().end(), boundary);
        const auto records = static_cast<std::size_t>(end - reporting_pairs().begin());
        for (const std::size_t c : {records - 1, records, records + 1}) capacities.push_back(c);
    }
    Workspace workspace;
    for (const std::size_t capacity : capacities) {
        expect_truncated_at(capacity, 1, workspace);
        expect_truncated_at(capacity, 4, workspace);
    }
}

TEST(BatchCompact, EmptyOutputOnlyCounts) {
    Workspace workspace;
    const CompactResult r = collide_compact(scene().hulls, scene().view(), scene().pairs, scene().options(),
                                            std::span<Manifold4>(), workspace);
    EXPECT_EQ(r.status.code, Status::truncated);
    EXPECT_EQ(r.required, expected().size());
    EXPECT_EQ(r.written, 0U);
    EXPECT_EQ(r.hash, 0U);
    EXPECT_EQ(r.next_pair, reporting_pairs()[0]);
}

TEST(BatchCompact, ResumingGivesEveryRecordOnceAndTheSameSums) {
    BatchResult whole;
    dense_reference<Manifold4>(scene(), scene().options(), &whole);
    for (const std::size_t capacity : {std::size_t{97}, std::size_t{500}, expected().size() - 1}) {
        for (const std::uint32_t threads : {1U, 3U}) {
            Workspace workspace;
            std::vector<Manifold4> all;
            BatchResult sums;
            std::uint64_t next = 0;
            std::size_t calls = 0;
            while (next < kPairs) {
                std::vector<Manifold4> out;
                const CompactResult r = compact(out, capacity, threads, workspace, next);
                ASSERT_TRUE(r.status.code == Status::truncated || r.status.code == Status::ok) << r.status.what;
                EXPECT_EQ(r.required, expected().size() - all.size());
                ASSERT_GT(r.next_pair, next) << "no progress";
                all.insert(all.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(r.written));
                sums.pairs += r.pairs;
                sums.touching += r.touching;
                sums.overlapping += r.overlapping;
                sums.points += r.points;
                sums.hash += r.hash;
                for (std::size_t i = 0; i < kStatusCount; ++i) sums.by_status[i] += r.by_status[i];
                for (std::size_t i = 0; i < kContactKindCount; ++i) sums.by_kind[i] += r.by_kind[i];
                sums.counters += r.counters;
                next = r.next_pair;
                ++calls;
            }
            EXPECT_GE(calls, 2U);
            expect_same(all, expected(), "resumed");
            expect_same_sums(sums, whole, "resumed");
        }
    }
}

TEST(BatchCompact, ManyThreadsInAnySpeedKeepTheOrder) {
    // Repeated: the order in which tasks finish differs from run to run.
    Workspace workspace;
    std::vector<Manifold4> out;
    tbb::task_arena arena(8);
    for (int repeat = 0; repeat < 20; ++repeat) {
        out.assign(expected().size(), Manifold4{});
        CompactResult r;
        arena.execute([&] {
            r = collide_compact(scene().hulls, scene().view(), scene().pairs, scene().options(), out, workspace);
        });
        ASSERT_TRUE(static_cast<bool>(r.status)) << r.status.what;
        expect_same(out, expected(), "8 threads");
    }
}

}  // namespace
}  // namespace lanefold::test
