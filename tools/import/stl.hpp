// SPDX-License-Identifier: MIT
//
// Reads convex pieces from an STL file, binary or text. Debian's readers of STL keep float32 numbers only and do not
// say where a file is wrong, so this program reads the few statements itself.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "import/piece.hpp"

namespace lanefold::tools {

// A piece for each closed surface; in a text, of each solid. Normals of the file do not count, the order of corners
// does. A file, or a solid, whose name is among `whole` is one piece. Throws Failure(bad_input) with the file, and the
// line or the triangle.
SourceFile read_stl(const std::filesystem::path& path, std::span<const std::string> whole);

}  // namespace lanefold::tools
