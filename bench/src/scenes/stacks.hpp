// SPDX-License-Identifier: MIT
//
// Scenes that tremble: flush stacks, and any other scene's bodies. Features of level faces flicker there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenes/scene.hpp"

namespace lanefold::bench {

struct StackInfo {
    std::string name;
    std::string description;
};

const std::vector<StackInfo>& stacks();

// About `pairs` pairs of the stacks called `name`, at rest. Throws for an unknown name.
Scene make_stacks(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin);

// The families that tremble: the stacks, then the placements (scenes/placements.hpp).
std::vector<std::string> trembling_names();
// The one of them called `name`. Throws for an unknown name.
Scene make_trembling(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin);

// `count` frames of the scene's last one with the same pairs. In each, every body is turned by up to `angle` about any
// axis and shifted by up to a fifth of `angle` sizes. Bodies far larger than the smallest one, as floors, stand still:
// their far ends would move by more than bodies rest apart.
std::vector<Frame> tremble(const Scene& scene, double angle, std::size_t count, std::uint64_t seed);

}  // namespace lanefold::bench
