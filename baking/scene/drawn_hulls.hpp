// SPDX-License-Identifier: MIT
//
// Hulls as pictures and exports draw them: what is round has flat faces, and what has no end has one.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>

#include "scene/io.hpp"

namespace lanefold::tools {

// The hulls of a scene with the same numbers. Each rounded one is a sharp hull within it, whose vertices lie on its
// surface. Each half-space is a square plate about the foot of its body's origin, that reaches as far as the other
// bodies of the frame; its upper side is the plane. Compounds are those of these hulls; surfaces are the scene's.
// Nothing is computed with it.
HullSet drawn_hulls(const Scene& scene, const HullSet& hulls, std::uint64_t frame, std::uint32_t threads = 0);

// A hull or surface to draw for a body, in the body's frame.
struct DrawnPiece {
    std::uint32_t hull = 0;
    PoseD pose;
};
// The children of a compound, or the hull itself.
std::vector<DrawnPiece> drawn_pieces(const HullSet& drawn, std::uint32_t hull);

}  // namespace lanefold::tools
