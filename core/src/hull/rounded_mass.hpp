// SPDX-License-Identifier: MIT
//
// Mass of rounded hulls in closed form: J. Steiner's sum (1840) for the volume, and its counterparts for the first and
// second moments. Outside of the core a rounded hull is a prism on each face, a sector of a cylinder along each edge
// and a sector of a ball at each vertex.
#pragma once

#include <span>

#include <lanefold/hull_set.hpp>

#include "hull/hull_surface.hpp"

namespace lanefold::detail {

// Makes the properties of a polytope those of the polytope rounded by `radius`. Returns false and changes nothing if
// the faces are no closed surface.
bool round_mass(std::span<const Vec3d> points, const FaceLoops& faces, double radius, MassProperties& mass);

// The properties of a ball about one point, or of a capsule about two.
MassProperties small_core_mass(std::span<const Vec3d> points, double radius);

}  // namespace lanefold::detail
