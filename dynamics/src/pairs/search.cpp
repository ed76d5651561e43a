// SPDX-License-Identifier: MIT
#include "pairs/search.hpp"

#include <algorithm>
#include <numeric>

namespace lanefold::detail {
namespace {

// The axis along which the boxes' middles lie furthest apart: there a sweep meets the fewest.
int widest_axis(std::span<const SearchBox> boxes) {
    int best = 0;
    double most = -1;
    for (int axis = 0; axis < 3; ++axis) {
        double sum = 0;
        double squares = 0;
        for (const SearchBox& box : boxes) {
            const double middle = 0.5 * (static_cast<double>(box.low[axis]) + static_cast<double>(box.high[axis]));
            sum += middle;
            squares += middle * middle;
        }
        const double spread = squares - sum * sum / static_cast<double>(boxes.size());
        if (spread > most) {
            most = spread;
            best = axis;
        }
    }
    return best;
}

}  // namespace

std::span<const Pair> PairSearch::find(std::span<const SearchBox> boxes, std::span<const SearchFilter> filters,
                                       float fat) {
    if (fat_.size() == boxes.size() && still_inside(boxes)) return pairs_;
    fat_.assign(boxes.begin(), boxes.end());
    for (SearchBox& box : fat_) {
        for (int k = 0; k < 3; ++k) {
            box.low[k] -= fat;
            box.high[k] += fat;
        }
    }
    sweep(filters);
    return pairs_;
}

bool PairSearch::still_inside(std::span<const SearchBox> boxes) const {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            if (boxes[i].low[k] < fat_[i].low[k] || boxes[i].high[k] > fat_[i].high[k]) return false;
        }
    }
    return true;
}

void PairSearch::sweep(std::span<const SearchFilter> filters) {
    const std::size_t n = fat_.size();
    pairs_.clear();
    if (n == 0) return;
    const int x = widest_axis(fat_);
    const int y = (x + 1) % 3;
    const int z = (x + 2) % 3;
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) {
        return fat_[i].low[x] < fat_[j].low[x] || (fat_[i].low[x] == fat_[j].low[x] && i < j);
    });
    sorted_.resize(n);
    for (std::size_t i = 0; i < n; ++i) sorted_[i] = fat_[order_[i]];
    for (std::size_t i = 0; i < n; ++i) {
        const SearchBox& a = sorted_[i];
        for (std::size_t j = i + 1; j < n && sorted_[j].low[x] <= a.high[x]; ++j) {
            const SearchBox& b = sorted_[j];
            // Without branches: which of the four fails is a matter of chance.
            const bool apart = static_cast<int>(b.low[y] > a.high[y]) + static_cast<int>(a.low[y] > b.high[y]) +
                                   static_cast<int>(b.low[z] > a.high[z]) + static_cast<int>(a.low[z] > b.high[z]) !=
                               0;
            if (apart || !wanted(filters[order_[i]], filters[order_[j]])) continue;
            pairs_.push_back({std::min(order_[i], order_[j]), std::max(order_[i], order_[j])});
        }
    }
    // Ascending: by the second body within the first, which are counted out.
    begin_.assign(n + 1, 0);
    for (const Pair& pair : pairs_) ++begin_[pair.a + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    scratch_.resize(pairs_.size());
    for (const Pair& pair : pairs_) scratch_[begin_[pair.a]++] = pair;
    std::uint32_t first = 0;
    for (std::size_t a = 0; a < n; ++a) {
        std::sort(scratch_.begin() + first, scratch_.begin() + begin_[a]);
        first = begin_[a];
    }
    pairs_.swap(scratch_);
}

}  // namespace lanefold::detail
