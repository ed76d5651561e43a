// SPDX-License-Identifier: MIT
//
// Makes the hierarchy; see triangle_tree.hpp and SurfaceNode.
#include "surface/triangle_tree.hpp"

#include <algorithm>
#include <cassert>
#include <cfloat>
#include <cmath>

namespace lanefold::detail {

namespace {

constexpr float kMostSteps = 255;

// Bits of a Morton code per axis. With cells of 2^-16 of the longest side small groups of far smaller triangles still
// have an order; one more bit costs time only.
constexpr std::uint32_t kAxisBits = 16;
// Digits of the sort: four passes over 48 bits.
constexpr std::uint32_t kDigitBits = 12;

// The bits of x, two zeros between each.
std::uint64_t spread(std::uint64_t x) {
    x = (x | x << 32U) & 0x001F00000000FFFFU;
    x = (x | x << 16U) & 0x001F0000FF0000FFU;
    x = (x | x << 8U) & 0x100F00F00F00F00FU;
    x = (x | x << 4U) & 0x10C30C30C30C30C3U;
    return (x | x << 2U) & 0x1249249249249249U;
}

struct Key {
    std::uint64_t code;
    std::uint32_t item;
};

// Stable, ascending.
void sort_keys(std::vector<Key>& keys) {
    constexpr std::uint32_t kDigits = 1U << kDigitBits;
    std::vector<Key> other(keys.size());
    for (std::uint32_t shift = 0; shift < 3 * kAxisBits; shift += kDigitBits) {
        std::vector<std::uint32_t> first(kDigits + 1, 0);
        for (const Key& k : keys) ++first[(k.code >> shift & (kDigits - 1)) + 1];
        for (std::uint32_t d = 0; d < kDigits; ++d) first[d + 1] += first[d];
        for (const Key& k : keys) other[first[k.code >> shift & (kDigits - 1)]++] = k;
        keys.swap(other);
    }
}

std::vector<Key> ordered(std::span<const ItemBox> items) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (const ItemBox& b : items) {
        for (int a = 0; a < 3; ++a) {
            const double twice = static_cast<double>(b.low[a]) + static_cast<double>(b.high[a]);
            low[a] = std::min(low[a], twice);
            high[a] = std::max(high[a], twice);
        }
    }
    const double side = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
    const double scale = side > 0 ? static_cast<double>((1U << kAxisBits) - 1U) / side : 0;
    std::vector<Key> keys;
    keys.reserve(items.size());
    for (const ItemBox& b : items) {
        std::uint64_t code = 0;
        for (int a = 0; a < 3; ++a) {
            const double twice = static_cast<double>(b.low[a]) + static_cast<double>(b.high[a]);
            code |= spread(static_cast<std::uint64_t>((twice - low[a]) * scale)) << a;
        }
        keys.push_back({code, static_cast<std::uint32_t>(keys.size())});
    }
    sort_keys(keys);
    return keys;
}

float decode(float origin, float step, std::uint32_t q) { return origin + step * static_cast<float>(q); }

// The least power of two, at least the smallest normal number, with which 255 steps reach `high`.
float step_for(float origin, float high) {
    if (origin == high) return 0;
    int exponent = 0;
    std::frexp((static_cast<double>(high) - static_cast<double>(origin)) / static_cast<double>(kMostSteps), &exponent);
    double step = std::max(std::ldexp(1.0, exponent - 1), static_cast<double>(FLT_MIN));
    while (decode(origin, static_cast<float>(step), static_cast<std::uint32_t>(kMostSteps)) < high) step *= 2;
    return static_cast<float>(step);
}

void code_axis(const ItemBox* items, std::uint32_t count, int a, SurfaceNode& node, ItemBox& whole) {
    whole.low[a] = items[0].low[a];
    whole.high[a] = items[0].high[a];
    for (std::uint32_t i = 1; i < count; ++i) {
        whole.low[a] = std::min(whole.low[a], items[i].low[a]);
        whole.high[a] = std::max(whole.high[a], items[i].high[a]);
    }
    const float origin = whole.low[a];
    const float step = step_for(origin, whole.high[a]);
    node.origin[a] = origin;
    node.step[a] = step;
    for (std::uint32_t i = 0; i < SurfaceNode::kLanes; ++i) {
        node.low[a][i] = 255;
        node.high[a][i] = 0;
        if (i >= count) continue;
        std::uint32_t low = 0;
        std::uint32_t high = 0;
        if (step > 0) {
            const double base = origin;
            low = static_cast<std::uint32_t>((items[i].low[a] - base) / step);
            high = static_cast<std::uint32_t>(std::min(255.0, std::ceil((items[i].high[a] - base) / step)));
        }
        while (low > 0 && decode(origin, step, low) > items[i].low[a]) --low;
        while (decode(origin, step, high) < items[i].high[a]) ++high;
        assert(high <= 255);
        node.low[a][i] = static_cast<std::uint8_t>(low);
        node.high[a][i] = static_cast<std::uint8_t>(high);
    }
}

// The nodes over boxes in order, and the boxes of these nodes.
std::vector<ItemBox> add_level(const std::vector<ItemBox>& below, std::vector<SurfaceNode>& nodes) {
    std::vector<ItemBox> boxes;
    boxes.reserve(below.size() / SurfaceNode::kLanes + 1);
    for (std::size_t i = 0; i < below.size(); i += SurfaceNode::kLanes) {
        const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(SurfaceNode::kLanes, below.size() - i));
        SurfaceNode node;
        ItemBox whole;
        for (int a = 0; a < 3; ++a) code_axis(below.data() + i, count, a, node, whole);
        nodes.push_back(node);
        boxes.push_back(whole);
    }
    return boxes;
}

}  // namespace

ItemBox box_of(const Vec3f& a, const Vec3f& b, const Vec3f& c) {
    return {{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
            {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})}};
}

bool meets(const ItemBox& item, const SurfaceBox& box) {
    return static_cast<double>(item.low[0]) <= box.high.x && static_cast<double>(item.high[0]) >= box.low.x &&
           static_cast<double>(item.low[1]) <= box.high.y && static_cast<double>(item.high[1]) >= box.low.y &&
           static_cast<double>(item.low[2]) <= box.high.z && static_cast<double>(item.high[2]) >= box.low.z;
}

float float_below(double x) {
    const auto f = static_cast<float>(std::max(x, -static_cast<double>(FLT_MAX)));
    return static_cast<double>(f) > x ? std::nextafter(f, -HUGE_VALF) : f;
}

float float_above(double x) { return -float_below(-x); }

ItemBox child_box(const SurfaceNode& node, std::uint32_t lane) {
    ItemBox box;
    for (int a = 0; a < 3; ++a) {
        box.low[a] = decode(node.origin[a], node.step[a], node.low[a][lane]);
        box.high[a] = decode(node.origin[a], node.step[a], node.high[a][lane]);
    }
    return box;
}

std::uint32_t lanes_near(const SurfaceNode& node, const float low[3], const float high[3]) {
    std::uint32_t far[SurfaceNode::kLanes] = {};
    for (int a = 0; a < 3; ++a) {
        for (std::uint32_t i = 0; i < SurfaceNode::kLanes; ++i) {
            const bool meet = decode(node.origin[a], node.step[a], node.low[a][i]) <= high[a] &&
                              decode(node.origin[a], node.step[a], node.high[a][i]) >= low[a];
            far[i] |= meet ? 0U : 1U;
        }
    }
    std::uint32_t near = 0;
    for (std::uint32_t i = 0; i < SurfaceNode::kLanes; ++i) near |= (far[i] ^ 1U) << i;
    return near;
}

SurfaceTree TriangleTree::view() const {
    SurfaceTree tree;
    tree.order = order.data();
    tree.items = static_cast<std::uint32_t>(order.size());
    std::size_t below = order.size();
    std::size_t at = 0;
    while (at < nodes.size()) {
        const std::size_t count = (below + SurfaceNode::kLanes - 1) / SurfaceNode::kLanes;
        assert(tree.levels < SurfaceTree::kMostLevels);
        tree.level[tree.levels] = nodes.data() + at;
        tree.nodes[tree.levels++] = static_cast<std::uint32_t>(count);
        at += count;
        below = count;
    }
    return tree;
}

std::size_t TriangleTree::bytes() const {
    return order.capacity() * sizeof(std::uint32_t) + nodes.capacity() * sizeof(SurfaceNode);
}

TriangleTree build_tree(std::span<const ItemBox> items) {
    TriangleTree tree;
    if (items.empty()) return tree;
    std::vector<ItemBox> boxes;
    boxes.reserve(items.size());
    tree.order.reserve(items.size());
    for (const Key& k : ordered(items)) {
        tree.order.push_back(k.item);
        boxes.push_back(items[k.item]);
    }
    tree.nodes.reserve(items.size() / 7 + SurfaceTree::kMostLevels);
    do {
        boxes = add_level(boxes, tree.nodes);
    } while (boxes.size() > 1);
    tree.nodes.shrink_to_fit();
    return tree;
}

}  // namespace lanefold::detail
