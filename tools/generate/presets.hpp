// SPDX-License-Identifier: MIT
//
// Small pairs to learn from; mistakes of an engine are easy to see in them. Cubes in every relation, a wedge, a prism,
// containment, crossed beams, and the published example. The scene has one frame; pair i is bodies 2 i and 2 i + 1.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/published.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::tools {

struct Preset {
    const char* name;
    const char* shows;  // the expected result, for a person
    std::vector<Vec3f> a;
    std::vector<Vec3f> b;
    Body body_a;  // positions relative to the pair's place; hull is not set
    Body body_b;
    // The solids in the numbers and the numbering of their source, where the preset is published. a and b are rounded.
    std::optional<published::Polyhedron> source_a = std::nullopt;
    std::optional<published::Polyhedron> source_b = std::nullopt;
};

// Distance between neighbours along x. A power of two, so that poses stay exact.
inline constexpr float kPresetPitch = 16.0F;
// Margin of the stored pairs. All pairs of the list touch within it.
inline constexpr float kPresetMargin = 0.02F;
// How deep or how far apart pairs are, unless a preset says otherwise. Exact in binary.
inline constexpr float kPresetDepth = 1.0F / 32;
inline constexpr float kPresetGap = 1.0F / 64;

std::vector<Preset> presets();

// Writes the scene folder, whole or not at all. Throws Failure.
void write_presets(const std::filesystem::path& folder, bool replace);

}  // namespace lanefold::tools
