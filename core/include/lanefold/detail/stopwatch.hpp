// SPDX-License-Identifier: MIT
//
// How long things take, one after the other.
#pragma once

#include <chrono>

namespace lanefold::detail {

class Stopwatch {
public:
    // Seconds since the lap before, or since the watch was made.
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double> took = now - start_;
        start_ = now;
        return took.count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace lanefold::detail
