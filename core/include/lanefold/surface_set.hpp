// SPDX-License-Identifier: MIT
//
// Surfaces in hull sets: a surface is an id of a HullSet like a hull, for bodies that never move, so that its pairs are
// in the same calls as all others.
#pragma once

#include <span>

#include <lanefold/export.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/surface.hpp>

namespace lanefold {

// A set with one id for each surface, to be used alone or appended to a set of hulls. Sets share the surfaces: none of
// their arrays is copied, here or later, and HullSet::hot_bytes() does not count them. HullSet::surface() gives them
// back. The fingerprint follows from Surface::fingerprint(). A body's pose places the surface's coordinates
// (Surface::shift() is not added). Surfaces have no mass; records have their boxes. Refused: an empty surface
// (HullError::too_few_points).
//
// A pair of a surface and a hull, sharp or rounded, has the contacts of collide_surface(), bit for bit: in compact
// output a record for each normal, deepest first, and in dense output the deepest. If the surface is body a, normals
// point out of it, features are exchanged, and offsets are from its position. Of a compound each child has its own.
// The contact method, previous contacts, caches and reuse do not count for such pairs. Marks of rest spare them: also
// of a compound on a surface. Surfaces meet neither one another nor half-spaces.
LANEFOLD_EXPORT BuildResult surface_set(std::span<const Surface> surfaces);

}  // namespace lanefold
