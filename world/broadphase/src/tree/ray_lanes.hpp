// SPDX-License-Identifier: MIT
//
// Rays through the tree of boxes (tree/box_tree.hpp), a node's eight boxes at once, nearer nodes first. The tests are
// float32 with slack for all of their rounding, so they prune only what the ray cannot meet and change no result.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lanes/wide.hpp"
#include "tree/tree_kernels.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// By how much of the sum of its sides a box is larger for rays than for pairs: the promised accuracy of a hit, twice.
inline constexpr float kPlanesOut = 4e-6F;

// The lanes of a node that a ray meets, and where it comes into each.
struct RayLanes {
    std::uint32_t mask;
    float enter[BoxNode::kBoxes + 16];
};

struct RayProbe {
    WFloat near[3];
    WFloat far[3];
    WFloat per[3];
    bool up[3];
    bool everywhere;

    LANEFOLD_INLINE explicit RayProbe(const FloatRay& r)
        : near{of(r, 0, true), of(r, 1, true), of(r, 2, true)},
          far{of(r, 0, false), of(r, 1, false), of(r, 2, false)},
          per{splat(r.per[0]), splat(r.per[1]), splat(r.per[2])},
          up{is_up(r.per[0]), is_up(r.per[1]), is_up(r.per[2])},
          everywhere(r.everywhere) {}

    // Up to three roundings of each number: 2^-20 covers those of both ends.
    LANEFOLD_INLINE void meet(const BoxNode& node, float most, RayLanes& out) const {
        const WFloat slack = splat(1.0F + 0x1p-20F);
        std::uint32_t mask = 0;
        for (std::uint32_t l = 0; l < BoxNode::kBoxes; l += kWidth) {
            const auto lows = [&](int k) LANEFOLD_INLINE_LAMBDA { return WFloat::loadu(node.lower[k] + l); };
            const auto highs = [&](int k) LANEFOLD_INLINE_LAMBDA { return WFloat::loadu(node.upper[k] + l); };
            // A hull's planes may stick out of its vertices' box by their rounding.
            const WFloat out_by =
                (((highs(0) - lows(0)) + (highs(1) - lows(1))) + (highs(2) - lows(2))) * splat(kPlanesOut);
            WFloat first = splat(0.0F);
            WFloat last = splat(most);
            for (int k = 0; k < 3; ++k) {
                const WFloat low = lows(k) - out_by;
                const WFloat high = highs(k) + out_by;
                first = max(first, ((up[k] ? low : high) - near[k]) * per[k]);
                last = min(last, ((up[k] ? high : low) - far[k]) * per[k]);
            }
            // A lane without a box has its sides the wrong way round, and is behind itself.
            mask |= bits(first <= last * slack) << l;
            first.storeu(out.enter + l);
        }
        out.mask = mask & ((1U << BoxNode::kBoxes) - 1);
        if (!everywhere) return;
        out.mask = 0;
        for (std::uint32_t l = 0; l < BoxNode::kBoxes; ++l) {
            out.mask |= (node.lower[0][l] <= node.upper[0][l] ? 1U : 0U) << l;
            out.enter[l] = 0;
        }
    }

private:
    LANEFOLD_INLINE static bool is_up(float per) { return per > 0.0F; }
    LANEFOLD_INLINE static WFloat of(const FloatRay& r, int k, bool first) {
        return splat(is_up(r.per[k]) == first ? r.high[k] : r.low[k]);
    }
};

// A fraction in float32, not less.
LANEFOLD_INLINE float float_fraction(double most) { return static_cast<float>(most) * (1.0F + 0x1p-22F); }

// The bodies of a leaf; false: none counts any more.
LANEFOLD_INLINE bool visit_leaf(const TreeView& tree, std::size_t leaf, const RayProbe& probe, double& most,
                                VisitBody visit, void* context) {
    RayLanes lanes;
    probe.meet(tree.level[0][leaf], float_fraction(most), lanes);
    for (std::uint32_t mask = lanes.mask; mask != 0; mask &= mask - 1) {
        const std::uint32_t l = lowest_bit(mask);
        if (lanes.enter[l] > float_fraction(most) * (1.0F + 0x1p-20F)) continue;
        most = visit(context, tree.body[leaf * BoxNode::kBoxes + l], most);
        if (most < 0) return false;
    }
    return true;
}

// Nodes still to open, the nearest of those below a node last.
struct OpenNode {
    float enter;
    std::uint32_t level;
    std::size_t node;
};

LANEFOLD_INLINE void insert_near(OpenNode* first, OpenNode* last, const OpenNode& node) {
    for (; last > first && (last - 1)->enter < node.enter; --last) *last = *(last - 1);
    *last = node;
}

LANEFOLD_INLINE bool visit_along(const TreeView& tree, const RayProbe& probe, const LeafRange& range, double& most,
                                 VisitBody visit, void* context) {
    if (range.first >= range.last) return true;
    if (tree.levels <= 1) return visit_leaf(tree, range.first, probe, most, visit, context);
    // As in visit_range().
    OpenNode open[11 * BoxNode::kBoxes];
    std::size_t count = 0;
    std::uint32_t top = 1;
    while (range.first >> (3 * top) != (range.last - 1) >> (3 * top)) ++top;
    open[count++] = {0, top, range.first >> (3 * top)};
    while (count != 0) {
        const OpenNode at = open[--count];
        if (at.enter > float_fraction(most) * (1.0F + 0x1p-20F)) continue;
        if (at.level == 0) {
            if (!visit_leaf(tree, at.node, probe, most, visit, context)) return false;
            continue;
        }
        RayLanes lanes;
        probe.meet(tree.level[at.level][at.node], float_fraction(most), lanes);
        const std::size_t first = count;
        for (std::uint32_t mask = lanes.mask; mask != 0; mask &= mask - 1) {
            const std::uint32_t l = lowest_bit(mask);
            const std::size_t child = at.node * BoxNode::kBoxes + l;
            const std::size_t shift = 3 * (std::size_t{at.level} - 1);
            if ((child + 1) << shift <= range.first || child << shift >= range.last) continue;
            insert_near(open + first, open + count, {lanes.enter[l], at.level - 1, child});
            ++count;
        }
    }
    return true;
}

inline void along(const TreeView& tree, const FloatRay& ray, const Reach& reach, double most, VisitBody visit,
                  void* context) {
    const RayProbe probe(ray);
    if (visit_along(tree, probe, reach.own, most, visit, context))
        visit_along(tree, probe, reach.shared, most, visit, context);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
