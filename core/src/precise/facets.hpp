// SPDX-License-Identifier: MIT
//
// Planes of faces in float64, and faces split where they are not flat.
#pragma once

#include <cstdint>
#include <vector>

#include "precise/problem.hpp"

namespace lanefold::detail {

// Computes the planes of all faces in float64 from the stored vertices. With `split`, a face whose vertices leave its
// plane by more than `flatness` (a length) is split into triangles. `stack`: memory.
void refine_facets(Solid& solid, std::vector<std::uint32_t>& stack, bool split, double flatness);
// Unit normal of a face from its loop (sum of the cross products of its fan).
Vec3d loop_normal(const Solid& solid, std::uint32_t face);
// Outward normal of a canonical face, of length 1 within 1e-7.
Vec3d face_normal(const Solid& solid, std::uint32_t face);

}  // namespace lanefold::detail
