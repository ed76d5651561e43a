// SPDX-License-Identifier: MIT
//
// The oracle: float64 brute force over every axis and every pair of features of the unmerged hulls. It is slow on
// purpose and independent of the engine: it shares no geometry code with it, builds its own triangulated topology from
// the stored vertices, and evaluates every candidate axis with full supports.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::reference {

// A triangulated convex hull in float64, input coordinates.
struct OracleHull {
    std::vector<Vec3d> vertices;
    // Three vertices by index.
    struct Triangle {
        std::uint32_t v[3];  // counter-clockwise from outside
    };
    // The ends of an edge and the two triangles that share it, by index.
    struct Edge {
        std::uint32_t v[2];
        std::uint32_t face[2];
    };
    std::vector<Triangle> triangles;
    std::vector<Vec3d> normals;  // unit, outward, one per triangle; triangles without area are left out
    std::vector<Edge> edges;
    double size = 0;          // half diagonal of the axis-aligned box, of the core
    double round_radius = 0;  // of a rounded hull: all above is its core
    double rounding = 0;      // no vertex is further from the float32 one that it was rounded to
    // Not a hull but all x with normals[0].x <= offset: nothing above but this one normal, and an infinite size.
    bool half_space = false;
    double offset = 0;
};

// Builds the hull of stored vertices (HullSet::vertices). `vertices` of the result is empty on failure (flat input).
// `round_radius`: HullRecord::round_radius; with one, the core may be a point or a segment, which has no triangles.
// `scale`: of a body (BodyView::scale); vertices and radius times it, rounded to float32 once, are the hull.
LANEFOLD_EXPORT OracleHull make_oracle_hull(std::span<const Vec3f> vertices, float round_radius = 0, float scale = 1);

// The hull of the numbers from which float32 vertices were rounded, vertex by vertex. Triangles and edges are those of
// the rounded vertices, whose signs of orientation are exact; places and normals are those of the numbers. Both lists
// have the same length. `vertices` of the result is empty on failure.
LANEFOLD_EXPORT OracleHull make_oracle_hull(std::span<const Vec3f> rounded, std::span<const Vec3d> numbers);

// The half-space of a normal of any length but 0, and an offset.
LANEFOLD_EXPORT OracleHull make_oracle_half_space(const Vec3f& normal, float offset);

// The pose of a caller's position and quaternion, which is normalised in float64. The quaternion must be valid.
LANEFOLD_EXPORT PoseD oracle_pose(const double position[3], const float orientation[4]);

// The result of signed_distance().
struct OracleResult {
    double distance = 0;  // exact signed distance: minus the minimum penetration, or the Euclidean distance
    Vec3d normal;         // a minimiser, unit, world axes, from a to b
};

// The exact signed distance of two hulls: that of their cores, less both radii. That of a half-space and a hull is the
// height of the hull's lowest vertex less its radius, and of two half-spaces infinite with a zero normal. Poses may be
// far from the origin, because all computation is relative to a's position.
LANEFOLD_EXPORT OracleResult signed_distance(const OracleHull& a, const PoseD& pose_a, const OracleHull& b,
                                             const PoseD& pose_b);

// The separation along `normal` (unit, world axes) with full supports: min over b of n.x - max over a of n.x. It never
// exceeds the signed distance, up to rounding. Of a half-space it is finite along its own normal only (within 1e-6).
LANEFOLD_EXPORT double separation_along(const OracleHull& a, const PoseD& pose_a, const OracleHull& b,
                                        const PoseD& pose_b, const Vec3d& normal);

// Signed distance of a point from the surface of a hull: <= 0 inside (minus the depth below the nearest face), > 0
// outside (Euclidean). Of a half-space it is the height over its plane. `point`: relative to the position of the hull's
// pose, world axes.
LANEFOLD_EXPORT double point_distance(const OracleHull& h, const Mat3d& rotation, const Vec3d& point);

// A child of a body: its hull and its pose in the body's frame. A body that is a hull is one child without a pose.
struct OracleChild {
    const OracleHull* hull = nullptr;
    PoseD pose;
};

// The result of signed_distance() of compounds.
struct CompoundDistance {
    double distance = 0;        // the least of all pairs of children
    std::uint32_t child_a = 0;  // the first pair that has it, by child_a, then child_b
    std::uint32_t child_b = 0;
};

// The pose of a child in the world, relative to `origin`, which is subtracted first.
LANEFOLD_EXPORT PoseD child_pose(const PoseD& body, const PoseD& child, const Vec3d& origin);

// The signed distance of two bodies of children. Poses may be far from the origin, because all computation is relative
// to a's position.
LANEFOLD_EXPORT CompoundDistance signed_distance(std::span<const OracleChild> a, const PoseD& pose_a,
                                                 std::span<const OracleChild> b, const PoseD& pose_b);

}  // namespace lanefold::reference
