// SPDX-License-Identifier: MIT
//
// See the header.

#include "scene/unit.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

constexpr std::pair<std::string_view, double> kUnits[] = {{"m", 1},       {"cm", 0.01},   {"mm", 0.001},
                                                          {"km", 1000},   {"um", 1e-6},   {"dm", 0.1},
                                                          {"in", 0.0254}, {"ft", 0.3048}, {"yd", 0.9144}};
// Counts of a unit in a metre: beyond these a density in kg per cubic unit leaves float32.
constexpr double kFewest = 1e-9;
constexpr double kMost = 1e9;
// Two lengths of a unit are one when they differ by less: counts such as 39.37 are rounded by people.
constexpr double kSameLength = 1e-4;

// A number at the start of the text; `text` goes on behind it. Nothing if there is none.
std::optional<double> take_number(std::string_view& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

}  // namespace

std::optional<double> metres_of(std::string_view unit) {
    double count = 1;
    if (const std::optional<double> number = take_number(unit)) {
        if (!(*number > 0) || !std::isfinite(*number) || !unit.starts_with(' ')) return std::nullopt;
        unit.remove_prefix(1);
        count = *number;
    }
    for (const auto& [name, length] : kUnits) {
        if (unit == name) return count * length;
    }
    return std::nullopt;
}

std::string known_units() {
    std::string out;
    for (const auto& [name, length] : kUnits) out += fmt::format("{}{}", out.empty() ? "" : ", ", name);
    return out;
}

std::string unit_of(double per_metre) {
    for (const auto& [name, length] : kUnits) {
        if (std::fabs(per_metre * length - 1) <= kSameLength) return std::string(name);
    }
    return fmt::format("{:.9g} m", 1 / per_metre);
}

double parse_unit(std::string_view text, std::string_view option) {
    std::optional<double> count;
    if (const std::optional<double> metres = metres_of(text)) {
        count = 1 / *metres;
    } else {
        count = take_number(text);
        if (!text.empty()) count.reset();
    }
    if (count && *count >= kFewest && *count <= kMost) return *count;
    throw bad_input(
        "{} must be above 0, and finite (1e-9 to 1e9): how many of the scene's unit a metre is, 1000 for millimetres, "
        "or the unit: {}, or a number of one, '0.1 m'",
        option, known_units());
}

}  // namespace lanefold::tools
