// SPDX-License-Identifier: MIT
//
// Loops over blocks of things that do not depend on each other, on an executor.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "batch/executor.hpp"

namespace lanefold::detail {

// Things per claim: many enough that the shared counter is seldom written, few enough that tasks finish together.
inline constexpr std::size_t kBlockOfPairs = 2048;

// Calls f(begin, end) for all blocks of [0, count) on at most `slots` tasks. All blocks are done, also when the host
// cancels: they are short, and what they write is the stream's memory.
template <class F>
void for_all_blocks(Executor& executor, unsigned slots, std::size_t count, F f) {
    if (count == 0) return;
    std::atomic<std::size_t> next = 0;
    auto work = [&](unsigned) {
        for (;;) {
            const std::size_t begin = next.fetch_add(kBlockOfPairs, std::memory_order_relaxed);
            if (begin >= count) return;
            f(begin, std::min(count, begin + kBlockOfPairs));
        }
    };
    const std::size_t blocks = (count + kBlockOfPairs - 1) / kBlockOfPairs;
    run_slots(executor, static_cast<unsigned>(std::min<std::size_t>(blocks, slots)), work);
    // An executor may leave out tasks of a cancelled group.
    work(0);
}

}  // namespace lanefold::detail
