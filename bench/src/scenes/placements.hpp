// SPDX-License-Identifier: MIT
//
// Families of placements that are frequent in real scenes and never occur in random clouds: faces, edges and corners
// that are level with each other. Each is a scene of one kind of pairs and is compared with the cloud of the same
// hulls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenes/scene.hpp"

namespace lanefold::bench {

struct Placement {
    std::string name;
    std::string description;
    std::string against;  // the synthetic scene, or the placement, with which it is compared
};

const std::vector<Placement>& placements();

// About `pairs` pairs of the placement called `name`. Throws for an unknown name.
Scene make_placement(const std::string& name, std::uint64_t seed, std::size_t pairs, double margin);

}  // namespace lanefold::bench
