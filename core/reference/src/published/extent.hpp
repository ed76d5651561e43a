// SPDX-License-Identifier: MIT
//
// The size of a polyhedron, to which tolerances are relative. Private to the reference.
#pragma once

#include <algorithm>

#include <lanefold/published.hpp>

namespace lanefold::published {

// Half the diagonal of the axis-aligned box.
inline double half_diagonal(const Polyhedron& h) {
    Vec3d low = h.positions[0];
    Vec3d high = low;
    for (const Vec3d& p : h.positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return 0.5 * length(high - low);
}

}  // namespace lanefold::published
