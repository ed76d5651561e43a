// SPDX-License-Identifier: MIT
//
// Collision of two convex hulls by separating axes and clipping on the collision plane: the published query functions
// under their names, with their errors corrected. Scalar, in float64, for study and as an independent calculation.
// published_literal.hpp has the methods exactly as published; docs/methods.md lists the corrections. The engine does
// not use any of it.
//
// Source: the separating axis test for convex polyhedra (S. Gottschalk, "Separating axis theorem", 1996; face and edge
// directions after D. Gregorius, GDC 2013), in the form of the published example, which the tests reproduce to 1e-12
// (tetrahedron against cube).
//
// Frames: both hulls are given in one common frame (world). Lengths are absolute.
//
// Signs: `normal` points from A to B, `separation` is negative if the hulls overlap, and mtv = -separation * normal
// moves B out of A (-mtv moves A out of B). The published example has these signs if its tetrahedron is A and its cube
// B.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::published {

// A convex polyhedron in the form of the published data. The vertices of a face need not be in cyclic order (some of
// the published cube's are not); normals are unit and outward, one per face.
struct Polyhedron {
    std::vector<Vec3d> positions;
    std::vector<std::vector<std::uint32_t>> faces;
    std::vector<std::array<std::uint32_t, 2>> edges;
    std::vector<Vec3d> normals;
};

// A hull of a set with its canonical faces and edges, placed by a pose. Normals are recomputed in float64
// from the stored vertices.
LANEFOLD_EXPORT Polyhedron make_polyhedron(const HullRecord& hull, const PoseD& pose);

// The tolerance of the published queries.
struct Settings {
    // Absolute, in the caller's unit: faces win ties against edges within it, and a pair of edges counts as supporting
    // if its ends are this near to the extremes.
    double epsilon = 1e-8;
};

// Extremes of a polyhedron along an axis; the lowest index wins ties. Values are axis . position.
struct Supports {
    std::uint32_t min_index = 0;
    std::uint32_t max_index = 0;
    double min_value = 0;
    double max_value = 0;
};
LANEFOLD_EXPORT Supports supports_along(const Polyhedron& hull, const Vec3d& axis);

// The face direction of `hull` with the largest separation from `other` (or the smallest overlap).
struct FaceDirection {
    bool found = false;         // false: there is no face, or (literal) every face was skipped
    std::uint32_t face = 0;     // of `hull`
    std::uint32_t support = 0;  // vertex of `other` furthest against the face normal
    double separation = 0;
};
LANEFOLD_EXPORT FaceDirection query_face_directions(const Polyhedron& hull, const Polyhedron& other);

// The pair of edges whose common perpendicular has the largest separation, among the pairs that touch when the hulls
// are moved apart along it: both edges are extreme along the direction, and the closest points of their lines lie on
// them.
struct EdgeDirection {
    bool found = false;
    std::uint32_t edge_a = 0;
    std::uint32_t edge_b = 0;
    double separation = 0;
    Vec3d normal;     // unit, from A to B
    double mu_a = 0;  // closest point on edge a: first end + mu_a * (second - first)
    double mu_b = 0;
};
LANEFOLD_EXPORT EdgeDirection query_edge_directions(const Polyhedron& a, const Polyhedron& b,
                                                    const Settings& settings = {});

// Closest points of the lines p + mu u and q + mu v. Parallel lines (cross product zero in float64) have infinitely
// many; the result then has mu_p = 0.
struct LinePoints {
    bool parallel = false;
    double mu_p = 0;
    double mu_q = 0;
    Vec3d on_p;
    Vec3d on_q;
};
LANEFOLD_EXPORT LinePoints closest_points_of_lines(const Vec3d& p, const Vec3d& u, const Vec3d& q, const Vec3d& v);

// Which axis has the largest separation.
enum class Type : std::uint8_t {
    face_a = 0,  // "A": index = {face of A, support vertex of B}
    face_b = 1,  // "B": index = {face of B, support vertex of A}
    edges = 2,   // "E": index = {edge of A, edge of B}
};

// The axis with the largest separation.
struct Info {
    Type type = Type::face_a;
    std::array<std::uint32_t, 2> index{};
    double separation = 0;  // positive: the hulls are apart by at least this
    Vec3d normal;           // unit, from A to B
};

// The result of collide().
struct Collision {
    bool colliding = false;  // separation <= 0
    Vec3d mtv;               // -separation * normal: moves B out of A; zero if not colliding
    Vec3d point;             // edges: closest point on A's edge; faces: the support vertex
    Info info;
};
// The axis with the largest separation among the face directions of both hulls and all edge directions.
LANEFOLD_EXPORT Collision collide(const Polyhedron& a, const Polyhedron& b, const Settings& settings = {});

// Placement of the points of clip_on_collision_plane(). They come from three sources: incident vertices inside the
// reference face; reference vertices inside the incident face, only if the faces are flush; crossings of the two
// outlines.
enum class Placement : std::uint8_t {
    // As published: on the incident hull's surface, and only points on the plane in which the hulls touch at the
    // instant of collision (|height - separation| < epsilon). The incident face is the most anti-parallel one of the
    // other hull, which need not contain the deepest vertex.
    incident_surface = 0,
    // As in the engine: midway between the surfaces along the normal, with tolerances relative to the smaller hull, and
    // reference vertices whether the faces are flush or not. The incident face is the most anti-parallel one around the
    // support vertex.
    midway = 1,
};
// Placement and selection of the points of clip_on_collision_plane().
struct ClipSettings {
    Placement placement = Placement::incident_surface;
    double epsilon = 1e-8;                        // absolute; incident_surface only
    PointSelection points = PointSelection::all;  // midway only
    double margin = 0;                            // midway only: keep separation <= margin
};

// The source of a point.
enum class PointSource : std::uint8_t { incident_vertex = 0, reference_vertex = 1, crossing = 2, edges = 3 };

// A point of clip_on_collision_plane().
struct ClipPoint {
    Vec3d position;
    double separation = 0;
    PointSource source = PointSource::incident_vertex;
    // incident_vertex, reference_vertex: the vertex (twice); crossing: {edge slot of the reference face's
    // outline, of the incident face's}; edges: {edge of A, edge of B}.
    std::array<std::uint32_t, 2> index{};
};

// The points of clip_on_collision_plane().
struct ClipManifold {
    std::uint32_t reference_face = 0;  // on the hull that info.type names; 0 for edges
    std::uint32_t incident_face = 0;
    std::vector<ClipPoint> points;
};
// Clips the incident face of a collision by the reference face, on the plane of the collision.
LANEFOLD_EXPORT ClipManifold clip_on_collision_plane(const Polyhedron& a, const Polyhedron& b,
                                                     const Collision& collision, const ClipSettings& settings = {});

// Selects points of any method here and in sutherland_hodgman.hpp and contact_features.hpp: keeps those that touch at
// the instant of collision, at most `band` (absolute) above the deepest one. The batch calls use 0.001 of the smaller
// hull's size.
template <class Point>
void keep_points_at_impact(std::vector<Point>& points, double band) {
    double deepest = std::numeric_limits<double>::infinity();
    for (const Point& p : points) deepest = p.separation < deepest ? p.separation : deepest;
    std::erase_if(points, [&](const Point& p) { return !(p.separation <= deepest + band); });
}

// The vertices of a face in cyclic order, counter-clockwise seen from outside, starting with the face's first.
LANEFOLD_EXPORT std::vector<std::uint32_t> cyclic_face(const Polyhedron& hull, std::uint32_t face);

// Whether the projection of x along `normal` is strictly inside the convex polygon, by its edge planes. The polygon may
// wind either way.
LANEFOLD_EXPORT bool strictly_inside(const std::vector<Vec3d>& polygon, const Vec3d& normal, const Vec3d& x);

}  // namespace lanefold::published
