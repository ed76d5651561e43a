// SPDX-License-Identifier: MIT
//
// See the header.
#include "hull/circle.hpp"

#include <utility>

namespace lanefold::detail {
namespace {

// Taylor's series up to pi / 4: the terms left out are below 1e-17.
SineCosine small_angle(double x) {
    const double q = x * x;
    double s = 1, c = 1;
    for (int k = 8; k >= 1; --k) {
        s = 1 - q / (2 * k * (2 * k + 1)) * s;
        c = 1 - q / (2 * k * (2 * k - 1)) * c;
    }
    return {x * s, c};
}

}  // namespace

SineCosine sine_cosine(double angle) {
    // Six doublings reach 8 turns.
    constexpr int kDoublings = 6;
    const double part = angle / (1 << kDoublings);
    SineCosine a = small_angle(part);
    // 1 - cosine is doubled instead of the cosine, which would lose digits.
    const double half = small_angle(0.5 * part).sine;
    double lack = 2 * half * half;
    for (int k = 0; k < kDoublings; ++k) {
        const double cosine = 1 - lack;
        lack = 2 * a.sine * a.sine;
        a.sine = 2 * a.sine * cosine;
    }
    return {a.sine, 1 - lack};
}

SineCosine sine_cosine_of_step(std::uint32_t k, std::uint32_t n) {
    constexpr double kEighth = 0.7853981633974483;
    const std::uint64_t eighths = 8 * static_cast<std::uint64_t>(k % n);
    const std::uint64_t octant = eighths / n;
    std::uint64_t rest = eighths % n;
    if (octant % 2 == 1) rest = n - rest;
    SineCosine a = small_angle(kEighth * (static_cast<double>(rest) / static_cast<double>(n)));
    if (octant == 1 || octant == 2 || octant == 5 || octant == 6) std::swap(a.sine, a.cosine);
    if (octant >= 4) a.sine = -a.sine;
    if (octant >= 2 && octant < 6) a.cosine = -a.cosine;
    return a;
}

}  // namespace lanefold::detail
