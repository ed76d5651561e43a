// SPDX-License-Identifier: MIT
//
// Takes the filters of a frame.
#include "tree/body_filters.hpp"

#include <algorithm>
#include <span>

namespace lanefold::detail {

namespace {

std::uint8_t is_immovable(float inverse_mass) { return inverse_mass == 0.0F ? 1 : 0; }

template <class T>
bool keep_list(std::span<const T> from, std::vector<T>& to) {
    if (std::equal(from.begin(), from.end(), to.begin(), to.end())) return true;
    to.assign(from.begin(), from.end());
    return false;
}

// Without an early exit, so that the compiler vectorises it.
bool same_masses(std::span<const float> inverse_mass, std::span<const std::uint8_t> immovable) {
    if (inverse_mass.size() != immovable.size()) return false;
    std::uint8_t differ = 0;
    for (std::size_t i = 0; i < immovable.size(); ++i)
        differ = static_cast<std::uint8_t>(differ | (is_immovable(inverse_mass[i]) ^ immovable[i]));
    return differ == 0;
}

}  // namespace

bool BodyFilters::keep(const PairFinderOptions& o) {
    bool same = keep_list(o.group, group_);
    same = keep_list(o.category, category_) && same;
    same = keep_list(o.collides_with, collides_with_) && same;
    same = keep_list(o.world, world_) && same;
    if (same_masses(o.inverse_mass, immovable_)) return same;
    immovable_.resize(o.inverse_mass.size());
    std::transform(o.inverse_mass.begin(), o.inverse_mass.end(), immovable_.begin(), is_immovable);
    return false;
}

}  // namespace lanefold::detail
