// SPDX-License-Identifier: MIT
//
// Loops over blocks: on the threads of the caller's arena if the build has oneTBB, otherwise on the calling thread.
// Every thread uses the library's floating-point environment.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>

#include <lanefold/detail/block_runs.hpp>
#include <lanefold/fp_environment.hpp>

#ifdef LANEFOLD_HAVE_TBB
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace lanefold::detail {

// Tasks for so many blocks. The arena may answer otherwise the next time: what two loops must agree on is asked once.
inline unsigned task_count(std::size_t blocks, std::uint32_t threads) {
#ifdef LANEFOLD_HAVE_TBB
    if (threads == 1 || blocks <= 1) return 1;  // without asking the arena
    const auto arena = static_cast<std::uint32_t>(std::max(1, tbb::this_task_arena::max_concurrency()));
    const std::uint32_t most = threads == 0 ? arena : std::min(threads, arena);
    return static_cast<unsigned>(std::clamp<std::size_t>(blocks, 1, most));
#else
    static_cast<void>(blocks);
    static_cast<void>(threads);
    return 1;
#endif
}

// Calls f(first, last) for blocks of `grain` out of [0, count) on so many tasks.
template <class F>
void for_blocks_on(unsigned tasks, std::size_t count, std::size_t grain, const F& f) {
    const std::size_t blocks = (count + grain - 1) / grain;
    if (blocks == 0) return;
    const auto block = [&](std::size_t b) { f(b * grain, std::min(count, (b + 1) * grain)); };
    if (tasks == 1) {
        in_default_environment([&] {
            for (std::size_t b = 0; b < blocks; ++b) block(b);
        });
        return;
    }
#ifdef LANEFOLD_HAVE_TBB
    BlockRuns runs(blocks, tasks);
    // Kept here: oneTBB forgets what a task throws while the host cancels its group.
    std::exception_ptr failure;
    std::atomic<bool> failed{false};
    const auto try_block = [&](std::size_t b) {
        if (failed.load()) return false;
        try {
            block(b);
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
        }
        return true;
    };
    const auto work = [&](unsigned task) { in_default_environment([&] { runs.work_while(task, try_block); }); };
    // Isolated: a thread that waits here never runs one of the host's other tasks. With static_partitioner a task tends
    // to run on the same thread in loop after loop.
    tbb::this_task_arena::isolate([&] { tbb::parallel_for(0U, tasks, work, tbb::static_partitioner()); });
    // A host that cancels its group may leave out tasks.
    work(0);
    if (failure) std::rethrow_exception(failure);
#endif
}

// The same on as many tasks as there are threads and blocks.
template <class F>
void for_blocks(std::size_t count, std::size_t grain, std::uint32_t threads, const F& f) {
    for_blocks_on(task_count((count + grain - 1) / grain, threads), count, grain, f);
}

}  // namespace lanefold::detail
