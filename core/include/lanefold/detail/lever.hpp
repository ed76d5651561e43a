// SPDX-License-Identifier: MIT
//
// How far a body's points are from its position. Internal.
#pragma once

#include <algorithm>
#include <cstddef>

#include <lanefold/detail/compound_block.hpp>

namespace lanefold::detail {

// No point of the shape is further from the origin of its coordinates, but for float32's rounding (1e-6); 0 for a
// half-space, which has no end.
inline double lever_of(const HullSet& hulls, std::size_t id) {
    const HullRecord& hull = hulls[id];
    if (is_half_space(hull)) return 0;
    if (is_compound(hull) || is_surface(hull)) {
        double lever = 0;
        for (const Vec3f& corner : outline_of(hulls, id)) lever = std::max(lever, length(to_double(corner)));
        return lever;
    }
    const Vec3d centre = {hull.centre[0], hull.centre[1], hull.centre[2]};
    return length(centre) + static_cast<double>(hull.radius) + static_cast<double>(hull.round_radius);
}

}  // namespace lanefold::detail
