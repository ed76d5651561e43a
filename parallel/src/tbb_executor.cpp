// SPDX-License-Identifier: MIT
//
// Runs one parallel_for over the slots.
#include "tbb_executor.hpp"

#include <algorithm>
#include <atomic>
#include <exception>

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>

namespace lanefold::detail {

unsigned TbbExecutor::concurrency() const {
    return static_cast<unsigned>(std::max(1, tbb::this_task_arena::max_concurrency()));
}

void TbbExecutor::run(unsigned slots, Task task, void* context) {
    if (slots == 1) {
        task(context, 0);
        return;
    }
    // Kept here: oneTBB forgets what a task throws while the host cancels its group.
    std::exception_ptr failure;
    std::atomic<bool> failed{false};
    const auto try_task = [&](unsigned slot) {
        try {
            task(context, slot);
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    // Isolated: a thread that waits here for the last task must not run one of the host's tasks, which might call us
    // with the same per-thread workspace. With static_partitioner a slot tends to run on the same thread call after
    // call, with its scratch memory in that thread's cache.
    tbb::this_task_arena::isolate([&] { tbb::parallel_for(0U, slots, try_task, tbb::static_partitioner()); });
    if (failure) std::rethrow_exception(failure);
}

bool TbbExecutor::cancelled() const {
    // A thread that has never worked for oneTBB is in no group, and to ask for one would start the scheduler on it.
    if (tbb::this_task_arena::current_thread_index() == tbb::task_arena::not_initialized) return false;
    return tbb::is_current_task_group_canceling();
}

}  // namespace lanefold::detail
