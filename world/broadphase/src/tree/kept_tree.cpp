// SPDX-License-Identifier: MIT
//
// See the header.
#include "tree/kept_tree.hpp"

#include <algorithm>

namespace lanefold::detail {

namespace {

// A search of all bodies is faster than single ones if more than one body in this many has left its fat box.
constexpr std::size_t kFewLeave = 8;

}  // namespace

bool KeptTree::begin(const PairFinderOptions& o, std::size_t bodies) {
    const bool same_filters = filters_.keep(o);
    worlds_ = o.worlds;
    return kept_ && same_filters && fat_.size() == bodies;
}

void KeptTree::begin_left(std::size_t bodies) {
    has_left_.resize(bodies);
    left_lists_.resize(bodies);
    left_count_.assign((bodies + kBodiesPerBlock - 1) / kBodiesPerBlock, 0);
}

bool KeptTree::gather_left() {
    left_.clear();
    for (std::size_t b = 0; b < left_count_.size(); ++b) {
        const auto from = left_lists_.begin() + static_cast<std::ptrdiff_t>(b * kBodiesPerBlock);
        left_.insert(left_.end(), from, from + left_count_[b]);
    }
    // A body that had no box is not in the tree, and a tree whose bodies have moved far is slow to search.
    const std::size_t bodies = has_left_.size();
    return left_.size() * kFewLeave <= bodies && searched_since_ + left_.size() <= bodies &&
           std::all_of(left_.begin(), left_.end(), [&](std::uint32_t i) { return tree_.has(i); });
}

bool KeptTree::search_built(const TreeKernels& kernels, std::uint32_t threads, std::vector<Pair>& pairs,
                            std::size_t limit) {
    tree_.build(fat_, filters_.worlds(), worlds_, frame_.span(), threads);
    searched_since_ = 0;
    if (!found_.search(kernels, tree_, filters_, threads, limit)) return false;
    found_.sort(fat_.size(), threads, pairs);
    kept_ = true;
    return true;
}

std::span<const Pair> KeptTree::search_replaced(const TreeKernels& kernels, std::uint32_t threads) {
    tree_.refit(threads);
    searched_since_ += left_.size();
    found_.search(kernels, tree_, filters_, {left_, has_left_, fat_}, threads);
    found_.sort(fat_.size(), threads, fresh_);
    kept_ = true;
    return fresh_;
}

}  // namespace lanefold::detail
