// SPDX-License-Identifier: MIT
//
// A tree of float32 boxes, eight to a node, without pointers: bodies are sorted along a Morton curve (G. M. Morton,
// 1966), eight neighbours make a node, eight nodes one of the level above, as in packed R-trees (I. Kamel and C.
// Faloutsos, "On packing R-trees", 1993). A changed box is written in place, and the nodes above it are refitted. The
// order of bodies never changes a list of pairs, only the time to find it.
//
// With worlds the bodies of each are neighbours in the tree, those that all share are behind the last, and a search
// looks into the leaves of its own world and the shared ones only, wherever the worlds lie.
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
    // Builds the tree of all boxes that are not kNoFloatBox. Most boxes should lie within `span` of 0. world: of each
    // body, below `worlds` or kSharedBody; or none.
    void build(std::span<const FloatBox> boxes, std::span<const std::int32_t> world, std::uint32_t worlds, double span,
               std::uint32_t threads);

    // Number of leaf nodes.
    std::size_t leaves() const { return body_.size() / BoxNode::kBoxes; }

    // Replaces the box of `body`, which must be in the tree. The nodes above it are wrong until refit(). Calls for
    // different bodies may run at once.
    void replace(std::uint32_t body, const FloatBox& box);
    void refit(std::uint32_t threads);
    bool has(std::uint32_t body) const { return slot_[body] != kNoIndex; }

    // The leaves that pairs of this leaf with later ones lie in, and those of the pairs of a body, which may have left
    // the tree.
    Reach reach_behind(std::size_t leaf) const;
    Reach reach_of(std::uint32_t body) const;
    // The leaves of a world and of the shared bodies; kSharedBody: all leaves. A world that is not there has no own.
    Reach reach_of_world(std::int32_t world) const;

    // The view that the kernels read, valid until the next build().
    TreeView view() const { return {level_pointer_.data(), body_.data(), levels_}; }

private:
    // A body and where it is on the curve.
    struct Keyed {
        std::uint64_t key = 0;
        std::uint32_t body = 0;
        std::uint32_t world = 0;  // shared bodies have the number behind the last
        friend bool operator<(const Keyed& a, const Keyed& b) {
            if (a.world != b.world) return a.world < b.world;
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

    std::uint32_t world_of(std::uint32_t body) const;
    LeafRange leaves_of_slots(std::size_t first, std::size_t last) const;
    Reach reach_from(std::size_t first_leaf, std::size_t first_world, std::size_t last_world) const;
    void sort_bodies(std::span<const FloatBox> boxes, double span, std::uint32_t threads);
    void place_worlds();
    void make_level(std::span<const FloatBox> boxes, std::size_t level, std::uint32_t threads);
    void fit(std::size_t level, std::size_t node);

    // level_[0] holds the bodies' boxes, level_[k + 1] the boxes around the nodes of level_[k]; the last has one node.
    // Kernels read behind a node, so each level has one more.
    std::vector<std::vector<BoxNode>> level_;
    std::vector<const BoxNode*> level_pointer_;
    std::size_t levels_ = 0;
    // Bodies in the tree's order, one per lane of the leaf nodes; kNoIndex where the last node has no body.
    std::vector<std::uint32_t> body_;
    std::vector<std::uint32_t> slot_;      // slot of each body in body_
    std::span<const std::int32_t> world_;  // of build(); the caller keeps it
    std::uint32_t worlds_ = 0;
    std::vector<std::uint32_t> world_slot_;  // the first slot of each world, of the shared bodies, and of no body
    // dirty_[k][n]: a node below node n of level_[k] has changed. There is nothing below level 0.
    std::vector<std::vector<std::uint8_t>> dirty_;

    // Scratch.
    std::vector<Part> parts_;
    std::vector<Keyed> unsorted_;  // the bodies of each part from its first place on
    std::vector<Keyed> sorted_;
    std::vector<std::size_t> start_;
};

}  // namespace lanefold::detail
