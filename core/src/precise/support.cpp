// SPDX-License-Identifier: MIT
//
// Support queries of the float64 path. One pass stores every dot product and finds the largest; the first vertex that
// has it is the support.

#include "precise/support.hpp"

#include <limits>

#include "precise/lanes.hpp"

namespace lanefold::detail {

Support furthest(const Solid& solid, const Vec3d& direction) {
    const Lanes dx = all_lanes(direction.x);
    const Lanes dy = all_lanes(direction.y);
    const Lanes dz = all_lanes(direction.z);
    const double* x = solid.x;
    const double* y = solid.y;
    const double* z = solid.z;
    double* dots = solid.dots;
    const std::size_t stride = solid.vertex_stride;
    const Lanes lowest = all_lanes(-std::numeric_limits<double>::infinity());
    Lanes top[4] = {lowest, lowest, lowest, lowest};
    for (std::size_t i = 0; i < stride; i += kPreciseLanes) {
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t at = i + 2 * k;
            const Lanes v = (load_lanes(x + at) * dx + load_lanes(y + at) * dy) + load_lanes(z + at) * dz;
            store_lanes(dots + at, v);
            top[k] = larger(v, top[k]);
        }
    }
    const double highest = largest(larger(larger(top[0], top[1]), larger(top[2], top[3])));
    return {highest, first_equal(dots, stride, solid.vertices, highest)};
}

AxisSeparation separation_along(const Problem& p, const Vec3d& axis) {
    const Support a = furthest(p.a, axis);
    const Support b = furthest(p.b, -transpose_times(p.from_b.rotation, axis));
    return {(dot(axis, p.from_b.position) - b.value) - a.value, a.index, b.index};
}

}  // namespace lanefold::detail
