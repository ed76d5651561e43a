// SPDX-License-Identifier: MIT
//
// Support queries of the float64 path: one pass that keeps every dot product and the largest, then the first
// vertex that has it.

#include <limits>

#include "precise_types.hpp"

namespace lanefold::detail {

Support furthest(const Solid& solid, const Vec3d& direction) {
    const Lanes dx = all_lanes(direction.x);
    const Lanes dy = all_lanes(direction.y);
    const Lanes dz = all_lanes(direction.z);
    Lanes top0 = all_lanes(-std::numeric_limits<double>::infinity());
    Lanes top1 = top0;
    for (std::size_t i = 0; i < solid.vertex_stride; i += 8) {
        const Lanes v0 = (load_lanes(solid.x + i) * dx + load_lanes(solid.y + i) * dy) + load_lanes(solid.z + i) * dz;
        const Lanes v1 =
            (load_lanes(solid.x + i + 4) * dx + load_lanes(solid.y + i + 4) * dy) + load_lanes(solid.z + i + 4) * dz;
        store_lanes(solid.dots + i, v0);
        store_lanes(solid.dots + i + 4, v1);
        top0 = larger(v0, top0);
        top1 = larger(v1, top1);
    }
    const double top = largest(larger(top0, top1));
    std::uint32_t index = 0;
    while (index + 1 < solid.vertices && !(solid.dots[index] == top)) ++index;
    return {top, index};
}

AxisSeparation separation_along(const Problem& p, const Vec3d& axis) {
    const Support a = furthest(p.a, axis);
    const Support b = furthest(p.b, -transpose_times(p.from_b.rotation, axis));
    return {(dot(axis, p.from_b.position) - b.value) - a.value, a.index, b.index};
}

}  // namespace lanefold::detail
