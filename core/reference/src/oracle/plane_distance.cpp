// SPDX-License-Identifier: MIT
//
// Half-spaces: the height of every vertex over the plane, by brute force.
#include "oracle/plane_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanefold::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// How far a direction may be from the plane's normal and count as it.
constexpr double kSameDirection = 1e-6;

double lowest_over(const OracleHull& plane, const PoseD& pose_plane, const OracleHull& hull, const PoseD& pose_hull) {
    const Vec3d apart = pose_hull.position - pose_plane.position;
    double lowest = kInfinity;
    for (const Vec3d& v : hull.vertices) {
        const Vec3d x = transpose_times(pose_plane.rotation, pose_hull.rotation * v + apart);
        lowest = std::min(lowest, height_over(plane, x));
    }
    return lowest - hull.round_radius;
}

}  // namespace

OracleHull make_oracle_half_space(const Vec3f& normal, float offset) {
    OracleHull out;
    out.half_space = true;
    out.normals.push_back(normalized(to_double(normal)));
    out.offset = static_cast<double>(offset);
    out.size = kInfinity;
    return out;
}

double height_over(const OracleHull& half_space, const Vec3d& x) {
    return dot(half_space.normals[0], x) - half_space.offset;
}

OracleResult half_space_distance(const OracleHull& a, const PoseD& pose_a, const OracleHull& b, const PoseD& pose_b) {
    if (a.half_space && b.half_space) return {kInfinity, {}};
    if (a.half_space) return {lowest_over(a, pose_a, b, pose_b), pose_a.rotation * a.normals[0]};
    return {lowest_over(b, pose_b, a, pose_a), -(pose_b.rotation * b.normals[0])};
}

double half_space_separation(const OracleHull& a, const PoseD& pose_a, const OracleHull& b, const PoseD& pose_b,
                             const Vec3d& normal) {
    const OracleResult along = half_space_distance(a, pose_a, b, pose_b);
    return length(normal - along.normal) <= kSameDirection ? along.distance : -kInfinity;
}

}  // namespace lanefold::reference
