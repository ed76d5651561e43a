// SPDX-License-Identifier: MIT
//
// The benchmark's own random numbers (splitmix64), so that a seed gives the same scene with every standard
// library.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::bench {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

    double uniform(double low, double high) {
        return low + (high - low) * (static_cast<double>(next() >> 11U) * 0x1.0p-53);
    }

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }

    // Uniform on the unit sphere.
    Vec3d direction() {
        for (;;) {
            const Vec3d v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            const double l = length_squared(v);
            if (l > 1e-4 && l <= 1.0) return v * (1.0 / std::sqrt(l));
        }
    }

    // Uniform rotation: a uniform point of the 3-sphere.
    Quat rotation() {
        for (;;) {
            const Quat q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            const double l = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
            if (l > 1e-4 && l <= 1.0) {
                const double s = 1.0 / std::sqrt(l);
                return {q.x * s, q.y * s, q.z * s, q.w * s};
            }
        }
    }

    template <class T>
    void shuffle(std::vector<T>& v) {
        for (std::size_t i = v.size(); i > 1; --i) std::swap(v[i - 1], v[below(i)]);
    }

private:
    std::uint64_t state_;
};

}  // namespace lanefold::bench
