// SPDX-License-Identifier: MIT
//
// Closest points of a core and a triangle, by every pair of features. A core before terrain has few, and no iteration
// has to converge.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/ground_body.hpp"
#include "ground/triangle.hpp"

namespace lanefold::detail {

// A feature of a triangle: its face, edge 0 to 2 or corner 0 to 2.
struct TriangleFeature {
    FeatureType type = FeatureType::face;
    int index = 0;
};

struct GroundClosest {
    double distance = 0;
    Vec3d on_body;
    Vec3d on_triangle;
    Feature body;
    TriangleFeature triangle;
};

// The closest points. The core must not cut the triangle, or the distance is that of the nearest features. If it is
// more than `most`, only that is true of the result.
GroundClosest closest_points(const GroundBody& body, const GroundTriangle& t, double most);

// Memory of the next two, reused from call to call.
struct GroundCut {
    std::vector<Vec3d> polygon;
    std::vector<Vec3d> rest;
};

// Whether the core and the triangle have a common point.
bool overlap(const GroundBody& body, const GroundTriangle& t, GroundCut& memory);

// The same for a core that is moved by `shift` and shrunk by `slack` in every direction of its faces. For a core
// without faces: whether it is nearer than `radius` at its new place.
bool overlap_moved(const GroundBody& body, const GroundTriangle& t, const Vec3d& shift, double slack,
                   GroundCut& memory);

}  // namespace lanefold::detail
