// SPDX-License-Identifier: MIT
//
// First stage of the float64 path: prepares the pair.
#pragma once

#include "precise/memory.hpp"
#include "precise/problem.hpp"

namespace lanefold::detail {

// Prepares poses, vertices and tolerances. They are enough to test the axis between the centres, which rejects most
// pairs. Returns false and prepares nothing if the positions alone prove the hulls further apart than any margin.
bool prepare(const PrecisePair& pair, PreciseScratch::Impl& memory, Problem& problem);
// Prepares planes, edges and their slack, for the pairs that are left.
void prepare_planes(PreciseScratch::Impl& memory, Problem& problem);

}  // namespace lanefold::detail
