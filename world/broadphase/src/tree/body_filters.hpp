// SPDX-License-Identifier: MIT
//
// Which bodies may be candidates of each other, whatever their boxes: PairFinderOptions' masses, groups, categories and
// worlds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/broadphase.hpp>

namespace lanefold::detail {

class BodyFilters {
public:
    // Takes the filters of a frame. Returns true if they are those of the frame before.
    bool keep(const PairFinderOptions& o);

    // Whether a and b may be candidates.
    bool pass(std::uint32_t a, std::uint32_t b) const {
        if (!world_.empty() && !share_world(world_[a], world_[b])) return false;
        if (!immovable_.empty() && immovable_[a] != 0 && immovable_[b] != 0) return false;
        if (!group_.empty() && group_[a] != 0 && group_[a] == group_[b]) return false;
        return category_.empty() ||
               ((category_[a] & collides_with_[b]) != 0 && (category_[b] & collides_with_[a]) != 0);
    }

    // The filter of a query, which is no body.
    struct Query {
        std::uint32_t group = 0;
        std::uint32_t category = ~0U;
        std::uint32_t collides_with = ~0U;
        std::int32_t world = kSharedBody;  // or one of them
    };
    // Whether the query meets body b.
    bool pass(const Query& q, std::uint32_t b) const {
        if (!world_.empty() && q.world != kSharedBody && world_[b] != kSharedBody && world_[b] != q.world) return false;
        if (!group_.empty() && q.group != 0 && group_[b] == q.group) return false;
        return category_.empty() || ((q.category & collides_with_[b]) != 0 && (category_[b] & q.collides_with) != 0);
    }

    // The world of each body, or none.
    std::span<const std::int32_t> worlds() const { return world_; }

private:
    static bool share_world(std::int32_t a, std::int32_t b) {
        return a == b ? a != kSharedBody : a == kSharedBody || b == kSharedBody;
    }

    // One element per body, or none.
    std::vector<std::uint8_t> immovable_;
    std::vector<std::uint32_t> group_;
    std::vector<std::uint32_t> category_;
    std::vector<std::uint32_t> collides_with_;
    std::vector<std::int32_t> world_;
};

}  // namespace lanefold::detail
