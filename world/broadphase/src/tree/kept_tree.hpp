// SPDX-License-Identifier: MIT
//
// The tree of fat boxes that a finder keeps from call to call. A fat box is larger than the box of its body, so the
// body may move inside of it. The tree is searched for all bodies, or only for those that left their fat boxes. It is
// rebuilt where many have left, and after as many single searches as there are bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <lanefold/broadphase.hpp>

#include "boxes/sides.hpp"
#include "boxes/tasks.hpp"
#include "boxes/world_boxes.hpp"
#include "tree/body_filters.hpp"
#include "tree/box_tree.hpp"
#include "tree/float_frame.hpp"
#include "tree/found_pairs.hpp"

namespace lanefold::detail {

class KeptTree {
public:
    // Takes the filters of a call. Returns true if the tree was kept for as many bodies and the same filters: then only
    // bodies that left their fat boxes need a search.
    bool begin(const PairFinderOptions& o, std::size_t bodies);

    // The filters of the latest call.
    const BodyFilters& filters() const { return filters_; }

    // The tree and the frame of its boxes, valid until the next search.
    const BoxTree& tree() const { return tree_; }
    const FloatFrame& frame() const { return frame_; }

    // The next begin() returns false.
    void discard() { kept_ = false; }
    bool is_kept() const { return kept_; }

    // Begins a list of the bodies that left their fat boxes, out of so many. One task calls set_left() for all bodies
    // of a block (kBodiesPerBlock), in their order. gather_left() then returns true if search_left() serves: they are
    // few, the tree has them all, and it is not due to be rebuilt.
    void begin_left(std::size_t bodies);
    void set_left(std::size_t i, bool left) {
        has_left_[i] = left ? 1 : 0;
        if (!left) return;
        const std::size_t block = i / kBodiesPerBlock;
        left_lists_[block * kBodiesPerBlock + left_count_[block]++] = static_cast<std::uint32_t>(i);
    }
    bool gather_left();
    std::span<const std::uint32_t> left() const { return left_; }         // ascending
    std::span<const std::uint8_t> has_left() const { return has_left_; }  // per body

    // The world of each body of the latest call, or none.
    std::span<const std::int32_t> worlds() const { return filters_.worlds(); }

    // Whether the fat box of body i contains this box.
    bool contains(std::size_t i, const WorldBox& box) const { return is_within(frame_.box(box), fat_[i]); }

    // Builds the tree of fat_box(i) of all bodies, and puts the pairs of fat boxes that overlap and pass the filters
    // into `pairs`, ascending. fat_box() may be called for different bodies at once. False if there are more pairs than
    // `limit`; then the tree is not kept.
    template <class FatBox>
    bool search_all(const TreeKernels& kernels, std::span<const Sides> boxes, const FatBox& fat_box,
                    std::uint32_t threads, std::vector<Pair>& pairs,
                    std::size_t limit = std::numeric_limits<std::size_t>::max()) {
        kept_ = false;
        frame_ = FloatFrame(boxes, threads, sample_);
        fat_.resize(boxes.size());
        for_blocks(boxes.size(), kFatBoxesPerTask, threads, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) fat_[i] = frame_.box(fat_box(i));
        });
        return search_built(kernels, threads, pairs, limit);
    }

    // Gives the bodies of left() new fat boxes. Returns their pairs, ascending, until the next search: these replace
    // all pairs of these bodies.
    template <class FatBox>
    std::span<const Pair> search_left(const TreeKernels& kernels, const FatBox& fat_box, std::uint32_t threads) {
        kept_ = false;
        for_blocks(left_.size(), kReplacedPerTask, threads, [&](std::size_t first, std::size_t last) {
            for (std::size_t k = first; k < last; ++k) {
                const std::uint32_t i = left_[k];
                fat_[i] = frame_.box(fat_box(i));
                tree_.replace(i, fat_[i]);
            }
        });
        return search_replaced(kernels, threads);
    }

private:
    // Bodies per task: so many that the shared counter is seldom written, so few that tasks finish together.
    static constexpr std::size_t kFatBoxesPerTask = 512;
    static constexpr std::size_t kReplacedPerTask = 32;

    static bool is_within(const FloatBox& inner, const FloatBox& outer) {
        bool in = true;
        for (int k = 0; k < 3; ++k) in = in && inner.lower[k] >= outer.lower[k] && inner.upper[k] <= outer.upper[k];
        return in;
    }
    bool search_built(const TreeKernels& kernels, std::uint32_t threads, std::vector<Pair>& pairs, std::size_t limit);
    std::span<const Pair> search_replaced(const TreeKernels& kernels, std::uint32_t threads);

    bool kept_ = false;  // the tree is that of the latest call
    BodyFilters filters_;
    std::uint32_t worlds_ = 0;  // of the latest call
    FloatFrame frame_;
    std::vector<FloatBox> fat_;  // per body
    BoxTree tree_;
    std::size_t searched_since_ = 0;  // bodies that search_left() searched since the tree was built

    std::vector<std::uint32_t> left_;
    std::vector<std::uint8_t> has_left_;

    // Scratch.
    std::vector<std::uint32_t> left_lists_;  // per block, from its first body's place on
    std::vector<std::uint32_t> left_count_;  // per block
    FoundPairs found_;
    std::vector<Pair> fresh_;
    FloatFrame::Sample sample_;
};

}  // namespace lanefold::detail
