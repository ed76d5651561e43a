// SPDX-License-Identifier: MIT
//
// What a simulation begins with: the bodies of a scene's frame, and from a setup file what the scene does not say
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

// Of every body unless the setup file says otherwise.
struct BodyDefaults {
    float density = 1000;
    float friction = 0.6F;
    float restitution = 0;
};

// Bodies of inverse mass 0 are fixed; those of other inverse masses have these; without the file all are dynamic with
// the default density. `setup` may be empty. Changes `settings` by what the setup file says. Throws Failure(bad_input)
// with the file and the place.
SimulationSetup read_setup(const Scene& scene, const SceneFrame& frame, const std::filesystem::path& setup,
                           const BodyDefaults& defaults, WorldSettings& settings);

}  // namespace lanefold::tools
