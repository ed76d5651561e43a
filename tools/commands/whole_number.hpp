// SPDX-License-Identifier: MIT
//
// Options that are whole numbers.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace lanefold::tools {

// For Option::check. The parser alone reads unsigned numbers by strtoull(), which takes -1 for the largest number, and
// so any that is larger. A name in the validator would appear in the help.
inline CLI::Validator whole_number() {
    return {[](std::string& text) {
                std::uint64_t number = 0;
                const char* const end = text.data() + text.size();
                const auto [stop, error] = std::from_chars(text.data(), end, number);
                if (error == std::errc{} && stop == end) return std::string();
                return fmt::format("{} is not a whole number from 0 to {}", text,
                                   std::numeric_limits<std::uint64_t>::max());
            },
            ""};
}

}  // namespace lanefold::tools
