// SPDX-License-Identifier: MIT
//
// Meshes that need not be convex, taken as surfaces of triangles: `lanefold import --surface NAME`.
#pragma once

#include "import/cast.hpp"

namespace lanefold::tools {

// Makes one piece of all pieces of each object that the request names, so that its groups have no seams between them.
void join_surfaces(const ImportRequest& request, SourceFile& file);

// Builds the surfaces of the marked pieces, in float64 about their origins, and appends them to the hulls. Equal ones
// are one. Throws Failure(bad_input) that names the piece.
void build_surfaces(const ImportRequest& request, Cast& cast);

}  // namespace lanefold::tools
