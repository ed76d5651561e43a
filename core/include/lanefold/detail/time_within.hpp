// SPDX-License-Identifier: MIT
//
// The part of a motion during which a ball about what moves meets one about what stands: outside of it they keep both
// apart. Internal.
#pragma once

#include <algorithm>
#include <cmath>

#include <lanefold/vec.hpp>

namespace lanefold::detail {

// Square of a shift that moves nothing by as much as any slack, whatever the unit: the smallest hull that the builder
// takes is many times larger. Below it the fraction at which two bodies come nearest would leave float64.
inline constexpr double kStill = 1e-250;

struct Window {
    bool any = false;
    double first = 0;
    double last = 1;
    Vec3d nearest;  // between the centres where they come nearest
};

// `from`: between the centres at fraction 0; `shift`: by how much it changes up to fraction 1; `reach`: of both balls.
inline Window time_within(const Vec3d& from, const Vec3d& shift, double reach) {
    const double squared = length_squared(shift);
    const bool moves = squared > kStill;
    const double at = moves ? -(dot(from, shift) / squared) : 0.0;
    const double clamped = std::clamp(at, 0.0, 1.0);
    Window w;
    w.nearest = from + shift * clamped;
    if (length(w.nearest) > reach) return w;
    w.any = true;
    if (!moves) return w;
    const double half = std::sqrt(std::max(0.0, reach * reach - length_squared(from + shift * at)) / squared);
    w.first = std::max(0.0, at - half);
    w.last = std::min(1.0, at + half);
    if (w.first > w.last) w.first = w.last = clamped;
    return w;
}

}  // namespace lanefold::detail
