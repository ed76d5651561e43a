// SPDX-License-Identifier: MIT
//
// The oracle of surfaces: float64 brute force over all triangles and all their admissible directions. It takes arrays
// of vertices and triangles, makes neighbours and arcs from them by itself, and shares no code with the engine.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/reference.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::reference {

// A mesh. Triangles that run through an edge in the same direction are no neighbours, and of more than two at an edge
// those are that bound the same outer wedge.
struct OracleSurface {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    std::vector<Vec3d> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<Vec3d> normals;                            // unit
    std::vector<std::array<std::uint32_t, 3>> neighbours;  // over edge k, from corner k to the next, or kNone
    std::vector<std::vector<std::uint32_t>> rings;         // vertices beside each vertex
    std::vector<Vec3d> vertex_normals;                     // sums of the normals, weighted with the angles
    std::vector<std::vector<std::uint32_t>> fans;          // triangles at each vertex
    std::vector<bool> at_border;                           // whether an edge at the vertex has one triangle
    double thickness = std::numeric_limits<double>::infinity();
};

// Makes the surface of exact float32 vertices.
LANEFOLD_EXPORT OracleSurface make_oracle_surface(std::span<const Vec3f> vertices,
                                                  std::span<const std::array<std::uint32_t, 3>> triangles);

// Which directions of a vertex at a border count: where some of its triangles face a direction and others look away, a
// cut across it runs to and fro, and nobody can tell its sense.
enum class BorderCone : std::uint8_t { that_any_faces, that_all_face };

// How far u (unit) is from being admissible for a feature of triangle t: 0 if it is, otherwise about an angle. Edges
// whose faces bend by less than 1e-6 (a sine) are flat.
LANEFOLD_EXPORT double inadmissibility(const OracleSurface& surface, std::uint32_t t, const Vec3d& u,
                                       BorderCone border = BorderCone::that_any_faces);

// How a body lies to a triangle.
struct OracleTriangle {
    double axes = 0;      // largest separation of core and triangle over all axes: negative if they overlap
    double distance = 0;  // Euclidean, if they are apart
    Vec3d direction;      // between the closest points, surface axes, if they are apart
    double best = 0;      // largest separation along an admissible direction
    Vec3d way;            // that direction
    double normals = 0;   // largest one along a normal of the surface, of those directions
    Vec3d normal;         // that one
};

// A body and a surface where they are, in the surface's axes, about the body's position.
class LANEFOLD_EXPORT SurfaceExaminer {
public:
    // The surface must outlive the examiner.
    SurfaceExaminer(const OracleSurface& surface, const PoseD& surface_pose, const OracleHull& body,
                    const PoseD& body_pose, double margin);

    // The radius by which the body is rounded.
    double radius() const { return radius_; }
    // The body's size, radius included.
    double size() const { return size_; }
    // The corners of a triangle.
    std::array<Vec3d, 3> corners(std::uint32_t t) const;
    // The separation of the core and a triangle of these corners along u (unit), with full supports.
    double separation(const std::array<Vec3d, 3>& c, const Vec3d& u) const;
    // The largest one over the normals of both and the products of their edges.
    double largest_separation(const std::array<Vec3d, 3>& c, const Vec3d& normal) const;
    // The distance of the core from such a triangle, if they are apart.
    double euclidean(const std::array<Vec3d, 3>& c) const;
    // The separation of the core's deepest point over such a triangle along u; of a core without faces with full
    // supports, which is no more.
    double separation_over(const std::array<Vec3d, 3>& c, const Vec3d& u) const;
    // Axes, distance and direction of triangle t alone.
    OracleTriangle lies(std::uint32_t t) const;
    // All of this about triangle t.
    OracleTriangle examine(std::uint32_t t) const;

private:
    // The part of a triangle over which some of the body must be, so that a direction counts: any, where a face gives
    // it; the edge or corner that is extreme; a corner.
    enum class Over : std::uint8_t { any, extreme, corner };

    double lowest(const Vec3d& u) const;
    double deepest_over(const Vec3d& p, const Vec3d& q, const Vec3d& u) const;
    bool is_over(const Vec3d& p, const Vec3d& q, const Vec3d& u) const;
    bool is_segment_over(const Vec3d& p, const Vec3d& q, const Vec3d& u) const;
    bool is_over_extreme(const std::array<Vec3d, 3>& c, const Vec3d& u) const;
    void closest(const std::array<Vec3d, 3>& c, OracleTriangle& out) const;
    template <class Offer>
    void across(const Vec3d& along, const std::pair<Vec3d, Vec3d>& e, const Offer& offer) const;
    template <class Offer>
    void each_rim(std::uint32_t v, const Offer& offer) const;
    template <class Offer>
    void each_normal(std::uint32_t t, const std::array<Vec3d, 3>& c, const Offer& offer) const;
    template <class Offer>
    void each_direction(std::uint32_t t, const std::array<Vec3d, 3>& c, const Offer& offer) const;

    const OracleSurface& surface_;
    double margin_ = 0;
    std::vector<Vec3d> vertices_;
    std::vector<Vec3d> normals_;
    std::vector<std::pair<Vec3d, Vec3d>> edges_;
    std::vector<std::array<Vec3d, 3>> triangles_;
    double radius_ = 0;
    double size_ = 0;
    Vec3d shift_;  // from the surface's coordinates to these
};

}  // namespace lanefold::reference
