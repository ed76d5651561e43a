// SPDX-License-Identifier: MIT
//
// Reads convex pieces from a Wavefront OBJ file, one per group (g) of each object (o). tinyobjloader parses the
// statements. Coordinates and indices are checked here, so that a mistake in a file gives an error with its line.
#pragma once

#include <filesystem>

#include "import/piece.hpp"

namespace lanefold::tools {

// A group that is named twice in one object is one piece. In a file without faces the vertices below a group line are
// its piece. Throws Failure(bad_input) with file and line.
SourceFile read_obj(const std::filesystem::path& path);

}  // namespace lanefold::tools
