// SPDX-License-Identifier: MIT
//
// SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014): the bits behind all
// random numbers of the tests, the same on every machine.
#pragma once

#include <cstdint>

namespace lanefold::test {

class SplitMix {
public:
    static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;

    explicit SplitMix(std::uint64_t state) : state_(state) {}

    std::uint64_t next() { return mix(state_ += kStep); }

    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

private:
    std::uint64_t state_;
};

}  // namespace lanefold::test
