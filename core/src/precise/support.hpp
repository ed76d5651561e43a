// SPDX-License-Identifier: MIT
//
// Support queries: vertices furthest along a direction.
#pragma once

#include <cstdint>

#include "precise/problem.hpp"

namespace lanefold::detail {

// The vertex furthest along a direction (the lowest index on ties) and its dot product with it.
struct Support {
    double value = 0;
    std::uint32_t index = 0;
};

Support furthest(const Solid& solid, const Vec3d& direction);
// min over B - max over A along `axis` (local A), with full supports.
struct AxisSeparation {
    double value = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
};
AxisSeparation separation_along(const Problem& p, const Vec3d& axis);

}  // namespace lanefold::detail
