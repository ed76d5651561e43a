// SPDX-License-Identifier: MIT
//
// The program under test, for tests of its commands.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace lanefold::test {

inline Outcome program(const std::vector<std::string>& arguments) { return run_program(LANEFOLD_PROGRAM, arguments); }

// How often a test kills the program: LANEFOLD_KILLS, or `otherwise`.
inline int kills(int otherwise) {
    const char* value = std::getenv("LANEFOLD_KILLS");
    return value == nullptr ? otherwise : std::atoi(value);
}

// Number of occurrences of `what` in a text, with overlaps.
inline std::size_t occurrences(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

// The number in the row of this name in a table.
inline std::uint64_t count_of(const std::string& table, const std::string& name) {
    const std::size_t at = table.find("  " + name + " ");
    if (at == std::string::npos) return ~std::uint64_t{0};
    const std::size_t digits = table.find_first_of("0123456789", at + name.size() + 2);
    std::string number = table.substr(digits, table.find('\n', digits) - digits);
    number.erase(std::remove(number.begin(), number.end(), ','), number.end());
    return std::stoull(number);
}

}  // namespace lanefold::test
