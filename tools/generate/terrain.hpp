// SPDX-License-Identifier: MIT
//
// A scene of bodies over rough ground, a height field.
#pragma once

#include <cstdint>
#include <filesystem>

namespace lanefold::tools {

inline constexpr std::uint32_t kTerrainBodies = 2000;
inline constexpr std::uint32_t kTerrainCells = 256;
inline constexpr std::uint32_t kMostTerrainCells = 8192;

struct TerrainRequest {
    std::filesystem::path folder;
    std::uint32_t bodies = kTerrainBodies;  // that move
    std::uint32_t cells = kTerrainCells;    // of a side of the ground
    double cell = 0.5;                      // the side of a cell, metres
    std::uint64_t seed = 1;
    bool replace = false;
};

// Writes a scene folder of version 3 with one frame and without pairs, whole or not at all. z is up. Body 0 is the
// ground, a height field about the origin. Of five others two are capsules that stand, two rocks and one a box, turned
// in any way, all just over the ground or over one another. The same request gives the same bytes everywhere. Throws
// Failure.
void write_terrain(const TerrainRequest& request);

}  // namespace lanefold::tools
