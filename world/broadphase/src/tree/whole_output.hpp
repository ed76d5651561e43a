// SPDX-License-Identifier: MIT
//
// The whole output of a kernel that writes no more than a capacity, and says how much there is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lanefold::detail {

// Calls kernel(out, capacity), which returns how many there are, again if `out` is too small. Returns all of them.
template <class T, class Kernel>
std::span<const T> whole_output(std::vector<T>& out, const Kernel& kernel) {
    constexpr std::size_t kUsual = 256;
    if (out.empty()) out.resize(kUsual);
    std::size_t n = kernel(out.data(), out.size());
    if (n > out.size()) {
        out.resize(n);
        n = kernel(out.data(), out.size());
    }
    return {out.data(), n};
}

}  // namespace lanefold::detail
