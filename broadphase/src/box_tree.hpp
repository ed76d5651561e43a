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

#include "float_frame.hpp"

namespace lanefold::detail {

// Eight boxes, one array per side.
struct alignas(64) BoxNode {
    static constexpr std::uint32_t kBoxes = 8;

    float lower[3][kBoxes];
    float upper[3][kBoxes];

    void set(std::uint32_t lane, const FloatBox& b) {
        for (int i = 0; i < 3; ++i) {
            lower[i][lane] = b.lower[i];
            upper[i][lane] = b.upper[i];
        }
    }
    FloatBox get(std::uint32_t lane) const {
        return {{lower[0][lane], lower[1][lane], lower[2][lane]}, {upper[0][lane], upper[1][lane], upper[2][lane]}};
    }
    // The smallest box around all boxes.
    FloatBox around() const;
    // Bit l is set if box l overlaps b.
    std::uint32_t overlapping(const FloatBox& b) const;
};

class BoxTree {
public:
    static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;

    // Builds the tree of all boxes that are not kNoFloatBox. Most boxes should lie within `span` of 0.
    void build(std::span<const FloatBox> boxes, double span, std::uint32_t threads);

    // Bodies in the tree's order, one per lane of the leaf nodes; kNowhere where the last node has no body.
    std::span<const std::uint32_t> bodies() const { return body_; }
    std::size_t leaves() const { return body_.size() / BoxNode::kBoxes; }

    // Replaces the box of `body`, which must be in the tree. The nodes above it are wrong until refit().
    void replace(std::uint32_t body, const FloatBox& box);
    void refit();
    bool has(std::uint32_t body) const { return place_[body] != kNowhere; }

    // Appends every pair of overlapping boxes with one body in leaf `leaf` and the other in that leaf or a later one,
    // once.
    void pairs_of_leaf(std::size_t leaf, std::vector<Pair>& out) const;

    // Appends the bodies whose boxes overlap b.
    void query(const FloatBox& b, std::vector<std::uint32_t>& out) const;

private:
    template <class Visit>
    void visit_leaves(const FloatBox& b, std::size_t first_leaf, const Visit& visit) const;
    void fit(std::size_t level, std::size_t node);

    // level_[0] holds the bodies' boxes, level_[k + 1] the boxes around the nodes of level_[k]; the last has one node.
    std::vector<std::vector<BoxNode>> level_;
    std::size_t levels_ = 0;
    std::vector<std::uint32_t> body_;
    std::vector<std::uint32_t> place_;  // place of each body in body_
    std::vector<std::size_t> dirty_;    // leaf nodes that replace() changed
    std::vector<std::uint64_t> key_;
    std::vector<std::uint64_t> key_scratch_;
    std::vector<std::uint32_t> body_scratch_;
};

}  // namespace lanefold::detail
