// SPDX-License-Identifier: MIT
//
// A seeded order, the same with every standard library.
#pragma once

#include <utility>
#include <vector>

#include "generate/random.hpp"

namespace lanefold::bench {

template <class T>
void shuffle(std::vector<T>& v, std::uint64_t seed) {
    tools::Random random(seed);
    for (std::size_t i = v.size(); i > 1; --i) std::swap(v[i - 1], v[random.bits() % i]);
}

}  // namespace lanefold::bench
