// SPDX-License-Identifier: MIT
//
// A partitioner for the build with ThreadSanitizer, found instead of oneTBB's header: every index has its own thread.
#pragma once

namespace tbb {

struct static_partitioner {};

}  // namespace tbb
