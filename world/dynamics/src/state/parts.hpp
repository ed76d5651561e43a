// SPDX-License-Identifier: MIT
//
// Convex parts of bodies: the children of compounds, or the hull of a body that is none. Contacts are between parts, so
// the thickness of the part counts there.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/hull_set.hpp>

namespace lanefold::detail {

struct CompoundPart {
    float size;    // smallest extent
    float round;   // by which its hull is rounded
    Vec3f middle;  // of a ball around it, from the body's centre of mass in the body's axes
    float reach;   // radius of that ball
};

// Appends the children of a compound whose centre of mass is there, in input coordinates; nothing for other shapes.
// Throws std::bad_alloc.
void add_parts(const HullSet& hulls, std::uint32_t hull, const Vec3f& centre, std::vector<CompoundPart>& parts);

// Largest distance of a point of any shape from there, in its input coordinates; 0: it has no end.
float reach_of(const HullSet& hulls, std::uint32_t hull, const Vec3f& centre);
// The smallest extent of a hull (mass.hpp), or of the thinnest child of a compound; 0: a shape without volume.
float thickness_of(const HullSet& hulls, std::uint32_t hull);

}  // namespace lanefold::detail
