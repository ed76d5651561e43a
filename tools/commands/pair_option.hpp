// SPDX-License-Identifier: MIT
//
// --pair A,B of the commands that look at one pair.
#pragma once

#include <charconv>
#include <string>

#include <lanefold/body.hpp>

#include "console/failure.hpp"

namespace lanefold::tools {

// "12,57". Throws Failure(bad_input).
inline Pair parse_pair(const std::string& given) {
    Pair pair{};
    const char* const end = given.data() + given.size();
    const auto [comma, first] = std::from_chars(given.data(), end, pair.a);
    if (first == std::errc{} && comma != end && *comma == ',') {
        const auto [stop, second] = std::from_chars(comma + 1, end, pair.b);
        if (second == std::errc{} && stop == end) return pair;
    }
    throw bad_input("--pair {}: expected two bodies, as in 12,57", given);
}

}  // namespace lanefold::tools
