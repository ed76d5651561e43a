// SPDX-License-Identifier: MIT
//
// Stacks of boxes that stand from the first frame on: what `lanefold simulate` holds upright.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace lanefold::tools {

enum class StackKind : std::uint8_t {
    tower,    // boxes upon each other, set down by hand: up to 2 cm off, up to 3 degrees turned
    pyramid,  // a wall of rows, each box over a joint of the row below
};

// Nothing for a name that is no kind.
std::optional<StackKind> parse_stack_kind(std::string_view name);

inline constexpr std::uint32_t kTowerBoxes = 10;
inline constexpr std::uint32_t kPyramidBoxes = 210;  // 20 rows

// Writes a scene folder with one frame and no pairs, whole or not at all: a floor (hull 0, body 0, immovable, its top
// at y = 0) and boxes of 1 m and 1,000 kg. The number of a pyramid's boxes is that of whole rows: 1, 3, 6, 10 ...
// The same seed gives the same tower. Throws Failure.
void write_stack(const std::filesystem::path& folder, StackKind kind, std::uint32_t boxes, std::uint64_t seed,
                 bool replace);

}  // namespace lanefold::tools
