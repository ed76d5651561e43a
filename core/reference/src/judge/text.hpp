// SPDX-License-Identifier: MIT
//
// Formats texts of the judge with printf's patterns, so that the reference needs no library for text.
#pragma once

#include <cstdarg>
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

}  // namespace lanefold::reference::judging
