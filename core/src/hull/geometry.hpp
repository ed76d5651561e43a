// SPDX-License-Identifier: MIT
//
// Measures of a finished hull, in float64 with + - * / sqrt only. These are correctly rounded, so results are the same
// on every machine; libm's trigonometry is not.
#pragma once

#include <span>
#include <vector>

#include <lanefold/hull_set.hpp>

#include "hull/topology.hpp"

namespace lanefold::detail {

// Newell's normal of a loop (M. E. Newell, R. G. Newell, T. L. Sancha, 1972); its length is twice the area. For a loop
// that is not quite plane, it is the normal of the plane in which the projected area is largest.
Vec3d newell_normal(std::span<const Vec3d> points, std::span<const std::uint32_t> loop);

// Unit outward normals of all faces.
std::vector<Vec3d> face_normals(std::span<const Vec3d> points, const FaceLoops& faces);

// Volume, centre of mass and inertia of the solid of density 1, summed over tetrahedra of the faces' triangle fans.
MassProperties mass_properties(std::span<const Vec3d> points, const FaceLoops& faces);

// Smallest angle between the normals of two faces with a common edge, radians.
double smallest_edge_angle(const HullTopology& topology, std::span<const Vec3d> normals);

}  // namespace lanefold::detail
