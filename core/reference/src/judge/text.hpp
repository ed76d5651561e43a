// SPDX-License-Identifier: MIT
//
// Formats texts of the judge with printf's patterns, so that the reference needs no library for text.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <string>

namespace lanefold::reference::judging {

[[gnu::format(printf, 1, 2)]] inline std::string text(const char* pattern, ...) {
    char out[400];
    va_list arguments;
    va_start(arguments, pattern);
    __builtin_vsnprintf(out, sizeof out, pattern,
                        arguments);  // writes to memory only; no <cstdio>, because a library must not print
    va_end(arguments);
    return out;
}

// A number for %u, because not every system's printf has %zu.
inline unsigned number(std::size_t n) { return static_cast<unsigned>(n); }

}  // namespace lanefold::reference::judging
