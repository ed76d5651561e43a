// SPDX-License-Identifier: MIT
//
// Builds and updates the tree of box_tree.hpp.
#include "box_tree.hpp"

#include <algorithm>
#include <cmath>

#include "float_frame.hpp"
#include "tasks.hpp"

namespace lanefold::detail {

namespace {

// Leaf nodes or nodes per task.
constexpr std::size_t kNodesPerBlock = 64;

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

// Sorts `body` by `key`, both of n elements; equal keys keep their order. Radix sort, least significant digit first.
void sort_by_key(std::vector<std::uint64_t>& key, std::vector<std::uint32_t>& body,
                 std::vector<std::uint64_t>& key_scratch, std::vector<std::uint32_t>& body_scratch) {
    constexpr unsigned kDigitBits = 11;
    constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
    const std::size_t n = key.size();
    key_scratch.resize(n);
    body_scratch.resize(n);
    for (unsigned shift = 0; shift < 64; shift += kDigitBits) {
        std::size_t start[kDigits] = {};
        for (const std::uint64_t k : key) ++start[(k >> shift) & (kDigits - 1)];
        // Skip a digit that is equal in all keys.
        if (n == 0 || start[(key[0] >> shift) & (kDigits - 1)] == n) continue;
        std::size_t sum = 0;
        for (std::size_t& s : start) {
            const std::size_t count = s;
            s = sum;
            sum += count;
        }
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t to = start[(key[i] >> shift) & (kDigits - 1)]++;
            key_scratch[to] = key[i];
            body_scratch[to] = body[i];
        }
        key.swap(key_scratch);
        body.swap(body_scratch);
    }
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

void BoxTree::build(std::span<const FloatBox> boxes, double span, std::uint32_t threads) {
    body_.clear();
    dirty_.clear();
    place_.assign(boxes.size(), kNowhere);
    double sum = 0;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i].lower[0] > boxes[i].upper[0]) continue;
        sum += extent(boxes[i]);
        body_.push_back(i);
    }
    const std::size_t count = body_.size();
    key_.resize(count);
    const double mean = count == 0 ? 1 : std::max(sum / static_cast<double>(count), 1e-30);
    for_blocks(count, kNodesPerBlock * BoxNode::kBoxes, threads, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t i = first; i < last; ++i) key_[i] = morton_key(boxes[body_[i]], span, mean);
    });
    sort_by_key(key_, body_, key_scratch_, body_scratch_);
    for (std::size_t i = 0; i < count; ++i) place_[body_[i]] = static_cast<std::uint32_t>(i);
    while (body_.size() % BoxNode::kBoxes != 0) body_.push_back(kNowhere);

    levels_ = 0;
    std::size_t nodes = leaves();
    while (nodes != 0) {
        if (level_.size() == levels_) level_.emplace_back();
        level_[levels_].resize(nodes + 1);
        const std::size_t level = levels_;
        for_blocks(nodes, kNodesPerBlock, threads, [&](std::size_t first, std::size_t last, unsigned) {
            for (std::size_t n = first; n < last; ++n) {
                if (level != 0) {
                    fit(level, n);
                    continue;
                }
                for (std::uint32_t l = 0; l < BoxNode::kBoxes; ++l) {
                    const std::uint32_t body = body_[n * BoxNode::kBoxes + l];
                    level_[0][n].set(l, body == kNowhere ? kNoFloatBox : boxes[body]);
                }
            }
        });
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
    const std::size_t place = place_[body];
    level_[0][place / BoxNode::kBoxes].set(place % BoxNode::kBoxes, box);
    dirty_.push_back(place / BoxNode::kBoxes);
}

void BoxTree::refit() {
    for (std::size_t level = 1; level < levels_; ++level) {
        for (std::size_t& node : dirty_) node /= BoxNode::kBoxes;
        std::sort(dirty_.begin(), dirty_.end());
        dirty_.erase(std::unique(dirty_.begin(), dirty_.end()), dirty_.end());
        for (const std::size_t node : dirty_) fit(level, node);
    }
    dirty_.clear();
}

}  // namespace lanefold::detail
