// SPDX-License-Identifier: MIT
//
// When a hull first meets a surface: the pair in the axes of the surface, for the float64 path
// (detail/ground_sweep.hpp), and its meeting as a record.
#pragma once

#include <lanefold/detail/ground_sweep.hpp>

#include "sweep/motion.hpp"

namespace lanefold::detail {

// Writes the record of a pair of which one is a surface, but for what names it. Returns how many distances it took.
std::uint64_t meet_surface(const SweepOptions& options, const PairMotion& pair, GroundMemory& memory, SweepRecord& r);

}  // namespace lanefold::detail
