// SPDX-License-Identifier: MIT
//
// The program under test, for tests of its commands.
#pragma once

#include <string>
#include <vector>

#include "support/program.hpp"

namespace lanefold::test {

inline Outcome program(const std::vector<std::string>& arguments) { return run_program(LANEFOLD_PROGRAM, arguments); }

// How often `what` stands in a text, overlaps counted.
inline std::size_t occurrences(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

}  // namespace lanefold::test
