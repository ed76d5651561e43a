// SPDX-License-Identifier: MIT
//
// Which of the fat pairs overlap in a frame. Each body has the travel of its box: by how much any of its sides moved,
// added up from frame to frame and rounded up. A pair that was compared keeps the sum of both travels up to which the
// answer holds, rounded down: as long as the sum is below, the boxes need not be compared again. So boxes that hardly
// move cost hardly anything, and the list is always that of comparing all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>

#include "finders/finder_table.hpp"

namespace lanefold::detail {

class PairFilter {
public:
    // Bodies beyond those that were there have not travelled yet.
    void set_bodies(std::size_t bodies) { travel_.resize(bodies); }
    // Any side of body i's box moved by at most `most`. Calls for different bodies may run at once.
    void move(std::size_t i, double most);

    // By how much the sides of body i's box have moved, added up since the latest restart(), rounded up.
    double travel(std::size_t i) const { return travel_[i]; }

    // The body is inside of its fat box: it has travelled less than its clearance of the latest set_clearance().
    bool is_inside(std::size_t i) const { return travel_[i] < inside_until_[i]; }
    void set_clearance(std::size_t i, double clearance);

    // All travels begin at 0, and all pairs of a list of so many are new.
    void restart(std::size_t bodies);
    void forget(std::size_t pairs) {
        holds_until_.assign(pairs, 0);
        same_pairs_ = false;
    }

    // Takes the pairs of leaving bodies out of `pairs` and merges `fresh` into them, both ascending.
    void merge(std::vector<Pair>& pairs, std::span<const Pair> fresh, std::span<const std::uint8_t> leaves,
               std::uint32_t threads);

    // Finds the pairs (the list of forget() and merge()) whose answer may have changed, by the kernels of `table`.
    // needed[i] becomes 1 for every body of them.
    void open(const FinderTable& table, std::span<const Pair> pairs, std::uint32_t threads,
              std::span<std::uint8_t> needed);

    // Compares those. Puts the pairs that overlap into `out`, in order: the list of the latest call, or an empty one.
    // `boxes`: right for every body that is needed.
    void list(const FinderTable& table, std::span<const Pair> pairs, std::span<const Sides> boxes,
              std::uint32_t threads, std::vector<Pair>& out);

private:
    std::size_t merge_block(std::span<const Pair> pairs, std::size_t first, std::span<const Pair> fresh,
                            std::span<const std::uint8_t> leaves, std::size_t to);
    PairJob job(std::span<const Pair> pairs, const Sides* boxes) {
        return {pairs.data(), travel_.data(), boxes, holds_until_.data()};
    }

    std::vector<double> travel_;        // of each body
    std::vector<double> inside_until_;  // travel up to which a body is inside of its fat box
    // Sum of travels up to which the answer of a pair holds; negative, -0 included: they overlap. +0: unknown.
    std::vector<float> holds_until_;
    std::vector<std::size_t> start_;  // of the overlapping pairs of each block in the latest list, and its end
    bool same_pairs_ = false;         // the list of pairs is that of the latest call of list()

    // Scratch.
    std::vector<Pair> merged_;
    std::vector<float> merged_until_;
    std::vector<std::size_t> fresh_start_;   // per block: the first new pair that belongs there, and the end of all
    std::vector<std::size_t> merged_start_;  // per block: where its merged pairs go, and the end of all
    std::vector<std::uint32_t> open_;        // per block, from its first pair's place on: pairs to compare
    std::vector<std::uint32_t> open_count_;  // per block
    std::vector<std::uint8_t> same_block_;   // per block: its answers are those of the latest list
    std::vector<std::size_t> last_start_;    // start_ of the list before
    std::vector<Pair> last_list_;            // that list
};

}  // namespace lanefold::detail
