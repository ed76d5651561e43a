// SPDX-License-Identifier: MIT
//
// Pairs that one face of a much larger box decides: a body on a floor or at a wall.
#pragma once

#include <cstdint>

#include "precise/faces.hpp"

namespace lanefold::detail {

// Tests whether one face of a box that is much larger than the other hull decides the pair, without prepared planes.
// face: `best` is what search_faces() would find, and search_edges() would find nothing better. apart: the hulls are
// apart by more than the margin. unknown: the searches must decide.
enum class FloorVerdict : std::uint8_t { unknown, apart, face };
FloorVerdict try_floor(const Problem& p, FaceAxis& best);

}  // namespace lanefold::detail
