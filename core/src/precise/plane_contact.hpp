// SPDX-License-Identifier: MIT
//
// Pairs with a half-space: the plane against the vertices of the other hull. All is of the core of a rounded hull; the
// radius comes off when the record is written.
#pragma once

#include <cstddef>

#include "precise/memory.hpp"
#include "precise/outcome.hpp"
#include "precise/problem.hpp"

namespace lanefold::detail {

// Whether one of both is a half-space.
bool has_half_space(const PrecisePair& pair);

// The contact of such a pair. Its points go to memory.points.
Outcome solve_half_space(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory);

// Reduces the points of solve_half_space(), with both methods alike.
void reduce_on_plane(const Problem& p, const Outcome& r, std::size_t capacity, std::vector<ClipPoint>& points);

}  // namespace lanefold::detail
