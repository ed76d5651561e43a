// SPDX-License-Identifier: MIT
//
// Pairs that one face of a far larger box settles.
#pragma once

#include <cstdint>

#include "precise/faces.hpp"

namespace lanefold::detail {

// Is the pair settled by one face of a box that is much larger than the other hull? Then `best` is what search_faces
// would find and search_edges would not beat, or the hulls are apart by more than the margin. Planes are not prepared.
enum class FloorVerdict : std::uint8_t { unknown, apart, face };
FloorVerdict try_floor(const Problem& p, FaceAxis& best);

}  // namespace lanefold::detail
