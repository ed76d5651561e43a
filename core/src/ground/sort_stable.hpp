// SPDX-License-Identifier: MIT
//
// std::stable_sort() for lists that are mostly short: it takes memory even for two elements.
#pragma once

#include <algorithm>
#include <utility>

namespace lanefold::detail {

// Sorts [first, last); equal elements keep their order.
template <class Iterator, class Less>
void sort_stable(Iterator first, Iterator last, const Less& less) {
    constexpr auto kShort = 24;
    if (last - first > kShort) {
        std::stable_sort(first, last, less);
        return;
    }
    for (Iterator i = first; i != last; ++i) {
        auto value = std::move(*i);
        Iterator at = i;
        for (; at != first && less(value, *(at - 1)); --at) *at = std::move(*(at - 1));
        *at = std::move(value);
    }
}

}  // namespace lanefold::detail
