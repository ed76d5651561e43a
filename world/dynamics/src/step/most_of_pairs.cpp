// SPDX-License-Identifier: MIT
//
// See the header.
#include "step/most_of_pairs.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "state/contacts.hpp"

namespace lanefold::detail {
namespace {

// Moves the deepest kMostOfPair of these to the front, in their order. A heap has the deepest so far, the least deep of
// them first.
void move_deepest(std::span<Manifold4> own) {
    const auto deeper = [&](std::size_t i, std::size_t k) {
        return own[i].distance != own[k].distance ? own[i].distance < own[k].distance : i < k;
    };
    std::array<std::size_t, kMostOfPair> heap;
    std::iota(heap.begin(), heap.end(), std::size_t{0});
    std::make_heap(heap.begin(), heap.end(), deeper);
    for (std::size_t i = kMostOfPair; i < own.size(); ++i) {
        if (!deeper(i, heap.front())) continue;
        std::pop_heap(heap.begin(), heap.end(), deeper);
        heap.back() = i;
        std::push_heap(heap.begin(), heap.end(), deeper);
    }
    std::sort(heap.begin(), heap.end());
    for (std::size_t i = 0; i < kMostOfPair; ++i) own[i] = own[heap[i]];
}

}  // namespace

std::size_t keep_most_of_pairs(std::span<Manifold4> records) {
    std::size_t kept = 0;
    for (std::size_t i = 0, end = 0; i < records.size(); i = end) {
        for (end = i + 1; end < records.size() && same_pair(records[i], records[end]);) ++end;
        if (end - i > kMostOfPair) move_deepest(records.subspan(i, end - i));
        const std::size_t own = std::min(end - i, kMostOfPair);
        if (kept != i)
            std::copy_n(records.begin() + static_cast<std::ptrdiff_t>(i), own,
                        records.begin() + static_cast<std::ptrdiff_t>(kept));
        kept += own;
    }
    return kept;
}

}  // namespace lanefold::detail
