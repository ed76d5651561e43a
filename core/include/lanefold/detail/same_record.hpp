// SPDX-License-Identifier: MIT
//
// Which of a pair's several records is which of those before: the one of the same children and the nearest normal, if
// each is the other's nearest. So a body that rests on two faces keeps both contacts, whichever is deeper.
#pragma once

#include <cstddef>
#include <span>

namespace lanefold::detail {

// The nearest of these records to the given one by the angle of normals, among those of the same children; of equally
// near ones the first. all.size() if there is none.
template <class Manifold>
std::size_t nearest_record(std::span<const Manifold> all, const Manifold& m) {
    std::size_t best = all.size();
    float most = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Manifold& other = all[i];
        if (other.child_a != m.child_a || other.child_b != m.child_b) continue;
        const float c = (other.normal[0] * m.normal[0] + other.normal[1] * m.normal[1]) + other.normal[2] * m.normal[2];
        if (best != all.size() && !(c > most)) continue;
        best = i;
        most = c;
    }
    return best;
}

// The record among `before` that record i of `now` was, both of one pair; before.size() if there is none.
template <class Manifold>
std::size_t same_record(std::span<const Manifold> before, std::span<const Manifold> now, std::size_t i) {
    const std::size_t at = nearest_record(before, now[i]);
    return at != before.size() && nearest_record(now, before[at]) == i ? at : before.size();
}

}  // namespace lanefold::detail
