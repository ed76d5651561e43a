// SPDX-License-Identifier: MIT
//
// A bound on the records of a pair: of a surface or of compounds that touch in more places the deepest stay.
#pragma once

#include <cstddef>
#include <span>

#include <lanefold/manifold.hpp>

namespace lanefold::detail {

// Leaves the deepest kMostOfPair records of each pair, of equally deep ones the first, in their order. The records of a
// pair are neighbours. Returns how many records are left, at the front.
std::size_t keep_most_of_pairs(std::span<Manifold4> records);

}  // namespace lanefold::detail
