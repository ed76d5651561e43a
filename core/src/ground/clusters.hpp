// SPDX-License-Identifier: MIT
//
// From the contacts of triangles to clusters of one normal.
#pragma once

#include "ground/pair.hpp"
#include "ground/triangle_contact.hpp"

namespace lanefold::detail {

// Takes away the contacts that other contacts make needless: moved out along a shallower contact, the body no longer
// meets their triangle, and their own way out is more than twice as long. A dense wall under a table's edge has such
// triangles. scratch.order has the others, deepest first.
void order_contacts(GroundScratch& scratch);

// Makes clusters of them.
void make_clusters(GroundScratch& scratch, GroundSurface& surface, const TriangleSolver& solver, double most);

}  // namespace lanefold::detail
