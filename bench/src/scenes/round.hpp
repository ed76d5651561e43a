// SPDX-License-Identifier: MIT
//
// Pairs of one kind each, about to touch: spheres, capsules, boxes, hulls, the last two also rounded, half-spaces and
// compounds. Each is a family of placements (scenes/placements.hpp) that is compared with its neighbour, and a row of
// `lanefold_bench --round`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenes/scene.hpp"

namespace lanefold::bench {

struct RoundKind {
    std::string name;
    std::string description;
    std::string against;  // the kind, or another scene, that costs about as much
};

const std::vector<RoundKind>& round_kinds();

// About `pairs` pairs. Throws for an unknown name.
Scene make_round(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin);

}  // namespace lanefold::bench
