// SPDX-License-Identifier: MIT
//
// Loops over blocks of things that do not depend on each other, on an executor.
#pragma once

#include <algorithm>
#include <cstddef>

#include <lanefold/detail/block_runs.hpp>

#include "tasks/executor.hpp"

namespace lanefold::detail {

// Things per claim: many enough that counters are seldom written, few enough that tasks finish together.
inline constexpr std::size_t kBlockOfPairs = 2048;

// Calls f(task, block) for blocks 0 to blocks - 1 on so many tasks. All blocks are done, also when the host cancels.
template <class F>
void for_each_block(Executor& executor, unsigned tasks, std::size_t blocks, const F& f) {
    BlockRuns runs(blocks, tasks);
    auto work = [&](unsigned task) { runs.work(task, [&](std::size_t b) { f(task, b); }); };
    run_slots(executor, tasks, work);
    // An executor may leave out tasks of a cancelled group.
    work(0);
}

// Calls f(begin, end) for all blocks of [0, count) on at most `slots` tasks. All blocks are done, also when the host
// cancels: they are short, and what they write is the stream's memory.
template <class F>
void for_all_blocks(Executor& executor, unsigned slots, std::size_t count, F f) {
    if (count == 0) return;
    const std::size_t blocks = (count + kBlockOfPairs - 1) / kBlockOfPairs;
    const auto tasks = static_cast<unsigned>(std::min<std::size_t>(blocks, slots));
    for_each_block(executor, tasks, blocks,
                   [&](unsigned, std::size_t b) { f(b * kBlockOfPairs, std::min(count, (b + 1) * kBlockOfPairs)); });
}

}  // namespace lanefold::detail
