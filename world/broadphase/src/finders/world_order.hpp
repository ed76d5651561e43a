// SPDX-License-Identifier: MIT
//
// Puts a finder's pairs in the order of their worlds: those of world 0 first, in each world ascending.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/broadphase.hpp>

namespace lanefold::detail {

class WorldOrder {
public:
    // The pairs of active worlds in that order, valid until the next call or as long as `pairs`, which ascend. Pairs
    // have a body that is not shared.
    std::span<const Pair> order(std::span<const Pair> pairs, const PairFinderOptions& o);

    // The begin of each world's pairs, and the end of the last.
    std::span<const std::uint64_t> offsets() const { return offsets_; }

private:
    bool take_offsets(std::span<const Pair> pairs, const PairFinderOptions& o);
    void sort(std::span<const Pair> pairs, const PairFinderOptions& o);

    std::vector<std::uint64_t> offsets_;
    std::vector<Pair> sorted_;
    std::vector<std::size_t> start_;  // scratch
};

}  // namespace lanefold::detail
