// SPDX-License-Identifier: MIT
//
// Pairs that the tasks of a search find, in a list per block of its loop: how long each becomes is then no matter of
// chance, and a warm finder allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <lanefold/body.hpp>

#include "tree/body_filters.hpp"
#include "tree/box_tree.hpp"
#include "tree/tree_kernels.hpp"

namespace lanefold::detail {

// Bodies whose boxes in a tree were replaced.
struct Replaced {
    std::span<const std::uint32_t> list;
    std::span<const std::uint8_t> is_listed;  // per body: 1 if it is in the list
    std::span<const FloatBox> boxes;          // per body: the new one if it is in the list
};

class FoundPairs {
public:
    // All pairs of the tree's boxes that overlap and pass the filters. False if there are more than `limit`, as soon as
    // that is seen: then the lists are not whole.
    bool search(const TreeKernels& kernels, const BoxTree& tree, const BodyFilters& filters, std::uint32_t threads,
                std::size_t limit = std::numeric_limits<std::size_t>::max());

    // The same of those pairs that have such a body.
    void search(const TreeKernels& kernels, const BoxTree& tree, const BodyFilters& filters, const Replaced& replaced,
                std::uint32_t threads);

    // The found pairs, ascending, of bodies 0 to bodies - 1. The lists stay what they are.
    void sort(std::size_t bodies, std::uint32_t threads, std::vector<Pair>& to);

private:
    void begin(std::size_t blocks);
    std::size_t size() const;

    std::size_t blocks_ = 0;
    std::vector<std::vector<Pair>> found_;  // per block, of which there may have been more once

    // Scratch.
    std::vector<std::vector<Pair>> near_;                  // per block
    std::vector<std::vector<std::uint32_t>> near_bodies_;  // per block
    std::vector<std::size_t> start_;
};

}  // namespace lanefold::detail
