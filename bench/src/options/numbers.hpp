// SPDX-License-Identifier: MIT
//
// Options that are numbers.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace lanefold::bench {

// A number that float32 can hold, from the whole text.
inline std::optional<double> parse_number(const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || end != text.c_str() + text.size()) return std::nullopt;
    if (!std::isfinite(static_cast<float>(number))) return std::nullopt;
    return number;
}

// For Option::check. The parser alone reads unsigned numbers by strtoull(), which takes -1 for the largest number, and
// so any that is larger. A name in the validator would appear in the help.
inline CLI::Validator whole_number(std::uint64_t least = 0,
                                   std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    return {[least, most](std::string& text) {
                std::uint64_t number = 0;
                const char* const end = text.data() + text.size();
                const auto [stop, error] = std::from_chars(text.data(), end, number);
                if (error == std::errc{} && stop == end && number >= least && number <= most) return std::string();
                return fmt::format("must be a whole number from {} to {}, not '{}'", least, most, text);
            },
            ""};
}

// The same of numbers with a fraction. `allowed` says in words what `is_allowed` tests.
inline CLI::Validator number(const std::string& allowed, bool (*is_allowed)(double)) {
    return {[allowed, is_allowed](std::string& text) {
                const std::optional<double> found = parse_number(text);
                if (found && is_allowed(*found)) return std::string();
                return fmt::format("must be {} and finite, not '{}'", allowed, text);
            },
            ""};
}

}  // namespace lanefold::bench
