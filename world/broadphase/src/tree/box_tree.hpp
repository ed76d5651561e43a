// SPDX-License-Identifier: MIT
//
// A tree of float32 boxes, eight to a node, without pointers: bodies are sorted along a Morton curve (G. M. Morton,
// 1966), eight neighbours make a node, eight nodes one of the level above, as in packed R-trees (I. Kamel and C.
// Faloutsos, "On packing R-trees", 1993). A changed box is written in place, and the nodes above it are refitted. The
// order of bodies never changes a list of pairs, only the time to find it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/body.hpp>

#include "tree/box_node.hpp"
#include "tree/tree_kernels.hpp"

namespace lanefold::detail {

class BoxTree {
public:
    // Builds the tree of all boxes that are not kNoFloatBox. Most boxes should lie within `span` of 0.
    void build(std::span<const FloatBox> boxes, double span, std::uint32_t threads);

    // Number of leaf nodes.
    std::size_t leaves() const { return body_.size() / BoxNode::kBoxes; }

    // Replaces the box of `body`, which must be in the tree. The nodes above it are wrong until refit(). Calls for
    // different bodies may run at once.
    void replace(std::uint32_t body, const FloatBox& box);
    void refit(std::uint32_t threads);
    bool has(std::uint32_t body) const { return slot_[body] != kNoIndex; }

    // The view that the kernels read, valid until the next build().
    TreeView view() const { return {level_pointer_.data(), body_.data(), levels_}; }

private:
    // A body and where it is on the curve.
    struct Keyed {
        std::uint64_t key = 0;
        std::uint32_t body = 0;
        friend bool operator<(const Keyed& a, const Keyed& b) {
            return a.key != b.key ? a.key < b.key : a.body < b.body;
        }
    };
    // The sums that a task makes over its part of the boxes.
    struct Part {
        double extents = 0;
        std::uint32_t bodies = 0;  // that have a box
        std::uint64_t any = 0;     // bits that are in a key
        std::uint64_t all = 0;     // bits that are in every key
    };

    void sort_bodies(std::span<const FloatBox> boxes, double span, std::uint32_t threads);
    void make_level(std::span<const FloatBox> boxes, std::size_t level, std::uint32_t threads);
    void fit(std::size_t level, std::size_t node);

    // level_[0] holds the bodies' boxes, level_[k + 1] the boxes around the nodes of level_[k]; the last has one node.
    // Kernels read behind a node, so each level has one more.
    std::vector<std::vector<BoxNode>> level_;
    std::vector<const BoxNode*> level_pointer_;
    std::size_t levels_ = 0;
    // Bodies in the tree's order, one per lane of the leaf nodes; kNoIndex where the last node has no body.
    std::vector<std::uint32_t> body_;
    std::vector<std::uint32_t> slot_;  // slot of each body in body_
    // dirty_[k][n]: a node below node n of level_[k] has changed. There is nothing below level 0.
    std::vector<std::vector<std::uint8_t>> dirty_;

    // Scratch.
    std::vector<Part> parts_;
    std::vector<Keyed> unsorted_;  // the bodies of each part from its first place on
    std::vector<Keyed> sorted_;
    std::vector<std::size_t> start_;
};

}  // namespace lanefold::detail
