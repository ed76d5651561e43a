// SPDX-License-Identifier: MIT
//
// Room for what a kernel finds, which says how much there is and writes no more than it may.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lanefold::detail {

// Calls kernel(out, room), which returns how many there are, until `out` has room for them. Returns these.
template <class T, class Kernel>
std::span<const T> all_of(std::vector<T>& out, const Kernel& kernel) {
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
