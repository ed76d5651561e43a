// SPDX-License-Identifier: MIT
//
// Scenes that users have, to be moved by `lanefold simulate`: crates on a floor, brick walls that heavy boxes hit, a
// shattered block, ragdolls of boxes, a crowd of hulls and one of capsules, gravel. bench/run makes them once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lanefold::bench {

struct EverydayInfo {
    std::string name;
    std::string description;
};

const std::vector<EverydayInfo>& everyday_scenes();

// Writes the first frame of a scene with about so many bodies, and setup.json for `lanefold simulate --setup`. Throws
// for an unknown name.
void write_everyday(const std::string& name, const std::filesystem::path& folder, std::uint32_t bodies,
                    std::uint64_t seed);

}  // namespace lanefold::bench
