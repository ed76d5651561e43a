// SPDX-License-Identifier: MIT
//
// See the header.
#include "tree/found_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <span>

#include "boxes/tasks.hpp"
#include "tree/bucket_sort.hpp"
#include "tree/whole_output.hpp"

namespace lanefold::detail {

namespace {

constexpr std::size_t kLeavesPerBlock = 32;
constexpr std::size_t kReplacedPerBlock = 32;

// Pairs are sorted by one thread where they are fewer than one for so many bodies, which it does as fast as all would
// go through the buckets of all bodies.
constexpr std::size_t kFewNew = 32;

}  // namespace

void FoundPairs::begin(std::size_t blocks) {
    blocks_ = blocks;
    found_.resize(std::max(found_.size(), blocks));
    for (std::vector<Pair>& list : found_) list.clear();
}

std::size_t FoundPairs::size() const {
    std::size_t n = 0;
    for (std::size_t b = 0; b < blocks_; ++b) n += found_[b].size();
    return n;
}

bool FoundPairs::search(const TreeKernels& kernels, const BoxTree& tree, const BodyFilters& filters,
                        std::uint32_t threads, std::size_t limit) {
    std::atomic<std::size_t> total{0};  // of the blocks that are done
    begin((tree.leaves() + kLeavesPerBlock - 1) / kLeavesPerBlock);
    near_.resize(std::max(near_.size(), blocks_));
    for_blocks(tree.leaves(), kLeavesPerBlock, threads, [&](std::size_t first, std::size_t last) {
        std::vector<Pair>& mine = found_[first / kLeavesPerBlock];
        std::vector<Pair>& near = near_[first / kLeavesPerBlock];
        for (std::size_t leaf = first; leaf < last; ++leaf) {
            if (total.load(std::memory_order_relaxed) + mine.size() > limit) break;
            const auto kernel = [&](Pair* out, std::size_t n) {
                return kernels.pairs_of_leaf(tree.view(), leaf, tree.reach_behind(leaf), out, n);
            };
            for (const Pair& p : whole_output(near, kernel)) {
                if (filters.pass(p.a, p.b)) mine.push_back(p);
            }
        }
        total.fetch_add(mine.size(), std::memory_order_relaxed);
    });
    return total.load(std::memory_order_relaxed) <= limit;
}

void FoundPairs::search(const TreeKernels& kernels, const BoxTree& tree, const BodyFilters& filters,
                        const Replaced& replaced, std::uint32_t threads) {
    begin((replaced.list.size() + kReplacedPerBlock - 1) / kReplacedPerBlock);
    near_bodies_.resize(std::max(near_bodies_.size(), blocks_));
    for_blocks(replaced.list.size(), kReplacedPerBlock, threads, [&](std::size_t first, std::size_t last) {
        const std::size_t block = first / kReplacedPerBlock;
        for (std::size_t k = first; k < last; ++k) {
            const std::uint32_t i = replaced.list[k];
            const auto kernel = [&](std::uint32_t* out, std::size_t n) {
                return kernels.query(tree.view(), replaced.boxes[i], tree.reach_of(i), out, n);
            };
            for (const std::uint32_t j : whole_output(near_bodies_[block], kernel)) {
                // Two such bodies find each other twice; keep one.
                if (j == i || (replaced.is_listed[j] != 0 && j < i) || !filters.pass(i, j)) continue;
                found_[block].push_back(i < j ? Pair{i, j} : Pair{j, i});
            }
        }
    });
}

void FoundPairs::sort(std::size_t bodies, std::uint32_t threads, std::vector<Pair>& to) {
    if (size() < bodies / kFewNew) {
        to.clear();
        for (std::size_t b = 0; b < blocks_; ++b) to.insert(to.end(), found_[b].begin(), found_[b].end());
        std::sort(to.begin(), to.end());
        return;
    }
    bucket_sort(
        blocks_, [&](std::size_t b) { return std::span<const Pair>(found_[b]); }, bodies,
        [](const Pair& p) { return std::size_t{p.a}; }, threads, start_, to);
}

}  // namespace lanefold::detail
