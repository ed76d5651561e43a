// SPDX-License-Identifier: MIT
//
// Pairs with a small core, a point or a segment: spheres and capsules with one another and with hulls. Everything is of
// the cores; the radii come off when the record is written.
#pragma once

#include "precise/memory.hpp"
#include "precise/outcome.hpp"
#include "precise/problem.hpp"

namespace lanefold::detail {

// Whether one of the cores is small.
bool has_small_core(const PrecisePair& pair);

// The contact of such a pair. Its points go to memory.points.
Outcome solve_small(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory);

}  // namespace lanefold::detail
