// SPDX-License-Identifier: MIT
//
// Loops for the build with ThreadSanitizer, found instead of oneTBB's header: a std::thread for each index. An
// exception of a body is rethrown when all have ended.
#pragma once

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

namespace tbb {

template <class Index, class Body>
void parallel_for(Index first, Index last, const Body& body, const static_partitioner& = {}) {
    std::exception_ptr failure;
    std::mutex mutex;
    {
        std::vector<std::jthread> threads;
        const std::atomic<int>* const arena = detail::arena_threads();
        for (Index i = first; i < last; ++i) {
            threads.emplace_back([&, i] {
                detail::arena_threads() = arena;
                try {
                    body(i);
                } catch (...) {
                    const std::lock_guard lock(mutex);
                    failure = std::current_exception();
                }
            });
        }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tbb
