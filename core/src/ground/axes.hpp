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

// Finds them in two steps: those along normals of either shape, which are few, then those of edges and of the rims of
// cones, of which only such count that are better than a contact that is known.
class AxisFinder {
public:
    // Replaces the contents of `out`. The triangle has its edges.
    AxisFinder(const GroundBody& body, GroundSurface& surface, const GroundTriangle& t, double preference,
               std::vector<GroundAxis>& out);

    // By which the best is chosen: a normal of the surface comes before what separates by at most `preference` more,
    // the triangle's own before what is better by a rounding, and the body's faces before edges.
    double merit(const GroundAxis& a) const;
    // Finds those along normals, best first. Not `all`: only those that separate at least as much as the triangle's
    // normal, which is enough if the core is over the triangle along it. So do the next.
    void find_faces(bool all);
    // Appends the others, best first. Those that are better than this merit are all there; some others may be.
    void find_others(double better);

private:
    void sort_from(std::size_t first);
    double top(const Vec3d& u) const;
    void add(GroundAxisKind kind, const Vec3d& u, int edge, std::uint32_t part);
    bool may_reach(int k) const;
    void cross_arcs(int k);
    void cross_arc(int k, std::uint32_t e, const Vec3d& u);
    bool is_below(const GroundCone& cone, const Vec3d& at) const;
    void rim(int k);

    const GroundBody& body_;
    GroundSurface& surface_;
    const GroundTriangle& t_;
    double preference_;
    double tie_;
    std::vector<GroundAxis>& out_;
    double reach_ = 0;           // no point of one is further from any of the other
    double least_ = 0;           // separation that counts
    std::uint32_t witness_ = 0;  // vertex of the core, the lowest along the triangle's normal
};

}  // namespace lanefold::detail
