// SPDX-License-Identifier: MIT
//
// Builds and updates the tree of box_tree.hpp.
#include "tree/box_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <lanefold/broadphase.hpp>

#include "boxes/tasks.hpp"
#include "tree/bucket_sort.hpp"
#include "tree/float_frame.hpp"

namespace lanefold::detail {

namespace {

// Nodes that a task takes at once. Fewer than kFewNodes take one thread less time than others to begin.
constexpr std::size_t kNodesPerTask = 16;
constexpr std::size_t kFewNodes = 128;

std::size_t nodes_per_task(std::size_t nodes) { return nodes < kFewNodes ? kFewNodes : kNodesPerTask; }

// Bodies per task where their keys are computed.
constexpr std::size_t kBodiesPerTask = 1024;

// The keys' highest bits that differ choose a bucket: so many that most buckets have few bodies.
constexpr int kMostBucketBits = 16;

// Cells of the Morton curve along each axis: 2^20. With the size class below the key fills 63 bits.
constexpr int kCellBits = 20;

// A body whose box is at least this many times the mean box is in a size class behind all smaller ones. Otherwise one
// plate as large as the scene would make every node above it that large. It affects time only.
constexpr double kLargeBox = 16;

std::uint64_t spread_bits(std::uint64_t x) {
    x = (x | x << 32) & 0x001F00000000FFFFULL;
    x = (x | x << 16) & 0x001F0000FF0000FFULL;
    x = (x | x << 8) & 0x100F00F00F00F00FULL;
    x = (x | x << 4) & 0x10C30C30C30C30C3ULL;
    x = (x | x << 2) & 0x1249249249249249ULL;
    return x;
}

double extent(const FloatBox& b) {
    double largest = 0;
    for (int i = 0; i < 3; ++i) {
        largest = std::max(largest, static_cast<double>(b.upper[i]) - static_cast<double>(b.lower[i]));
    }
    return largest;
}

std::uint64_t morton_key(const FloatBox& b, double span, double mean) {
    constexpr double kCells = 1 << kCellBits;
    std::uint64_t key = 0;
    for (int i = 0; i < 3; ++i) {
        const double middle = 0.5 * (static_cast<double>(b.lower[i]) + static_cast<double>(b.upper[i]));
        const double cell = (middle / (2.0 * span) + 0.5) * kCells;
        key |= spread_bits(static_cast<std::uint64_t>(std::clamp(cell, 0.0, kCells - 1))) << i;
    }
    const double ratio = extent(b) / mean;
    std::uint64_t size_class = 0;
    for (double limit = kLargeBox; size_class < 7 && ratio >= limit; limit *= kLargeBox) ++size_class;
    return key | size_class << (3 * kCellBits);
}

// The smallest box around all boxes of a node.
FloatBox around(const BoxNode& node) {
    FloatBox b;
    for (int i = 0; i < 3; ++i) {
        b.lower[i] = *std::min_element(node.lower[i], node.lower[i] + BoxNode::kBoxes);
        b.upper[i] = *std::max_element(node.upper[i], node.upper[i] + BoxNode::kBoxes);
    }
    return b;
}

}  // namespace

// The bodies that have a box, along the curve.
void BoxTree::sort_bodies(std::span<const FloatBox> boxes, double span, std::uint32_t threads) {
    parts_.assign((boxes.size() + kBodiesPerTask - 1) / kBodiesPerTask, Part{});
    unsorted_.resize(boxes.size());
    for_blocks(boxes.size(), kBodiesPerTask, threads, [&](std::size_t first, std::size_t last) {
        Part& part = parts_[first / kBodiesPerTask];
        for (std::size_t i = first; i < last; ++i) {
            if (boxes[i].lower[0] > boxes[i].upper[0]) continue;
            part.extents += extent(boxes[i]);
            const auto body = static_cast<std::uint32_t>(i);
            unsorted_[first + part.bodies++] = {0, body, world_of(body)};
        }
    });
    Part sum;
    for (const Part& part : parts_) {
        sum.extents += part.extents;
        sum.bodies += part.bodies;
    }
    const double mean = sum.bodies == 0 ? 1 : std::max(sum.extents / static_cast<double>(sum.bodies), 1e-30);
    for_blocks(boxes.size(), kBodiesPerTask, threads, [&](std::size_t first, std::size_t) {
        Part& part = parts_[first / kBodiesPerTask];
        part.all = ~std::uint64_t{0};
        for (std::size_t k = first; k < first + part.bodies; ++k) {
            unsorted_[k].key = morton_key(boxes[unsorted_[k].body], span, mean);
            part.any |= unsorted_[k].key;
            part.all &= unsorted_[k].key;
        }
    });
    sum.all = ~std::uint64_t{0};
    for (const Part& part : parts_) {
        sum.any |= part.any;
        sum.all &= part.all;
    }
    const int differ = static_cast<int>(std::bit_width(sum.any & ~sum.all));
    const int bits = std::clamp(static_cast<int>(std::bit_width(boxes.size())) + 2, 1, kMostBucketBits);
    // The world chooses among the buckets first; what bits it leaves are those of the curve.
    const auto world_bits = static_cast<int>(std::bit_width(worlds_));
    const int world_shift = std::max(0, world_bits - bits);
    const int curve_bits = std::max(0, bits - world_bits);
    const int shift = std::max(0, differ - curve_bits);
    const std::uint64_t mask = (std::uint64_t{1} << curve_bits) - 1;
    bucket_sort(
        parts_.size(),
        [&](std::size_t p) { return std::span<const Keyed>(&unsorted_[p * kBodiesPerTask], parts_[p].bodies); },
        std::size_t{1} << bits,
        [&](const Keyed& k) {
            return (std::size_t{k.world} >> world_shift) << curve_bits |
                   static_cast<std::size_t>(k.key >> shift & mask);
        },
        threads, start_, sorted_);
    const std::size_t slots = (sorted_.size() + BoxNode::kBoxes - 1) / BoxNode::kBoxes * BoxNode::kBoxes;
    body_.resize(slots);
    std::fill(body_.begin() + static_cast<std::ptrdiff_t>(sorted_.size()), body_.end(), kNoIndex);
    slot_.assign(boxes.size(), kNoIndex);
    for_blocks(sorted_.size(), kBodiesPerTask, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            body_[i] = sorted_[i].body;
            slot_[sorted_[i].body] = static_cast<std::uint32_t>(i);
        }
    });
}

// Finds where each world begins in the tree.
void BoxTree::place_worlds() {
    if (worlds_ == 0) return;
    world_slot_.assign(worlds_ + std::size_t{2}, static_cast<std::uint32_t>(sorted_.size()));
    std::size_t next = 0;
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
        while (next <= sorted_[i].world) world_slot_[next++] = static_cast<std::uint32_t>(i);
    }
}

std::uint32_t BoxTree::world_of(std::uint32_t body) const {
    if (world_.empty()) return 0;
    return world_[body] == kSharedBody ? worlds_ : static_cast<std::uint32_t>(world_[body]);
}

LeafRange BoxTree::leaves_of_slots(std::size_t first, std::size_t last) const {
    return {first / BoxNode::kBoxes, (last + BoxNode::kBoxes - 1) / BoxNode::kBoxes};
}

// The leaves from first_leaf on of these worlds and of the shared bodies, each once.
Reach BoxTree::reach_from(std::size_t first_leaf, std::size_t first_world, std::size_t last_world) const {
    Reach reach;
    reach.own = leaves_of_slots(world_slot_[first_world], world_slot_[last_world + 1]);
    reach.own.first = std::max(reach.own.first, first_leaf);
    reach.shared = leaves_of_slots(world_slot_[worlds_], world_slot_[worlds_ + std::size_t{1}]);
    reach.shared.first = std::max({reach.shared.first, reach.own.last, first_leaf});
    return reach;
}

Reach BoxTree::reach_behind(std::size_t leaf) const {
    if (worlds_ == 0) return {{leaf + 1, leaves()}, {}};
    const std::size_t first = leaf * BoxNode::kBoxes;
    const std::size_t last = std::min(first + BoxNode::kBoxes, sorted_.size()) - 1;
    return reach_from(leaf + 1, sorted_[first].world, sorted_[last].world);
}

Reach BoxTree::reach_of(std::uint32_t body) const {
    const std::uint32_t world = world_of(body);
    if (worlds_ == 0 || world == worlds_) return {{0, leaves()}, {}};
    return reach_from(0, world, world);
}

Reach BoxTree::reach_of_world(std::int32_t world) const {
    if (worlds_ == 0 || world == kSharedBody) return {{0, leaves()}, {}};
    const auto w = static_cast<std::size_t>(world);
    if (w < worlds_) return reach_from(0, w, w);
    return {{}, leaves_of_slots(world_slot_[worlds_], world_slot_[worlds_ + std::size_t{1}])};
}

void BoxTree::make_level(std::span<const FloatBox> boxes, std::size_t level, std::uint32_t threads) {
    const std::size_t nodes = level_[level].size() - 1;
    for_blocks(nodes, nodes_per_task(nodes), threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n) {
            if (level != 0) {
                fit(level, n);
                continue;
            }
            for (std::uint32_t l = 0; l < BoxNode::kBoxes; ++l) {
                const std::uint32_t body = body_[n * BoxNode::kBoxes + l];
                level_[0][n].set(l, body == kNoIndex ? kNoFloatBox : boxes[body]);
            }
        }
    });
}

void BoxTree::build(std::span<const FloatBox> boxes, std::span<const std::int32_t> world, std::uint32_t worlds,
                    double span, std::uint32_t threads) {
    world_ = world;
    worlds_ = worlds;
    sort_bodies(boxes, span, threads);
    place_worlds();
    levels_ = 0;
    std::size_t nodes = leaves();
    while (nodes != 0) {
        if (level_.size() == levels_) {
            level_.emplace_back();
            dirty_.emplace_back();
        }
        level_[levels_].resize(nodes + 1);
        dirty_[levels_].assign(nodes, 0);
        make_level(boxes, levels_, threads);
        ++levels_;
        if (nodes == 1) break;
        nodes = (nodes + BoxNode::kBoxes - 1) / BoxNode::kBoxes;
    }
    level_pointer_.clear();
    for (std::size_t k = 0; k < levels_; ++k) level_pointer_.push_back(level_[k].data());
}

// Sets the boxes of a node above the leaves, each around a node below it.
void BoxTree::fit(std::size_t level, std::size_t node) {
    const std::vector<BoxNode>& below = level_[level - 1];
    for (std::uint32_t l = 0; l < BoxNode::kBoxes; ++l) {
        const std::size_t child = node * BoxNode::kBoxes + l;
        level_[level][node].set(l, child + 1 < below.size() ? around(below[child]) : kNoFloatBox);
    }
}

void BoxTree::replace(std::uint32_t body, const FloatBox& box) {
    const std::size_t slot = slot_[body];
    const std::size_t leaf = slot / BoxNode::kBoxes;
    level_[0][leaf].set(slot % BoxNode::kBoxes, box);
    if (levels_ > 1) __atomic_store_n(&dirty_[1][leaf / BoxNode::kBoxes], std::uint8_t{1}, __ATOMIC_RELAXED);
}

void BoxTree::refit(std::uint32_t threads) {
    for (std::size_t level = 1; level < levels_; ++level) {
        std::uint8_t* const dirty = dirty_[level].data();
        std::uint8_t* const above = level + 1 < levels_ ? dirty_[level + 1].data() : nullptr;
        const std::size_t nodes = dirty_[level].size();
        for_blocks(nodes, nodes_per_task(nodes), threads, [&](std::size_t first, std::size_t last) {
            for (std::size_t n = first; n < last; ++n) {
                if (dirty[n] == 0) continue;
                dirty[n] = 0;
                fit(level, n);
                // Other tasks fit nodes below the same one.
                if (above != nullptr) __atomic_store_n(&above[n / BoxNode::kBoxes], std::uint8_t{1}, __ATOMIC_RELAXED);
            }
        });
    }
}

}  // namespace lanefold::detail
