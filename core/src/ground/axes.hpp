// SPDX-License-Identifier: MIT
//
// The way out of a triangle: among the admissible directions the one that separates most. Its candidates are the ends
// of arcs (the triangle's normal, its neighbours' over convex edges, the outward directions of borders), the opposites
// of the core's faces where they are admissible, and the crossings of arcs. The cone of a vertex has such ends and
// crossings at its rim, too. The separation along the arcs and inside the cones has its maxima there.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/ground_body.hpp"
#include "ground/triangle.hpp"

namespace lanefold::detail {

enum class GroundAxisKind : std::uint8_t {
    own_face,   // the triangle's normal
    arc_end,    // the end of an edge's arc: the direction is a neighbour's normal, or a border's
    corner,     // on the rim of a vertex's cone
    body_face,  // the opposite of a face of the core
    edges,      // across an edge of each
    closest,    // between the closest points of a core that is apart
};

// An admissible direction from the surface to the body.
struct GroundAxis {
    GroundAxisKind kind = GroundAxisKind::own_face;
    Vec3d u;                 // unit
    double separation = 0;   // of the cores, with full supports
    int edge = 0;            // of the triangle: arc_end, edges; its corner: corner
    std::uint32_t part = 0;  // face or edge of the core: body_face, edges
};

// The separation of core and triangle along u.
double separation_along(const GroundBody& body, const GroundTriangle& t, const Vec3d& u);

// All candidates, best first; a normal of the surface before what is better by at most `preference`. The triangle's own
// normal comes before what is better by a rounding, and the body's faces before edges. Not `all`: only those that
// separate at least as much as the triangle's normal, which is enough if the core is over the triangle along it.
void admissible_axes(const GroundBody& body, GroundSurface& surface, const GroundTriangle& t, double preference,
                     bool all, std::vector<GroundAxis>& out);

}  // namespace lanefold::detail
