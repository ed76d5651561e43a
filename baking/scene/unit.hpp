// SPDX-License-Identifier: MIT
//
// Units of length, by the names that scene.json has for them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lanefold::tools {

// Gravity on earth, m/s2, for everything that takes it by default.
inline constexpr double kEarthGravity = 9.81;

// The length of a unit in metres: "m", "cm", "mm", "km", "um", "dm", "in", "ft", "yd", or a number of one of these:
// "0.1 m". Nothing for another name.
std::optional<double> metres_of(std::string_view unit);

// Their names: "m, cm, ...".
std::string known_units();

// The unit of which a metre has so many: "mm" for 1000, "0.25 m" for 4. The count must be above 0, and finite.
std::string unit_of(double per_metre);

// How many of a unit a metre is, of a number (1000) or a name (mm) on the command line. Throws Failure(bad_input) that
// names the option and what would do.
double parse_unit(std::string_view text, std::string_view option);

}  // namespace lanefold::tools
