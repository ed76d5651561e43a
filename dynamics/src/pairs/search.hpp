// SPDX-License-Identifier: MIT
//
// Candidate pairs of boxes along the axes: sweep and prune over one axis (D. Baraff, 1992), with boxes that are fatter than
// needed, so that a list stays good while bodies move little.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/body.hpp>

namespace lanefold::detail {

struct SearchBox {
    float low[3];
    float high[3];
};

// Of each body.
struct SearchFilter {
    std::uint32_t groups;
    std::uint32_t touches;
    std::uint32_t movable;  // 0: of a pair of two such bodies nobody wants to know
    std::uint32_t limb_of;
};

// Whether anybody wants to know of the pair.
inline bool wanted(const SearchFilter& a, const SearchFilter& b) {
    return (a.movable | b.movable) != 0 && (a.groups & b.touches) != 0 && (b.groups & a.touches) != 0 &&
           (a.limb_of == 0 || a.limb_of != b.limb_of);
}

class PairSearch {
public:
    // Pairs (a < b, ascending) whose boxes overlap, and perhaps some whose boxes are within 2 * fat of each other. Valid
    // until the next call. The answer depends on the history of calls, but always holds every pair that overlaps.
    std::span<const Pair> find(std::span<const SearchBox> boxes, std::span<const SearchFilter> filters, float fat);

    // Forgets the list: bodies or filters changed.
    void forget() { fat_.clear(); }

private:
    bool still_inside(std::span<const SearchBox> boxes) const;
    void sweep(std::span<const SearchFilter> filters);

    std::vector<SearchBox> fat_;  // those the list was made for
    std::vector<std::uint32_t> order_;
    std::vector<SearchBox> sorted_;
    std::vector<Pair> pairs_;
    std::vector<Pair> scratch_;
    std::vector<std::uint32_t> begin_;
};

}  // namespace lanefold::detail
