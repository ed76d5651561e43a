// SPDX-License-Identifier: MIT
//
// A limit of threads for the build with ThreadSanitizer, found instead of oneTBB's header: there is none.
#pragma once

#include <cstddef>

namespace tbb {

class global_control {
public:
    enum parameter { max_allowed_parallelism };
    global_control(parameter, std::size_t) {}
};

}  // namespace tbb
