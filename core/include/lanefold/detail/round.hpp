// SPDX-License-Identifier: MIT
//
// The sizes of rounded hulls: the rules that the float64 path and the batch calls share.
#pragma once

#include <lanefold/hull_set.hpp>
#include <lanefold/limits.hpp>

namespace lanefold::detail {

inline bool is_small(const HullRecord& r) { return (r.flags & HullRecord::kSmall) != 0; }

// The size of a rounded hull, to which the promised bounds are relative.
inline double rounded_size(const HullRecord& r) {
    return static_cast<double>(r.size) + static_cast<double>(r.round_radius);
}

// The unit of tolerances inside the engine, which works on cores: the core's size. A point or a segment counts with its
// radius: it may have no size of its own.
inline double unit_size(const HullRecord& r) { return is_small(r) ? rounded_size(r) : static_cast<double>(r.size); }

// Whether `large` is so much larger than `small` that results are relative to the smaller one.
inline bool is_far_larger(const HullRecord& large, const HullRecord& small) {
    constexpr auto kRatio = static_cast<double>(kPreciseSizeRatio);
    return unit_size(large) > kRatio * unit_size(small) || rounded_size(large) > kRatio * rounded_size(small);
}

}  // namespace lanefold::detail
