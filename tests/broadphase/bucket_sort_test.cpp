// SPDX-License-Identifier: MIT
//
// The finders' sort, on any number of tasks: machines with few threads seldom choose more than one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <utility>
#include <vector>

#include <tbb/task_arena.h>

#include "support/batch_threads.hpp"
#include "support/random.hpp"
#include "tree/bucket_sort.hpp"

namespace lanefold::test {
namespace {

using Key = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::size_t kBuckets = 700;

// Lists of any length, empty ones among them, whose elements crowd into few buckets or spread over all.
std::vector<std::vector<Key>> make_lists(Random& random) {
    std::vector<std::vector<Key>> lists(static_cast<std::size_t>(random.uniform(0, 60)));
    const double spread = random.uniform(0, 1) < 0.3 ? 3 : static_cast<double>(kBuckets);
    for (std::vector<Key>& list : lists) {
        list.resize(static_cast<std::size_t>(random.uniform(0, 900)));
        for (Key& key : list) {
            key.first = static_cast<std::uint32_t>(random.uniform(0, spread));
            key.second = static_cast<std::uint32_t>(random.uniform(0, 1e6));
        }
    }
    return lists;
}

TEST(BucketSort, EveryNumberOfTasksSortsAlike) {
    Random random(77);
    tbb::task_arena arena(8);
    std::vector<std::size_t> start;
    std::vector<Key> sorted;
    std::uint64_t elements = 0;
    for (int turn = 0; turn < 40; ++turn) {
        const std::vector<std::vector<Key>> lists = make_lists(random);
        std::vector<Key> expected;
        for (const std::vector<Key>& list : lists) expected.insert(expected.end(), list.begin(), list.end());
        std::sort(expected.begin(), expected.end());
        for (unsigned tasks = 1; tasks <= 8; ++tasks) {
            sorted.assign(17, {});
            arena.execute([&] {
                detail::bucket_sort_on(
                    tasks, lists.size(), [&](std::size_t l) { return std::span<const Key>(lists[l]); }, kBuckets,
                    [](const Key& key) { return std::size_t{key.first}; }, tasks, start, sorted);
            });
            ASSERT_TRUE(sorted == expected) << tasks << " tasks, turn " << turn;
        }
        elements += expected.size();
    }
    std::printf("%llu elements on 1 to 8 tasks\n", static_cast<unsigned long long>(elements));
    EXPECT_GT(elements, 200000U);
}

}  // namespace
}  // namespace lanefold::test
