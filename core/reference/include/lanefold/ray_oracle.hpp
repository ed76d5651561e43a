// SPDX-License-Identifier: MIT
//
// The oracle of rays: the signed distance of a convex body is a convex function along a line, so a search for its least
// value and a bisection find where a ray enters, by brute force distances alone. Triangles of a surface are tried one
// by one in the plane. It shares no code with the rays of the engine.
#pragma once

#include <cstdint>

#include <lanefold/export.hpp>
#include <lanefold/reference.hpp>
#include <lanefold/surface_oracle.hpp>

namespace lanefold::reference {

// The points origin + t * direction, t from 0 to 1.
struct OracleRay {
    Vec3d origin;
    Vec3d direction;
};

// A ray and a convex body.
struct OracleEntry {
    double begin = 0;     // signed distance of the origin
    double least = 0;     // least signed distance of the ray's points
    double least_at = 0;  // the fraction of that point
    double enter = 0;     // where the distance comes down to 0: 0 if it begins below, 1 if it does not
};

// The body's pose may be far from the origin: computation is relative to its position.
LANEFOLD_EXPORT OracleEntry ray_entry(const OracleHull& hull, const PoseD& pose, const OracleRay& ray);

// The first triangle that a ray passes through from its outer side.
struct OracleCrossing {
    bool any = false;
    double fraction = 0;
    std::uint32_t triangle = 0;  // of equal fractions the lowest
};

// The ray is in the surface's axes. `grow`: by how much triangles are larger about their centres, relative to their
// size; negative: smaller. A ray near a side is decided differently by a larger and a smaller triangle.
LANEFOLD_EXPORT OracleCrossing first_crossing(const OracleSurface& surface, const OracleRay& ray, double grow,
                                              bool both_sides = false);

}  // namespace lanefold::reference
