// SPDX-License-Identifier: MIT
//
// Families of placements that real scenes are full of and random clouds never show: faces, edges and corners that are
// level with each other. Each is a scene of one kind of pairs, held against the cloud of the same hulls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenes/scene.hpp"

namespace lanefold::bench {

struct Placement {
    std::string name;
    std::string description;
    std::string against;  // the synthetic scene, or the placement, of the same kind that it is held against
};

const std::vector<Placement>& placements();

// About `pairs` pairs of the placement called `name`. Throws for an unknown name.
Scene make_placement(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin);

}  // namespace lanefold::bench
