// SPDX-License-Identifier: MIT
//
// The kernels that search a tree of boxes (tree/box_tree.hpp), and their view of it. All of them give the same bits on
// every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/body.hpp>

#include "tree/box_node.hpp"

namespace lanefold::detail {

// A tree for its queries.
struct TreeView {
    const BoxNode* const* level = nullptr;  // as in BoxTree
    const std::uint32_t* body = nullptr;
    std::size_t levels = 0;
};

struct TreeKernels {
    // The pairs of BoxTree::pairs_of_leaf() and the bodies of BoxTree::query(). Both write no more than `capacity`, and
    // return how many there are.
    std::size_t (*pairs_of_leaf)(const TreeView& tree, std::size_t leaf, Pair* out, std::size_t capacity);
    std::size_t (*query)(const TreeView& tree, const FloatBox& box, std::uint32_t* out, std::size_t capacity);
};

}  // namespace lanefold::detail
