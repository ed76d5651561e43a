// SPDX-License-Identifier: MIT
//
// The oracle of surfaces, and the judge of a body's records with one: float64 brute force over all triangles and all
// their admissible directions. It takes arrays of vertices and triangles, makes neighbours and arcs from them by
// itself, and shares no code with the engine.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/reference.hpp>

namespace lanefold::reference {

// A mesh whose edges join two triangles at most, with consistent sides.
struct OracleSurface {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    std::vector<Vec3d> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<Vec3d> normals;                            // unit
    std::vector<std::array<std::uint32_t, 3>> neighbours;  // over edge k, from corner k to the next, or kNone
    std::vector<std::vector<std::uint32_t>> rings;         // vertices beside each vertex
    std::vector<Vec3d> vertex_normals;                     // sums of the normals, weighted with the angles
    double thickness = std::numeric_limits<double>::infinity();
};

// Makes the surface of exact float32 vertices.
LANEFOLD_EXPORT OracleSurface make_oracle_surface(std::span<const Vec3f> vertices,
                                                  std::span<const std::array<std::uint32_t, 3>> triangles);

// How far u (unit) is from being admissible for a feature of triangle t: 0 if it is, otherwise about an angle. Edges
// whose faces bend by less than `flat` (a sine) are flat.
LANEFOLD_EXPORT double inadmissibility(const OracleSurface& surface, std::uint32_t t, const Vec3d& u,
                                       double flat = 1e-6);

// What a triangle is to a body.
struct OracleTriangle {
    double axes = 0;      // largest separation of core and triangle over all axes: negative if they overlap
    double distance = 0;  // Euclidean, if they are apart
    Vec3d direction;      // between the closest points, surface axes, if they are apart
    double best = 0;      // largest separation along an admissible direction
    Vec3d way;            // that direction
};

// The records of a body and a surface, to be judged.
struct JudgedGround {
    const OracleSurface* surface = nullptr;
    PoseD surface_pose;
    const OracleHull* body = nullptr;
    PoseD body_pose;
    double margin = 0;
    double preference = 0;  // Options::face_preference
};

// What the judge found. All lengths are relative to the body's size.
struct LANEFOLD_EXPORT GroundJudgement {
    std::vector<std::string> violations;
    double worst_distance = 0;
    double worst_surface = 0;  // of a witness point from its surface
    std::uint32_t cut = 0;     // triangles that the core meets
    std::uint32_t apart = 0;   // triangles apart with a contact
    std::uint32_t needless = 0;
};

LANEFOLD_EXPORT OracleTriangle examine_triangle(const JudgedGround& pair, std::uint32_t t);
LANEFOLD_EXPORT GroundJudgement judge_ground(const JudgedGround& pair, std::span<const Manifold4> records);

}  // namespace lanefold::reference
