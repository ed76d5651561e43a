// SPDX-License-Identifier: MIT
//
// Number of threads of a command and of its task_arena.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tbb/info.h>

#include "console/failure.hpp"

namespace lanefold::tools {

// More threads than any machine has. An arena of TBB has a slot for each thread; beyond 65,535 it ends the process.
inline constexpr std::uint32_t kMostThreads = 4096;

// --threads: 0 means as many as the machine has.
inline int thread_count(std::uint32_t threads) {
    if (threads > kMostThreads) {
        throw bad_input("--threads {}: expected 0 (as many as the machine has) to {}", threads, kMostThreads);
    }
    return threads == 0 ? std::max(tbb::info::default_concurrency(), 1) : static_cast<int>(threads);
}

// 0: as many as the machine has. The result never exceeds that number: TBB would warn on standard error, and more
// threads than processors gain nothing.
inline int arena_size(std::uint32_t threads) {
    const auto all = static_cast<std::uint32_t>(std::max(tbb::info::default_concurrency(), 1));
    return static_cast<int>(threads == 0 ? all : std::min(threads, all));
}

}  // namespace lanefold::tools
