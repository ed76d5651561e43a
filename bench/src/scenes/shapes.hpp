// SPDX-License-Identifier: MIT
//
// Hulls of synthetic scenes and their bodies: boxes, prisms, and rocks with an exact number of vertices, of which the
// generator of scenes gives a range only.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

#include "generate/random.hpp"

namespace lanefold::bench {

// `count` points spread over an ellipsoid, every one of them a vertex: triangles only, 2 count - 4 faces.
std::vector<Vec3f> rock_points(tools::Random& random, std::size_t count);

// The corners of a box, its middle at the origin.
std::vector<Vec3f> box_points(double x, double y, double z);
// Upright, of n sides, its middle at the origin.
std::vector<Vec3f> prism_points(int n, double radius, double height = 1);

// The turn b, then a.
Quat times(const Quat& a, const Quat& b);
// `axis`: a unit vector.
Quat about(const Vec3d& axis, double angle);
Body body_at(std::uint32_t hull, const Vec3d& position, const Quat& q);
void shift(Body& body, const Vec3d& by);

}  // namespace lanefold::bench
