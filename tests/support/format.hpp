// SPDX-License-Identifier: MIT
//
// Formats text like printf.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>

namespace lanefold::test {

[[gnu::format(printf, 1, 2)]] inline std::string format(const char* pattern, ...) {
    char buffer[512];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(buffer, sizeof buffer, pattern, arguments);
    va_end(arguments);
    return buffer;
}

}  // namespace lanefold::test
