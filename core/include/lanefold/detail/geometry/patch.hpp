// SPDX-License-Identifier: MIT
//
// Keeps points of a patch manifold so that the choice is steady while bodies move a little. A choice that starts at the
// deepest point turns with it when a level patch trembles, and a choice that starts at any corner of a ragged rim jumps
// with that corner. So four points are those in four fixed directions, unless a choice by spread covers much more area.
// The deepest point is added if the choice misses it.
//
// The sets are those of spread.hpp. That of the patch has besides:
//
//   plan(c), plan_of(spot)    places in the contact plane relative to the middle of the points' extent
//   half                      half of the larger extent
//   none()                    the same points, none of them taken
//   take_same(winner)         of the other set: takes the winner of a scan of this one
//   spots_of(other, out)      the places of the four points that another set of the same points has taken, ascending
//   lowest(), nearest(x)      of the points that are taken: the least separation, and the point nearest to a place
//   replace(m, other)         in the lanes m, takes what another set has taken
//   swap(m, out, in)          in the lanes m, takes one point in place of another
#pragma once

#include <lanefold/detail/contact_constants.hpp>
#include <lanefold/detail/geometry/spread.hpp>

namespace lanefold::detail::geometry {

// The middle of the points' extent and half of the larger extent.
template <class Number>
struct PatchExtent {
    Planar<Number> middle;
    Number half;
};

// `at`: the places of the candidates of a step. least() and most() of a set: of all lanes that are of one manifold.
template <class Set, class At>
LANEFOLD_INLINE PatchExtent<typename Set::Number> extent_of(const Set& set, const At& at) {
    using Number = typename Set::Number;
    const Number half = number<Number>(0.5);
    Planar<Number> high = {negate(highest<Number>()), negate(highest<Number>())};
    Planar<Number> low = {highest<Number>(), highest<Number>()};
    for (int c = 0; c < set.size(); c += Set::kStep) {
        const Planar<Number> x = at(c);
        const auto m = set.exists(c);
        low = select(m, Planar<Number>{min(x.u, low.u), min(x.v, low.v)}, low);
        high = select(m, Planar<Number>{max(x.u, high.u), max(x.v, high.v)}, high);
    }
    low = {Set::least(low.u), Set::least(low.v)};
    high = {Set::most(high.u), Set::most(high.v)};
    return {{(low.u + high.u) * half, (low.v + high.v) * half}, max(high.u - low.u, high.v - low.v) * half};
}

// The coordinates of a place in axes that are turned by a fixed angle.
template <class Number>
LANEFOLD_INLINE Planar<Number> turned(const Planar<Number>& x) {
    const Number c = number<Number>(kPatchTurnCos);
    const Number s = number<Number>(kPatchTurnSin);
    return {x.u * c + x.v * s, x.v * c - x.u * s};
}

// The open point furthest in the direction (du, dv); aside of it a point reaches less far.
template <class Set>
LANEFOLD_INLINE WinnerOf<Set> furthest_of(const Set& set, double du, double dv) {
    using Number = typename Set::Number;
    const Number c = number<Number>(du);
    const Number s = number<Number>(dv);
    return best_of(set, negate(highest<Number>()), [&](int i) LANEFOLD_INLINE_LAMBDA {
        const Planar<Number> x = set.plan(i);
        return (x.u * c + x.v * s) - abs(x.v * c - x.u * s) * number<Number>(kPatchAside);
    });
}

// Twice the area of the quadrilateral of four points: the largest over the three ways to pair them as diagonals.
template <class Set>
LANEFOLD_INLINE typename Set::Number quad_area(const Set& set, const typename Set::Spot* p) {
    const auto across = [&](int a, int b, int c, int d)
                            LANEFOLD_INLINE_LAMBDA { return abs(set.wedge(p[b] - p[a], p[d] - p[c])); };
    return max(max(across(0, 2, 1, 3), across(0, 1, 2, 3)), across(0, 3, 1, 2));
}

// For the `missed` lanes. If the deepest point is in the middle, as on a round hull, it is kept with the three corners
// of a fixed triangle. Otherwise it replaces the nearest kept point.
template <class Set, class Mask>
LANEFOLD_INLINE void keep_deepest(Set& kept, const WinnerOf<Set>& deepest, Mask missed) {
    using Number = typename Set::Number;
    Set round = kept.none();
    const typename Set::Spot x = round.take(deepest);
    Mask middle = without<Mask>(missed, missed);
    if (kept.capacity() == 4) {
        const Number from_middle = InPlane<Number>::square(kept.plan_of(x));
        middle = missed & (from_middle < (kept.half * kept.half) * number<Number>(kPatchMiddle2));
        round.take(furthest_of(round, 1, 0));
        round.take(furthest_of(round, -0.5, kPatchTriangleSin));
        round.take(furthest_of(round, -0.5, -kPatchTriangleSin));
    }
    kept.swap(without<Mask>(missed, middle), kept.nearest(x), deepest);
    kept.replace(middle, round);
}

// Keeps points of the `crowded` lanes; `by_spread`: the same points as a set for take_by_spread(). None of both is
// taken. `slack`: length by which the deepest kept point may be shallower than the deepest point.
template <class Set, class SpreadSet, class Mask>
LANEFOLD_INLINE void keep_patch(Set& kept, SpreadSet& by_spread, Mask crowded, typename Set::Number slack) {
    using Number = typename Set::Number;
    const WinnerOf<Set> deepest = deepest_of(kept);
    const WinnerOf<Set> first = furthest_of(kept, 1, 0);
    take_by_spread(by_spread, by_spread.take_same(first));
    Mask wider = crowded;
    if (kept.capacity() == 4) {
        // The choice by spread changes as a whole with its first point. Four fixed directions do not, but may miss the
        // corners of a long or slanting patch.
        typename Set::Spot fixed[4];
        fixed[0] = kept.take(first);
        fixed[1] = kept.take(furthest_of(kept, 0, 1));
        fixed[2] = kept.take(furthest_of(kept, -1, 0));
        fixed[3] = kept.take(furthest_of(kept, 0, -1));
        typename Set::Spot wide[4];
        kept.spots_of(by_spread, wide);
        wider = wider & (quad_area(kept, wide) > quad_area(kept, fixed) * number<Number>(kPatchMoreArea));
    }
    kept.replace(wider, by_spread);
    const Mask missed = crowded & (kept.lowest() > negate(deepest.value) + slack);
    if (any(missed)) keep_deepest(kept, deepest, missed);
}

}  // namespace lanefold::detail::geometry
