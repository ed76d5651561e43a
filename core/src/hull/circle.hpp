// SPDX-License-Identifier: MIT
//
// Points on circles, by sines and cosines that every machine rounds alike (angles.hpp).
#pragma once

#include <cmath>
#include <cstdint>

#include <lanefold/detail/angles.hpp>

namespace lanefold::detail {

// The angle may have either sign.
inline SineCosine sine_cosine(double angle) {
    SineCosine a = portable_sin_cos(std::fabs(angle));
    if (angle < 0) a.sine = -a.sine;
    return a;
}

// The angle of k steps of 1 / n turn. Steps that lie symmetrically have the same numbers but for their signs: the
// points of an n-gon are on the axes where they should be.
SineCosine sine_cosine_of_step(std::uint32_t k, std::uint32_t n);

}  // namespace lanefold::detail
