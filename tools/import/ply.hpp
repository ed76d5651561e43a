// SPDX-License-Identifier: MIT
//
// Reads convex pieces from a PLY file: text, or binary of either byte order. Debian's readers of PLY trust counts and
// indices of the file; here each is checked.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "import/piece.hpp"

namespace lanefold::tools {

// A piece for each closed surface; a file without faces is one piece, the hull of its vertices. Colours and other
// properties are left out. A file whose name is among `whole` is one piece. Throws Failure(bad_input) with the file and
// the element.
SourceFile read_ply(const std::filesystem::path& path, std::span<const std::string> whole);

}  // namespace lanefold::tools
