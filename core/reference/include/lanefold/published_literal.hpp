// SPDX-License-Identifier: MIT
//
// The two published methods exactly as published, step by step, with what is wrong in them: for study, and to hold
// other ports of them against. Scalar, float64. The mended versions are in published.hpp; docs/methods.md lists what
// was mended, each with a pair that shows it.
//
// Sources: "convex hull collisions in 3d" (separating axes, one contact point) and its sequel on the contact manifold
// (clipping on the collision plane). Both are known to every reader of the demo pages: same order of the tests,
// same tolerances, same choice between candidates.
//
// Frames and signs as in published.hpp. Polyhedra as published: the loop of a face is taken as it is given, and must be
// in cyclic order for clipping_manifold().
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <lanefold/published.hpp>

namespace lanefold::published::literal {

// Absolute, in the caller's unit, as published.
inline constexpr double kEpsilon = 1e-8;

// Both queries: nullopt when an axis separates the hulls, which is looked for before anything else is asked of it.

// A face is passed over when `other` lies wholly behind it, however shallow that is.
std::optional<FaceDirection> query_face_directions(const Polyhedron& hull, const Polyhedron& other);
// Pairs of edges at less than 30 degrees are passed over. The axis points against the first edge's side of the second,
// wherever the hulls lie, and nothing asks whether the edges meet: mu_a and mu_b stay 0.
std::optional<EdgeDirection> query_edge_directions(const Polyhedron& a, const Polyhedron& b);

// Closest points of the lines through p1, p2 and p3, p4. nullopt: an edge is shorter than kEpsilon, or the determinant
// of the system is below it, which has the unit length^4: all edges of a hull a centimetre wide fail.
std::optional<LinePoints> line_line(const Vec3d& p1, const Vec3d& p2, const Vec3d& p3, const Vec3d& p4);

// Are all sides of `face` passed on one side by x, each by kEpsilon at least?
bool point_in_polygon(const Polyhedron& hull, const std::vector<std::uint32_t>& face, const Vec3d& normal,
                      const Vec3d& x);

struct Result {
    bool colliding = false;
    // False: every axis was passed over (type "none"). The source then reads index -1 of its arrays.
    bool found = false;
    Info info;  // as in published::Collision; meaningless unless found
    Vec3d mtv;
    std::uint32_t incident_face = 0;  // of the hull that info.type does not name; clipping_manifold() only
    // One for separating_axes(), none when the closest points of the edges' lines could not be told. Separations are
    // all those of info: the source tells no others.
    std::vector<ClipPoint> points;
};

// The first source: the largest of the three separations wins, face of A before face of B before edges.
Result separating_axes(const Polyhedron& a, const Polyhedron& b);

// The second source: edges win only by more than kEpsilon, and only if the closest points of their lines lie on the
// edges; otherwise the better face is clipped. The points, in order: incident vertices, reference vertices (for a face
// of B on the wrong side: moved by -mtv for either type), crossings.
Result clipping_manifold(const Polyhedron& a, const Polyhedron& b);

}  // namespace lanefold::published::literal
