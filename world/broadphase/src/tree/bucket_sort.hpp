// SPDX-License-Identifier: MIT
//
// Sorts into many small buckets, then each bucket by itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "boxes/tasks.hpp"

namespace lanefold::detail {

// Buckets per task: most have few elements or none.
inline constexpr std::size_t kBucketsPerTask = 512;

// Fewer tasks count and place no faster than one, which needs no locked additions.
inline constexpr unsigned kFewSorters = 4;

// Sorts the elements of list(0) to list(lists - 1), spans of T, into `out`: by their buckets, which must ascend with
// them, and in a bucket by <. bucket_of(x) is below `buckets`. Elements that are not equal have one order, so the
// result does not depend on threads. `start` is scratch. So many tasks count and place.
template <class T, class List, class BucketOf>
void bucket_sort_on(unsigned tasks, std::size_t lists, const List& list, std::size_t buckets, const BucketOf& bucket_of,
                    std::uint32_t threads, std::vector<std::size_t>& start, std::vector<T>& out) {
    const auto next = [tasks](std::size_t& count) {
        return tasks > 1 ? __atomic_fetch_add(&count, std::size_t{1}, __ATOMIC_RELAXED) : count++;
    };
    start.assign(buckets + 1, 0);
    for_blocks_on(tasks, lists, 1, [&](std::size_t l, std::size_t) {
        for (const T& x : std::span<const T>(list(l))) next(start[bucket_of(x) + 1]);
    });
    for (std::size_t b = 0; b < buckets; ++b) start[b + 1] += start[b];
    out.resize(start[buckets]);
    // The begin of each bucket advances to its end, which is the begin of the next.
    for_blocks_on(tasks, lists, 1, [&](std::size_t l, std::size_t) {
        for (const T& x : std::span<const T>(list(l))) out[next(start[bucket_of(x)])] = x;
    });
    for_blocks(buckets, kBucketsPerTask, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t b = first; b < last; ++b) {
            const std::size_t begin = b == 0 ? 0 : start[b - 1];
            if (start[b] - begin < 2) continue;
            std::sort(out.begin() + static_cast<std::ptrdiff_t>(begin),
                      out.begin() + static_cast<std::ptrdiff_t>(start[b]));
        }
    });
}

// The same on as many tasks as are worth it.
template <class T, class List, class BucketOf>
void bucket_sort(std::size_t lists, const List& list, std::size_t buckets, const BucketOf& bucket_of,
                 std::uint32_t threads, std::vector<std::size_t>& start, std::vector<T>& out) {
    const unsigned most = task_count(lists, threads);
    bucket_sort_on(most < kFewSorters ? 1 : most, lists, list, buckets, bucket_of, threads, start, out);
}

}  // namespace lanefold::detail
