// SPDX-License-Identifier: MIT
//
// Formats text like printf.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>

// The patterns that vsnprintf() takes; mingw has two kinds.
#ifdef __MINGW_PRINTF_FORMAT
#define LANEFOLD_TEST_PATTERNS __MINGW_PRINTF_FORMAT
#else
#define LANEFOLD_TEST_PATTERNS printf
#endif

namespace lanefold::test {

[[gnu::format(LANEFOLD_TEST_PATTERNS, 1, 2)]] inline std::string format(const char* pattern, ...) {
    char buffer[512];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(buffer, sizeof buffer, pattern, arguments);
    va_end(arguments);
    return buffer;
}

}  // namespace lanefold::test
