// SPDX-License-Identifier: MIT
//
// Scenes without physics, from a seed: clouds of bodies, placed pairs, bodies in motion. They are made at once and need
// no files. Published figures should come from settled piles (lanefold generate).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenes/scene.hpp"

namespace lanefold::bench {

struct SyntheticInfo {
    std::string name;
    std::string description;
    bool quick = false;  // part of the selection
};

const std::vector<SyntheticInfo>& synthetic_scenes();

// "vertices-N" is a scene, too: rocks of exactly N vertices. More would take minutes to build and tell nothing new.
inline constexpr std::uint32_t kFewestRockVertices = 4;
inline constexpr std::uint32_t kMostRockVertices = 10000;

bool is_synthetic(const std::string& name);
// The names that is_synthetic() takes, for messages.
std::string synthetic_names();

// Throws for an unknown name. `pairs` is about how many candidate pairs it gets.
Scene make_synthetic(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin);

}  // namespace lanefold::bench
