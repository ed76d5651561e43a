// SPDX-License-Identifier: MIT
//
// Keeps points of a manifold by spread: after a first one the point furthest from it, then the one furthest from the
// line through these two, then the one that adds the largest area outside the triangle. Beyond four it keeps the point
// furthest from all kept ones. Ties go to the lower index.
//
// The points are a set of candidates. A set says what its lanes are (manifolds, or points of one manifold):
//
//   Number, Index             a value and an index of a manifold
//   Spot, wedge(), square()   the place of a point, and how vectors between places are measured, as in InPlane
//   size(), kStep             the candidates, and how many of them one step of a scan takes
//   at(c), separation(c)      of the candidates of the step that begins at c
//   exists(c), open(c)        which of them exist, and which of these are not taken
//   take(winner)              takes the winner of a scan and returns its place
//   kFour                     whether four are kept; otherwise capacity(), count() and chosen(k) say how many, and the
//                             places of those that are
#pragma once

#include <lanefold/detail/geometry/number.hpp>

namespace lanefold::detail::geometry {

// The largest value of a scan in every lane, the first step that had it, and the place of that candidate if a step is
// one candidate.
template <class Number, class Index, class Spot>
struct Winner {
    Number value;
    Index step;
    Spot spot;
};

template <class Set>
using WinnerOf = Winner<typename Set::Number, typename Set::Index, typename Set::Spot>;

// The open candidate with the largest gain above `least`. `gain`: of the candidates of a step.
template <class Set, class Gain>
LANEFOLD_INLINE WinnerOf<Set> best_of(const Set& set, typename Set::Number least, const Gain& gain) {
    using Index = typename Set::Index;
    WinnerOf<Set> best = {least, Index(0), set.at(0)};
    for (int c = 0; c < set.size(); c += Set::kStep) {
        const typename Set::Number g = gain(c);
        const auto better = set.open(c) & (g > best.value);
        best.value = select(better, g, best.value);
        best.step = select(better, Index(c), best.step);
        if constexpr (Set::kStep == 1) best.spot = select(better, set.at(c), best.spot);
    }
    return best;
}

// The open candidate that is deepest. Its value is the depth.
template <class Set>
LANEFOLD_INLINE WinnerOf<Set> deepest_of(const Set& set) {
    return best_of(set, negate(highest<typename Set::Number>()),
                   [&](int c) LANEFOLD_INLINE_LAMBDA { return negate(set.separation(c)); });
}

// Takes points by spread. `a`: the place of the first one, which is taken.
template <class Set>
LANEFOLD_INLINE void take_by_spread(Set& set, const typename Set::Spot& a) {
    using Number = typename Set::Number;
    using Spot = typename Set::Spot;
    const Number least(-1.0F);
    const Number zero(0.0F);
    const auto from_a = [&](int i) LANEFOLD_INLINE_LAMBDA { return set.square(set.at(i) - a); };
    const Spot b = set.take(best_of(set, least, from_a));
    const auto from_ab = [&](int i) LANEFOLD_INLINE_LAMBDA { return abs(set.wedge(b - a, set.at(i) - a)); };
    const Spot c = set.take(best_of(set, least, from_ab));
    // Counter-clockwise triangle a, p, q.
    const auto flip = set.wedge(b - a, c - a) < zero;
    const Spot p = select(flip, c, b);
    const Spot q = select(flip, b, c);
    const auto outside = [&](int i) LANEFOLD_INLINE_LAMBDA {
        const Spot x = set.at(i);
        const Number of_ap = negate(set.wedge(p - a, x - a));
        const Number of_pq = negate(set.wedge(q - p, x - p));
        const Number of_qa = negate(set.wedge(a - q, x - q));
        return max(max(max(of_ap, of_pq), of_qa), zero);
    };
    set.take(best_of(set, least, outside));
    if constexpr (!Set::kFour) {
        const auto from_all = [&](int i) LANEFOLD_INLINE_LAMBDA {
            const Spot x = set.at(i);
            Number nearest = highest<Number>();
            for (std::uint32_t k = 0; k < set.count(); ++k) nearest = min(set.square(x - set.chosen(k)), nearest);
            return nearest;
        };
        while (set.count() < set.capacity()) set.take(best_of(set, least, from_all));
    }
}

}  // namespace lanefold::detail::geometry
