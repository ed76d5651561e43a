// SPDX-License-Identifier: MIT
//
// See the header.
#include "hull/circle.hpp"

#include <utility>

namespace lanefold::detail {

SineCosine sine_cosine_of_step(std::uint32_t k, std::uint32_t n) {
    constexpr double kEighth = 0.7853981633974483;
    const std::uint64_t eighths = 8 * static_cast<std::uint64_t>(k % n);
    const std::uint64_t octant = eighths / n;
    std::uint64_t rest = eighths % n;
    if (octant % 2 == 1) rest = n - rest;
    SineCosine a = portable_sin_cos(kEighth * (static_cast<double>(rest) / static_cast<double>(n)));
    if (octant == 1 || octant == 2 || octant == 5 || octant == 6) std::swap(a.sine, a.cosine);
    if (octant >= 4) a.sine = -a.sine;
    if (octant >= 2 && octant < 6) a.cosine = -a.cosine;
    return a;
}

}  // namespace lanefold::detail
