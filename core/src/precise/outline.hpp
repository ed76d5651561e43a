// SPDX-License-Identifier: MIT
//
// The outline of a support patch in the contact plane: a convex polygon, without corners that rounding decides about.
#pragma once

#include <vector>

#include "precise/memory.hpp"

namespace lanefold::detail {

// Convex outline of `corners`, which are sorted by u, then by v, then by vertex: counter-clockwise, from the lowest u.
// No corner of the set is outside by more than `tolerance`. Each of the outline stands out by more from the line of its
// neighbours. Corners at one place count as one, at the greatest height: they are the rims of a side that is seen edge
// on. The outline has one corner if all are at one place, two if they are in a row. `hull`: room for twice as many
// corners.
void make_outline(const std::vector<OutlineCorner>& corners, double tolerance, std::vector<OutlineCorner>& hull,
                  std::vector<OutlineCorner>& out);

}  // namespace lanefold::detail
