// SPDX-License-Identifier: MIT
//
// Hulls as pictures and exports draw them: what is round has flat faces.
#pragma once

#include <cstdint>

#include <lanefold/hull_set.hpp>

#include "scene/io.hpp"

namespace lanefold::tools {

// The hulls of a scene with the same numbers; each rounded one is a sharp hull within it, whose vertices lie on its
// surface. Nothing is computed with it.
HullSet drawn_hulls(const Scene& scene, const HullSet& hulls, std::uint32_t threads = 0);

}  // namespace lanefold::tools
