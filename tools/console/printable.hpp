// SPDX-License-Identifier: MIT
//
// Text that came from a file or a command line, as it may be shown: a terminal obeys control characters, and a name in
// somebody's scene must not move its cursor or hide the next line.
#pragma once

#include <string>
#include <string_view>

namespace lanefold::tools {

// Control characters (C0, DEL, C1) and bytes that are no UTF-8 as \x1b; line feeds stay.
std::string printable(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace lanefold::tools
