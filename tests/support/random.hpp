// SPDX-License-Identifier: MIT
//
// Random numbers of the tests. They have one 64-bit state and give the same sequence on every machine (distributions of
// the standard library do not). Draw one by one: the arguments of a call have an order that depends on the compiler. A
// new state is cheap, so that case number i of a sweep can be repeated alone.
#pragma once

#include <cmath>
#include <cstdint>

#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

#include "support/split_mix.hpp"

namespace lanefold::test {

class Random {
public:
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
        : bits_(seed * SplitMix::kStep ^ SplitMix::mix(stream)) {}

    std::uint64_t next() { return bits_.next(); }

    double uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

    // Uniform in the exponent: sizes, jitters, ratios. Both ends positive.
    double log_uniform(double low, double high) { return low * std::pow(high / low, uniform()); }

    std::uint32_t index(std::uint32_t count) { return static_cast<std::uint32_t>(next() % count); }
    std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + index(high - low + 1); }
    bool chance(double p) { return uniform() < p; }

    Vec3d in_ball() {
        for (;;) {
            const Vec3d v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            if (length_squared(v) <= 1.0) return v;
        }
    }

    Vec3d direction() {
        for (;;) {
            const Vec3d v = in_ball();
            if (length_squared(v) > 1e-4) return normalized(v);
        }
    }

    // A vector of any direction, with a length in [low, high). The length is drawn first: in a product of two calls the
    // compiler would choose.
    Vec3d arrow(double low, double high) {
        const double l = uniform(low, high);
        return direction() * l;
    }

    // Uniform over the rotations (a point of the 4-ball, projected).
    Quat rotation() {
        for (;;) {
            const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1), w = uniform(-1, 1);
            const double n = x * x + y * y + z * z + w * w;
            if (n > 1.0 || n < 1e-4) continue;
            const double l = std::sqrt(n);
            return {x / l, y / l, z / l, w / l};
        }
    }

private:
    SplitMix bits_;
};

// p then q: rotation(product) = rotation(p) * rotation(q).
constexpr Quat operator*(const Quat& p, const Quat& q) {
    return {p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
            p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z};
}

// Rotation by `angle` radians about a unit axis.
inline Quat about(const Vec3d& axis, double angle) {
    const double s = std::sin(angle * 0.5);
    return {axis.x * s, axis.y * s, axis.z * s, std::cos(angle * 0.5)};
}

}  // namespace lanefold::test
