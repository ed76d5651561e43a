// SPDX-License-Identifier: MIT
//
// The hierarchy of boxes over the triangles of a mesh: groups of eight in Morton order, boxes in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

struct ItemBox {
    float low[3];
    float high[3];
};

// The box of three points.
ItemBox box_of(const Vec3f& a, const Vec3f& b, const Vec3f& c);

// Whether two closed boxes meet.
bool meets(const ItemBox& item, const SurfaceBox& box);

struct TriangleTree {
    std::vector<std::uint32_t> order;
    std::vector<SurfaceNode> nodes;  // level 0 first

    // The tree as the view has it.
    SurfaceTree view() const;
    std::size_t bytes() const;
};

// A tree over any boxes.
TriangleTree build_tree(std::span<const ItemBox> items);

// The child's box in a node.
ItemBox child_box(const SurfaceNode& node, std::uint32_t lane);

// Bit i is set if lane i of the node may meet the box. Lanes behind the last child are arbitrary.
std::uint32_t lanes_near(const SurfaceNode& node, const float low[3], const float high[3]);

// The largest float32 below or at x, and the smallest above or at it.
float float_below(double x);
float float_above(double x);

// Calls visit(item) for all items whose coded boxes meet the box, and some others near it, in no order.
template <class Visit>
void visit_near(const SurfaceTree& tree, const SurfaceBox& box, const Visit& visit) {
    if (tree.levels == 0) return;
    const float low[3] = {float_below(box.low.x), float_below(box.low.y), float_below(box.low.z)};
    const float high[3] = {float_above(box.high.x), float_above(box.high.y), float_above(box.high.z)};
    struct Place {
        std::uint32_t level;
        std::uint32_t node;
    };
    Place stack[SurfaceTree::kMostLevels * SurfaceNode::kLanes];
    std::size_t depth = 0;
    stack[depth++] = {tree.levels - 1, 0};
    while (depth > 0) {
        const Place at = stack[--depth];
        const std::uint32_t near = lanes_near(tree.level[at.level][at.node], low, high);
        const std::uint32_t below = at.level == 0 ? tree.items : tree.nodes[at.level - 1];
        for (std::uint32_t lane = 0; lane < SurfaceNode::kLanes; ++lane) {
            const std::uint32_t child = at.node * SurfaceNode::kLanes + lane;
            if ((near >> lane & 1U) == 0 || child >= below) continue;
            if (at.level == 0) {
                visit(tree.order[child]);
            } else {
                stack[depth++] = {at.level - 1, child};
            }
        }
    }
}

}  // namespace lanefold::detail
