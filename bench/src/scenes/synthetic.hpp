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

// "vertices-N" for any N >= 4 is a scene, too: rocks of exactly N vertices. Throws for an unknown name.
// `pairs` is about how many candidate pairs it gets.
Scene make_synthetic(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin);

}  // namespace lanefold::bench
