// SPDX-License-Identifier: MIT
//
// The points of one manifold as a set of spread.hpp and of patch.hpp, whose taken points are a list.
#pragma once

#include <lanefold/detail/geometry/spread.hpp>
#include <lanefold/manifold.hpp>

namespace lanefold::detail::geometry {

inline constexpr std::uint32_t kMaxKept = Manifold16::kCapacity;

// `Points` has all of a set but what is taken, and besides:
//
//   numbers(c)       the indices of the candidates of a step
//   index_of(v, s)   the index of the winner of a scan
//   spot(i)          the place of point i, in all lanes
//   depth(i)         its separation, in all lanes
template <class Points>
struct PointList : Points {
    using Number = typename Points::Number;
    using Index = typename Points::Index;
    using Spot = typename Points::Spot;
    static constexpr bool kFour = false;

    std::uint32_t most;
    std::uint32_t taken = 0;
    std::uint32_t order[kMaxKept];

    LANEFOLD_INLINE PointList(const Points& set, std::uint32_t capacity) : Points(set), most(capacity) {}

    LANEFOLD_INLINE std::uint32_t capacity() const { return most; }
    LANEFOLD_INLINE std::uint32_t count() const { return taken; }
    LANEFOLD_INLINE Spot chosen(std::uint32_t k) const { return this->spot(order[k]); }
    LANEFOLD_INLINE auto open(int c) const {
        auto m = this->exists(c);
        for (std::uint32_t k = 0; k < taken; ++k)
            m = without<decltype(m)>(m, this->numbers(c) == Index(static_cast<std::int32_t>(order[k])));
        return m;
    }
    // The place of the winner of one lane is not that of another, so it is looked up.
    LANEFOLD_INLINE Spot take(const Winner<Number, Index, Spot>& winner) {
        order[taken] = this->index_of(winner.value, winner.step);
        return chosen(taken++);
    }
    LANEFOLD_INLINE Spot take_same(const Winner<Number, Index, Spot>& winner) { return take(winner); }

    LANEFOLD_INLINE PointList none() const { return {*this, most}; }
    // Sorts by insertion.
    LANEFOLD_INLINE void sort() {
        for (std::uint32_t i = 1; i < taken; ++i) {
            const std::uint32_t x = order[i];
            std::uint32_t k = i;
            for (; k > 0 && order[k - 1] > x; --k) order[k] = order[k - 1];
            order[k] = x;
        }
    }
    // Copies the indices in ascending order and returns how many they are.
    LANEFOLD_INLINE std::uint32_t copy_sorted(std::uint32_t* kept) {
        sort();
        for (std::uint32_t k = 0; k < taken; ++k) kept[k] = order[k];
        return taken;
    }
    template <class Other>
    LANEFOLD_INLINE void spots_of(PointList<Other>& other, Spot* out) const {
        other.sort();
        for (std::uint32_t k = 0; k < 4; ++k) out[k] = this->spot(other.order[k]);
    }
    LANEFOLD_INLINE Number lowest() const {
        Number lowest = this->depth(order[0]);
        for (std::uint32_t k = 1; k < taken; ++k) lowest = min(this->depth(order[k]), lowest);
        return lowest;
    }
    // The place in the list.
    LANEFOLD_INLINE std::uint32_t nearest(const Spot& x) const {
        std::uint32_t best = 0;
        Number least = highest<Number>();
        for (std::uint32_t k = 0; k < taken; ++k) {
            const Number square = this->square(chosen(k) - x);
            if (!any(square < least)) continue;
            least = square;
            best = k;
        }
        return best;
    }
    template <class Mask, class Other>
    LANEFOLD_INLINE void replace(Mask m, PointList<Other>& other) {
        if (!any(m)) return;
        other.sort();
        taken = other.taken;
        for (std::uint32_t k = 0; k < taken; ++k) order[k] = other.order[k];
    }
    template <class Mask>
    LANEFOLD_INLINE void swap(Mask m, std::uint32_t out, const Winner<Number, Index, Spot>& in) {
        if (any(m)) order[out] = this->index_of(in.value, in.step);
    }
};

}  // namespace lanefold::detail::geometry
