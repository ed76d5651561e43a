// SPDX-License-Identifier: MIT
//
// The environment's settings of a sweep over scenes that are drawn round by round: LANEFOLD_PAIR_STEPS, for how many
// pair-steps it goes on; LANEFOLD_SEED; LANEFOLD_ROUND, with which round it begins, to repeat one that failed.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace lanefold::test {

struct SweepLength {
    std::uint64_t pair_steps;
    std::uint64_t seed = number("LANEFOLD_SEED", 1);
    std::uint64_t round = number("LANEFOLD_ROUND", 0);

    explicit SweepLength(std::uint64_t usual) : pair_steps(number("LANEFOLD_PAIR_STEPS", usual)) {}

    // The seed of the numbers of a round.
    std::uint64_t seed_of(std::uint64_t r) const { return 1000 * seed + r; }

private:
    static std::uint64_t number(const char* name, std::uint64_t otherwise) {
        const char* text = std::getenv(name);
        return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
    }
};

}  // namespace lanefold::test
