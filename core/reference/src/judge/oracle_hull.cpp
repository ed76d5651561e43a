// SPDX-License-Identifier: MIT
//
// The oracle's hull of an id of a set.
#include <lanefold/half_space.hpp>
#include <lanefold/judge.hpp>

namespace lanefold::reference {

OracleHull make_oracle_hull(const HullSet& hulls, std::size_t id) {
    if (const std::optional<HalfSpace> plane = half_space(hulls, id))
        return make_oracle_half_space(plane->normal, plane->offset);
    if (hulls[id].shape != ShapeKind::hull) return {};  // a block of another kind has no vertices where a hull has them
    return make_oracle_hull(hulls.vertices(id), hulls[id].round_radius);
}

}  // namespace lanefold::reference
