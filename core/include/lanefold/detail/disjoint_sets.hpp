// SPDX-License-Identifier: MIT
//
// Disjoint sets of numbered elements: parent[i] leads from i towards its set's root, which is its own parent.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lanefold::detail {

// The root of i's set. Halves the way there.
inline std::uint32_t find_root(std::vector<std::uint32_t>& parent, std::uint32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// Makes one set of those of a and b. The lower root stays, so that the root is the set's lowest element, whatever the
// order of the calls.
inline void unite(std::vector<std::uint32_t>& parent, std::uint32_t a, std::uint32_t b) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    parent[std::max(a, b)] = std::min(a, b);
}

}  // namespace lanefold::detail
