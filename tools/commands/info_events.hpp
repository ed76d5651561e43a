// SPDX-License-Identifier: MIT
//
// `lanefold info` of an events folder.
#pragma once

#include <filesystem>

namespace lanefold::tools {

// Reads and checks all of it, and prints a table or a line of JSON. Throws Failure: of pieces that are damaged, of
// columns that are not what their summary says.
void describe_events(const std::filesystem::path& folder, bool json);

}  // namespace lanefold::tools
