// SPDX-License-Identifier: MIT
//
// Splits the concave pieces of an import into convex parts, by the Python package coacd in a process of its own.
#pragma once

#include "import/cast.hpp"

namespace lanefold::tools {

// Puts the parts of each piece that is not convex in its place, named piece/0, piece/1 and so on: pieces of the same
// object, with the same row of the poses. A piece in which coacd finds one part becomes its hull, with a warning; parts
// too flat for a hull are left out, with a warning. Nothing is run when all pieces are convex. Equal pieces are split
// once. Throws Failure(bad_input) when Python, NumPy or coacd is missing or refuses a piece, Failure(interrupted)
// on a stop and when the process fails.
void decompose_pieces(const ImportRequest& request, Cast& cast, ImportReport& report);

}  // namespace lanefold::tools
