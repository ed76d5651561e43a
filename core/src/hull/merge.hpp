// SPDX-License-Identifier: MIT
//
// Merges nearly coplanar faces. A merge is measured against its final plane, over all vertices of all its faces, so a
// chain of small steps cannot drift. Faces stay split if they exceed the tolerance, or if the result would not be a
// convex body of convex polygons.
#pragma once

#include <span>
#include <vector>

#include "hull/hull_surface.hpp"
#include "hull/mesh.hpp"

namespace lanefold::detail {

// Least cosine between a face of a region and the region's normal. It keeps the two sides of a plate that is hardly
// thicker than the tolerance, or a side and the rim, from becoming one face. Slivers are exempt, because the direction
// of a face that is thinner than the tolerance means nothing.
inline constexpr double kSameWay = 0.5;

struct MergeResult {
    FaceLoops faces;
    double deviation = 0;                // length: largest height of a merged plane above one of its vertices
    std::uint32_t dropped_vertices = 0;  // vertices that are in no loop after merging
};

// `faces`: the exact faces of the hull over all the points. With Drop::all, vertices inside a merged face, or inside an
// edge between two faces, leave the loops. Some vertices may be left with two faces, where an edge could not be made
// straight; the caller detects that in the topology and calls again with Drop::none. The order of merging depends on
// geometry and numbering only.
MergeResult merge_faces(std::span<const Vec3d> points, const FaceLoops& faces, double tolerance, Drop drop);

// True if the loop, seen along unit normal n, is a convex polygon up to `tolerance`: the vertices that are not corners
// of its outline are within that distance of it and in order.
bool is_convex_loop(std::span<const Vec3d> points, std::span<const std::uint32_t> loop, const Vec3d& n,
                    double tolerance);

}  // namespace lanefold::detail
