// SPDX-License-Identifier: MIT
//
// Which row of a pose file belongs to which piece.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "import/cast.hpp"

namespace lanefold::tools {

// Names of rows: {"rows": [...]} or a list in JSON, or a text with a name on each line.
std::vector<std::string> read_row_names(const std::filesystem::path& path);

// The row of each piece. With names a row belongs to the piece, or to all pieces of the object, that has its name;
// without names there are as many rows as pieces, or as objects, in their order. Throws Failure(bad_input) for a piece
// without a row and a row without a piece; `poses` names the file.
std::vector<std::uint32_t> match_rows(const Cast& cast, std::uint64_t rows, const std::vector<std::string>& names,
                                      const std::string& poses);

}  // namespace lanefold::tools
