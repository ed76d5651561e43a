// SPDX-License-Identifier: MIT
//
// Queries of the tree of boxes (tree/box_tree.hpp), a node's eight boxes at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lanes/wide.hpp"
#include "tree/tree_kernels.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// A box beside the eight of a node.
struct Probe {
    WFloat lower[3];
    WFloat upper[3];

    LANEFOLD_INLINE explicit Probe(const FloatBox& b)
        : lower{splat(b.lower[0]), splat(b.lower[1]), splat(b.lower[2])},
          upper{splat(b.upper[0]), splat(b.upper[1]), splat(b.upper[2])} {}

    // Bit l is set if box l of the node overlaps this one. Lanes beyond the eighth read what follows, and are dropped.
    LANEFOLD_INLINE std::uint32_t overlapping(const BoxNode& node) const {
        std::uint32_t mask = 0;
        for (std::uint32_t l = 0; l < BoxNode::kBoxes; l += kWidth) {
            const auto lows = [&](int k) LANEFOLD_INLINE_LAMBDA { return WFloat::loadu(node.lower[k] + l); };
            const auto highs = [&](int k) LANEFOLD_INLINE_LAMBDA { return WFloat::loadu(node.upper[k] + l); };
            const WMask in = ((lows(0) <= upper[0]) & (lows(1) <= upper[1])) & (lows(2) <= upper[2]) &
                             ((lower[0] <= highs(0)) & (lower[1] <= highs(1))) & (lower[2] <= highs(2));
            mask |= bits(in) << l;
        }
        return mask & ((1U << BoxNode::kBoxes) - 1);
    }
};

// The smallest box around all boxes of a leaf, which is in the node above.
LANEFOLD_INLINE FloatBox around_leaf(const TreeView& tree, std::size_t leaf) {
    return tree.level[1][leaf / BoxNode::kBoxes].get(static_cast<std::uint32_t>(leaf % BoxNode::kBoxes));
}

// Calls visit(leaf) for every leaf node of the range whose box overlaps the probe.
template <class Visit>
LANEFOLD_INLINE void visit_range(const TreeView& tree, const Probe& probe, const LeafRange& range, const Visit& visit) {
    if (range.first >= range.last) return;
    if (tree.levels <= 1) {
        visit(range.first);
        return;
    }
    // Nodes still to open, with their levels. 2^32 bodies have 11 levels, and each opened node leaves at most seven
    // nodes of its level.
    struct Open {
        std::size_t level;
        std::size_t node;
    };
    Open open[11 * BoxNode::kBoxes];
    std::size_t count = 0;
    // The lowest node above all leaves of the range: a small world is below a low one.
    std::size_t top = 1;
    while (range.first >> (3 * top) != (range.last - 1) >> (3 * top)) ++top;
    open[count++] = {top, range.first >> (3 * top)};
    while (count != 0) {
        const Open at = open[--count];
        std::uint32_t mask = probe.overlapping(tree.level[at.level][at.node]);
        for (; mask != 0; mask &= mask - 1) {
            const std::size_t child = at.node * BoxNode::kBoxes + static_cast<std::uint32_t>(__builtin_ctz(mask));
            if (at.level == 1) {
                if (child >= range.first && child < range.last) visit(child);
                continue;
            }
            // The first leaf below the child, and the one after the last.
            const std::size_t shift = 3 * (at.level - 1);
            if ((child + 1) << shift > range.first && child << shift < range.last)
                open[count++] = {at.level - 1, child};
        }
    }
}

template <class Visit>
LANEFOLD_INLINE void visit_leaves(const TreeView& tree, const Probe& probe, const Reach& reach, const Visit& visit) {
    visit_range(tree, probe, reach.own, visit);
    visit_range(tree, probe, reach.shared, visit);
}

// Pairs that are written up to the capacity.
struct PairWriter {
    Pair* out;
    std::size_t capacity;
    std::size_t count = 0;

    LANEFOLD_INLINE void add(std::uint32_t a, std::uint32_t b) {
        if (count < capacity) out[count] = a < b ? Pair{a, b} : Pair{b, a};
        ++count;
    }
};

// The pairs of a lane of `own` with those lanes of `other` that are in `near`.
LANEFOLD_INLINE void pairs_of_lane(const TreeView& tree, std::size_t own, std::uint32_t lane, std::size_t other,
                                   std::uint32_t near, PairWriter& pairs) {
    std::uint32_t mask = Probe(tree.level[0][own].get(lane)).overlapping(tree.level[0][other]) & near;
    for (; mask != 0; mask &= mask - 1) {
        pairs.add(tree.body[own * BoxNode::kBoxes + lane],
                  tree.body[other * BoxNode::kBoxes + static_cast<std::uint32_t>(__builtin_ctz(mask))]);
    }
}

inline std::size_t pairs_of_leaf(const TreeView& tree, std::size_t leaf, const Reach& reach, Pair* out,
                                 std::size_t capacity) {
    PairWriter pairs{out, capacity};
    const BoxNode& own = tree.level[0][leaf];
    // A lane without a body overlaps nothing, not even itself.
    for (std::uint32_t l = 0; l + 1 < BoxNode::kBoxes; ++l) pairs_of_lane(tree, leaf, l, leaf, 0xFEU << l, pairs);
    if (tree.levels <= 1) return pairs.count;
    const Probe all(around_leaf(tree, leaf));
    visit_leaves(tree, all, reach, [&](std::size_t other) LANEFOLD_INLINE_LAMBDA {
        // Only bodies of each leaf that overlap the other leaf's box.
        const std::uint32_t near = all.overlapping(tree.level[0][other]);
        if (near == 0) return;
        std::uint32_t mine = Probe(around_leaf(tree, other)).overlapping(own);
        for (; mine != 0; mine &= mine - 1)
            pairs_of_lane(tree, leaf, static_cast<std::uint32_t>(__builtin_ctz(mine)), other, near, pairs);
    });
    return pairs.count;
}

inline std::size_t query(const TreeView& tree, const FloatBox& box, const Reach& reach, std::uint32_t* out,
                         std::size_t capacity) {
    const Probe probe(box);
    std::size_t n = 0;
    visit_leaves(tree, probe, reach, [&](std::size_t leaf) LANEFOLD_INLINE_LAMBDA {
        std::uint32_t mask = probe.overlapping(tree.level[0][leaf]);
        for (; mask != 0; mask &= mask - 1) {
            if (n < capacity)
                out[n] = tree.body[leaf * BoxNode::kBoxes + static_cast<std::uint32_t>(__builtin_ctz(mask))];
            ++n;
        }
    });
    return n;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
