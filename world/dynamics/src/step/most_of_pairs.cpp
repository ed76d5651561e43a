// SPDX-License-Identifier: MIT
//
// See the header.
#include "step/most_of_pairs.hpp"

#include <algorithm>
#include <vector>

#include "state/contacts.hpp"

namespace lanefold::detail {
namespace {

// Moves the deepest kMostOfPair of these to the front, in their order.
void move_deepest(std::span<Manifold4> own) {
    std::vector<std::size_t> order(own.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto deeper = [&](std::size_t i, std::size_t k) {
        return own[i].distance != own[k].distance ? own[i].distance < own[k].distance : i < k;
    };
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(kMostOfPair);
    std::nth_element(order.begin(), end, order.end(), deeper);
    std::sort(order.begin(), end);
    for (std::size_t i = 0; i < kMostOfPair; ++i) own[i] = own[order[i]];
}

bool same_pair(const Manifold4& a, const Manifold4& b) { return a.pair[0] == b.pair[0] && a.pair[1] == b.pair[1]; }

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
