// SPDX-License-Identifier: MIT
//
// First stage of the float64 path: the pair prepared.
#pragma once

#include "precise/memory.hpp"
#include "precise/problem.hpp"

namespace lanefold::detail {

// Poses, vertices and tolerances of the pair: enough for the axis between the centres, which rejects most. False, with
// nothing prepared, when the positions alone say that the hulls are further apart than any margin.
bool prepare(const PrecisePair& pair, PreciseScratch::Impl& memory, Problem& problem);
// Planes, edges and the slack that belongs to them: for what is left.
void prepare_planes(PreciseScratch::Impl& memory, Problem& problem);

}  // namespace lanefold::detail
