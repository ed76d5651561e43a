// SPDX-License-Identifier: MIT
//
// Which bodies may be candidates of each other, whatever their boxes: PairFinderOptions' masses, groups and categories.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/broadphase.hpp>

namespace lanefold::detail {

class BodyFilters {
public:
    // Takes the filters of a frame. Returns true if they are those of the frame before.
    bool keep(const PairFinderOptions& o);

    // Whether a and b may be candidates.
    bool pass(std::uint32_t a, std::uint32_t b) const {
        if (!immovable_.empty() && immovable_[a] != 0 && immovable_[b] != 0) return false;
        if (!group_.empty() && group_[a] != 0 && group_[a] == group_[b]) return false;
        return category_.empty() ||
               ((category_[a] & collides_with_[b]) != 0 && (category_[b] & collides_with_[a]) != 0);
    }

private:
    // One element per body, or none.
    std::vector<std::uint8_t> immovable_;
    std::vector<std::uint32_t> group_;
    std::vector<std::uint32_t> category_;
    std::vector<std::uint32_t> collides_with_;
};

}  // namespace lanefold::detail
