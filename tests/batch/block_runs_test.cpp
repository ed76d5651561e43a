// SPDX-License-Identifier: MIT
//
// Blocks shared out among tasks: each is done once, by whatever tasks come.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include <lanefold/detail/block_runs.hpp>

namespace lanefold::test {
namespace {

using detail::BlockRuns;

// More tasks than there are runs, more runs than blocks, and all between.
constexpr std::size_t kBlocks[] = {0, 1, 2, 7, 64, 65, 1000};
constexpr unsigned kTasks[] = {1, 2, 3, 8, 64, 65, 200};

TEST(BlockRuns, OneTaskDoesAllThatOthersLeave) {
    for (const std::size_t blocks : kBlocks) {
        for (const unsigned tasks : kTasks) {
            for (const unsigned last : {0U, tasks / 2, tasks - 1}) {
                BlockRuns runs(blocks, tasks);
                std::vector<int> done(blocks, 0);
                const auto count = [&](std::size_t b) { ++done.at(b); };
                // A third of the tasks, then one; each does all that is left.
                for (unsigned task = 0; task < tasks; task += 3) runs.work(task, count);
                runs.work(last, count);
                EXPECT_EQ(std::count(done.begin(), done.end(), 1), static_cast<std::ptrdiff_t>(blocks))
                    << blocks << " blocks, " << tasks << " tasks";
            }
        }
    }
}

TEST(BlockRuns, ATaskBeginsWithItsOwnRun) {
    constexpr std::size_t kMany = 1000;
    constexpr unsigned kFew = 4;
    for (unsigned task = 0; task < kFew; ++task) {
        BlockRuns runs(kMany, kFew);
        std::vector<std::size_t> order;
        runs.work(task, [&](std::size_t b) { order.push_back(b); });
        ASSERT_EQ(order.size(), kMany);
        for (std::size_t i = 0; i < kMany; ++i) EXPECT_EQ(order[i], (kMany / kFew * task + i) % kMany);
    }
}

TEST(BlockRuns, ThreadsDoEachBlockOnce) {
    constexpr std::size_t kMany = 20000;
    for (const unsigned tasks : {2U, 8U, 70U}) {
        BlockRuns runs(kMany, tasks);
        std::vector<std::atomic<int>> done(kMany);
        {
            std::vector<std::jthread> threads;
            for (unsigned task = 0; task < tasks; ++task) {
                threads.emplace_back([&, task] { runs.work(task, [&](std::size_t b) { done[b].fetch_add(1); }); });
            }
        }
        EXPECT_EQ(std::count(done.begin(), done.end(), 1), static_cast<std::ptrdiff_t>(kMany)) << tasks << " tasks";
    }
}

TEST(BlockRuns, ATaskThatIsToldToEndTakesNoMoreBlocks) {
    BlockRuns runs(1000, 4);
    std::size_t asked = 0;
    for (unsigned task = 0; task < 4; ++task) runs.work_while(task, [&](std::size_t) { return ++asked % 3 != 0; });
    EXPECT_EQ(asked, 12U) << "three blocks a task";
    std::size_t left = 0;
    runs.work(2, [&](std::size_t) { ++left; });
    EXPECT_EQ(left, 1000U - 12U);
}

}  // namespace
}  // namespace lanefold::test
