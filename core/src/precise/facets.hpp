// SPDX-License-Identifier: MIT
//
// Planes of faces in float64, and faces split where they are not flat.
#pragma once

#include <cstdint>
#include <vector>

#include "precise/problem.hpp"

namespace lanefold::detail {

// Float64 planes from the stored vertices; the faces of the larger hull split where they are not flat.
void refine_facets(Solid& solid, std::vector<std::uint32_t>& stack, bool split, double flatness);
// Unit normal of a face from its loop (sum of the cross products of its fan).
Vec3d loop_normal(const Solid& solid, std::uint32_t face);
// Outward normal of a canonical face, unit to 1e-7 at least.
Vec3d face_normal(const Solid& solid, std::uint32_t face);

}  // namespace lanefold::detail
