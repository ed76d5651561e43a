// SPDX-License-Identifier: MIT
//
// Sorts pairs by (a, b): buckets of equal a, each sorted by b.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/body.hpp>

#include "tasks.hpp"

namespace lanefold::detail {

// Sorts the pairs of all lists into `out`. `start` is scratch; a and b are below `bodies`.
inline void sort_pairs(std::span<const std::vector<Pair>> lists, std::size_t bodies, std::uint32_t threads,
                       std::vector<std::size_t>& start, std::vector<Pair>& out) {
    start.assign(bodies + 1, 0);
    for (const std::vector<Pair>& list : lists) {
        for (const Pair& p : list) ++start[p.a + 1];
    }
    for (std::size_t a = 0; a < bodies; ++a) start[a + 1] += start[a];
    out.resize(start[bodies]);
    // The begin of each bucket advances to its end, which is the begin of the next.
    for (const std::vector<Pair>& list : lists) {
        for (const Pair& p : list) out[start[p.a]++] = p;
    }
    constexpr std::size_t kBucketsPerBlock = 1024;
    for_blocks(bodies, kBucketsPerBlock, threads, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t a = first; a < last; ++a) {
            const std::size_t begin = a == 0 ? 0 : start[a - 1];
            std::sort(out.begin() + static_cast<std::ptrdiff_t>(begin),
                      out.begin() + static_cast<std::ptrdiff_t>(start[a]));
        }
    });
}

}  // namespace lanefold::detail
