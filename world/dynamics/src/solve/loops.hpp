// SPDX-License-Identifier: MIT
//
// Loops of a step over bodies or manifolds that do not depend on each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <lanefold/detail/block_runs.hpp>
#include <lanefold/fp_environment.hpp>

#include "tbb_executor.hpp"

namespace lanefold::detail {

class Loops {
public:
    // Asks the caller's arena once, so that all loops of a step have the same number of tasks. 0 threads: all of it.
    void begin_step(std::uint32_t threads) {
        // One thread needs no arena.
        tasks_ = threads == 1 ? 1 : executor_.concurrency();
        if (threads != 0) tasks_ = std::min(tasks_, threads);
    }

    TbbExecutor& executor() { return executor_; }
    unsigned tasks() const { return tasks_; }

    // Calls f(first, last) for parts of [0, count). All are done, also when the host cancels: a step is done whole.
    template <class F>
    void over(std::size_t count, const F& f) {
        if (tasks_ == 1 || count < kWorthIt) {
            f(std::size_t{0}, count);
            return;
        }
        const std::size_t blocks = (count + kBlock - 1) / kBlock;
        const auto tasks = static_cast<unsigned>(std::min<std::size_t>(blocks, tasks_));
        BlockRuns runs(blocks, tasks);
        auto work = [&](unsigned task) {
            in_default_environment(
                [&] { runs.work(task, [&](std::size_t b) { f(b * kBlock, std::min(count, (b + 1) * kBlock)); }); });
        };
        run_slots(executor_, tasks, work);
        // An executor may leave out tasks of a cancelled group.
        work(0);
    }

    // Calls f(i) for every i below count; each call takes many microseconds, and may throw.
    template <class F>
    void each(std::size_t count, const F& f) {
        if (tasks_ == 1 || count < 2) {
            for (std::size_t i = 0; i < count; ++i) f(i);
            return;
        }
        const auto tasks = static_cast<unsigned>(std::min<std::size_t>(count, tasks_));
        BlockRuns runs(count, tasks);
        auto work = [&](unsigned task) { in_default_environment([&] { runs.work(task, f); }); };
        run_slots(executor_, tasks, work);
        work(0);
    }

private:
    // Items of a part. They take half a microsecond to ten, a claim a tenth of one.
    static constexpr std::size_t kBlock = 512;
    // Fewer take less time than it takes to wake another thread.
    static constexpr std::size_t kWorthIt = 4 * kBlock;

    TbbExecutor executor_;
    unsigned tasks_ = 1;
};

}  // namespace lanefold::detail
