// SPDX-License-Identifier: MIT
//
// Makes text from a file or a command line safe to show. A terminal obeys control characters, so a name in a scene
// could move the cursor or hide the next line.
#pragma once

#include <string>
#include <string_view>

namespace lanefold::tools {

// Writes control characters (C0, DEL, C1) and bytes that are no UTF-8 as \x1b. Line feeds stay.
std::string printable(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace lanefold::tools
