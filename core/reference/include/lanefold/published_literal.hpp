// SPDX-License-Identifier: MIT
//
// The two published methods exactly as published, step by step, with their errors: for study, and as a reference for
// other ports of them. Scalar, float64. published.hpp has the corrected versions; docs/methods.md lists each correction
// with a pair that shows it.
//
// Sources: "convex hull collisions in 3d" (separating axes, one contact point) and its sequel on the contact manifold
// (clipping on the collision plane). The order of the tests, the tolerances and the choice between candidates are the
// same.
//
// Frames and signs as in published.hpp. Polyhedra as published: the loop of a face is used as given, and must be in
// cyclic order for clipping_manifold().
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/published.hpp>

namespace lanefold::published::literal {

// Absolute, in the caller's unit, as published.
inline constexpr double kEpsilon = 1e-8;

// Both queries return nullopt if an axis separates the hulls. That test comes before all others of an axis.

// A face is skipped if `other` is entirely behind it, however shallow that is.
LANEFOLD_EXPORT std::optional<FaceDirection> query_face_directions(const Polyhedron& hull, const Polyhedron& other);
// Pairs of edges at less than 30 degrees are skipped. The axis points against the first edge's side of the second,
// wherever the hulls are. Whether the edges meet is not tested: mu_a and mu_b stay 0.
LANEFOLD_EXPORT std::optional<EdgeDirection> query_edge_directions(const Polyhedron& a, const Polyhedron& b);

// Closest points of the lines through p1, p2 and p3, p4. nullopt if an edge is shorter than kEpsilon or the determinant
// of the system is below it. The determinant has the unit length^4, so all edges of a hull a centimetre wide fail.
LANEFOLD_EXPORT std::optional<LinePoints> line_line(const Vec3d& p1, const Vec3d& p2, const Vec3d& p3, const Vec3d& p4);

// Whether x is on one side of all sides of `face`, by at least kEpsilon each.
LANEFOLD_EXPORT bool point_in_polygon(const Polyhedron& hull, const std::vector<std::uint32_t>& face,
                                      const Vec3d& normal, const Vec3d& x);

// The result of either source.
struct Result {
    bool colliding = false;
    // False: every axis was skipped (type "none"). The source then reads index -1 of its arrays.
    bool found = false;
    Info info;  // as in published::Collision; only valid if found
    Vec3d mtv;
    std::uint32_t incident_face = 0;  // on the hull that info.type does not name; clipping_manifold() only
    // One point for separating_axes(), none if the closest points of the edges' lines failed. All separations are that
    // of info, because the source computes no others.
    std::vector<ClipPoint> points;
};

// The first source: the largest of the three separations wins, face of A before face of B before edges.
LANEFOLD_EXPORT Result separating_axes(const Polyhedron& a, const Polyhedron& b);

// The second source: edges win only by more than kEpsilon, and only if the closest points of their lines lie on the
// edges; otherwise the better face is clipped. The points, in order: incident vertices, reference vertices (moved by
// -mtv for either type, which is the wrong way for a face of B), crossings.
LANEFOLD_EXPORT Result clipping_manifold(const Polyhedron& a, const Polyhedron& b);

}  // namespace lanefold::published::literal
