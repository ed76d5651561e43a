// SPDX-License-Identifier: MIT
//
// How many threads a task_arena of the program gets.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tbb/info.h>

namespace lanefold::tools {

// 0: as many as the machine has. Never more: TBB would warn on standard error, and it would not help.
inline int arena_size(std::uint32_t threads) {
    const auto all = static_cast<std::uint32_t>(std::max(tbb::info::default_concurrency(), 1));
    return static_cast<int>(threads == 0 ? all : std::min(threads, all));
}

}  // namespace lanefold::tools
