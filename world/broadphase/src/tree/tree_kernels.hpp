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

// Leaves of a tree, from `first` to the one before `last`.
struct LeafRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

// The leaves that a search looks into: those of a body's own world, and those of the bodies that all worlds share.
// Without worlds all leaves are its own.
struct Reach {
    LeafRange own;
    LeafRange shared;
};

// A tree for its queries.
struct TreeView {
    const BoxNode* const* level = nullptr;  // as in BoxTree
    const std::uint32_t* body = nullptr;
    std::size_t levels = 0;
};

// Takes a body whose box a ray may meet up to the fraction `most`; returns the fraction up to which others count,
// negative: none does.
using VisitBody = double (*)(void* context, std::uint32_t body, double most);

struct TreeKernels {
    // The pairs of a leaf's bodies with each other and with those of later leaves in reach, and the bodies in reach
    // that overlap a box. Both write no more than `capacity`, and return how many there are.
    std::size_t (*pairs_of_leaf)(const TreeView& tree, std::size_t leaf, const Reach& reach, Pair* out,
                                 std::size_t capacity);
    std::size_t (*query)(const TreeView& tree, const FloatBox& box, const Reach& reach, std::uint32_t* out,
                         std::size_t capacity);

    // Calls visit for bodies in reach whose boxes the ray meets up to the fraction `most`, the nearer boxes mostly
    // first.
    void (*along)(const TreeView& tree, const FloatRay& ray, const Reach& reach, double most, VisitBody visit,
                  void* context);
};

}  // namespace lanefold::detail
