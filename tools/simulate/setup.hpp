// SPDX-License-Identifier: MIT
//
// The start of a simulation: the bodies of a scene's frame, and a setup file with the data that a scene does not hold
// (docs/formats.md): gravity, densities, friction, restitution, velocities, groups, links.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lanefold/world.hpp>

#include "scene/io.hpp"

namespace lanefold::tools {

struct SimulationSetup {
    std::vector<RigidBody> bodies;
    std::vector<BodyLink> links;
};

// Properties of every body unless the setup file sets others.
struct BodyDefaults {
    float density = 1000;  // kg/m3, whatever the unit of the scene
    float friction = 0.6F;
    float restitution = 0;
};

// Bodies take the scene's inverse masses; 0 is a fixed body. In a scene without inverse masses all bodies are dynamic
// and have the default density. `setup` may be empty. The setup file also changes `settings`. Throws Failure(bad_input)
// with the file and the place. Densities are kg/m3; settings.unit, which must be set, takes them into the scene's unit.
SimulationSetup read_setup(const Scene& scene, const SceneFrame& frame, const std::filesystem::path& setup,
                           const BodyDefaults& defaults, WorldSettings& settings);

}  // namespace lanefold::tools
