// SPDX-License-Identifier: MIT
//
// Random numbers for generated scenes. A seed gives the same shapes on every machine; the distributions of the standard
// library do not promise that.
#pragma once

#include <cmath>
#include <cstdint>

#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::tools {

// A counter run through the 64-bit finaliser of SplitMix (Steele, Lea, Flood, 2014). Streams of different keys are
// independent, so the numbers of hull 17 or bin 3 do not depend on how many the others draw.
class Random {
public:
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0, std::uint64_t attempt = 0)
        : state_(mix(mix(mix(seed) + stream) + attempt)) {}

    std::uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15U;
        return mix(state_);
    }
    // In [0, 1).
    double unit() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }
    double range(double low, double high) { return low + (high - low) * unit(); }
    // In [0, n). For n well below 2^32 the bias of the modulo is negligible.
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(bits() % n); }
    std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }

    // Uniform on the unit sphere: a point of the ball, by rejection from the cube, pushed outward.
    Vec3d direction() {
        for (;;) {
            const double x = range(-1, 1);
            const double y = range(-1, 1);
            const double z = range(-1, 1);
            const Vec3d v{x, y, z};
            const double l = length_squared(v);
            if (l > 0.01 && l <= 1.0) return v * (1.0 / std::sqrt(l));
        }
    }

    // A vector of any direction, with a length in [low, high). The length is drawn first: in a product of two calls the
    // compiler would choose.
    Vec3d arrow(double low, double high) {
        const double l = range(low, high);
        return direction() * l;
    }

    // Uniform over all rotations: a direction in four dimensions.
    Quat rotation() {
        for (;;) {
            const double x = range(-1, 1);
            const double y = range(-1, 1);
            const double z = range(-1, 1);
            const double w = range(-1, 1);
            const double l = ((x * x + y * y) + z * z) + w * w;
            if (l <= 0.01 || l > 1.0) continue;
            const double s = 1.0 / std::sqrt(l);
            return {x * s, y * s, z * s, w * s};
        }
    }

private:
    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31U);
    }

    std::uint64_t state_;
};

}  // namespace lanefold::tools
