// SPDX-License-Identifier: MIT
//
// Sine and cosine with + - * / only, which every machine rounds alike; libm's differ.
#pragma once

#include <cstdint>

namespace lanefold::detail {

struct SineCosine {
    double sine, cosine;
};

// An angle of up to a few turns, to about 1e-15.
SineCosine sine_cosine(double angle);

// The angle of k steps of 1 / n turn. Steps that lie symmetrically have the same numbers but for their signs: the
// points of an n-gon are on the axes where they should be.
SineCosine sine_cosine_of_step(std::uint32_t k, std::uint32_t n);

}  // namespace lanefold::detail
