// SPDX-License-Identifier: MIT
//
// Joining of nearly coplanar faces. A merge is measured against the final plane over all vertices of all the
// faces it takes in, so no chain of small steps can drift away; what does not stay within the tolerance, or
// would not leave a convex body of convex polygons, stays split.
#pragma once

#include <span>
#include <vector>

#include "build/mesh.hpp"
#include "build/surface.hpp"

namespace lanefold::detail {

// Faces of one region must look the same way: the cosine keeps the two sides, or a side and the rim, of a
// plate that is hardly thicker than the tolerance from being taken for one face. Slivers are exempt: a face
// thinner than the tolerance has no direction worth respecting.
inline constexpr double kSameWay = 0.5;

struct MergeResult {
    FaceLoops faces;
    double deviation = 0;                // largest height of a merged plane above one of its vertices; a length
    std::uint32_t dropped_vertices = 0;  // vertices in no loop any more
};

// `faces` must be the exact faces of the hull over all the points. With Drop::all, vertices that end up inside
// a merged face, or inside an edge between two faces, leave the loops; some may be left with two faces, where
// an edge could not be made straight: the caller sees that in the topology and asks again with Drop::none. The
// order of merging depends on geometry and numbering only.
MergeResult merge_faces(std::span<const Vec3d> points, const FaceLoops& faces, double tolerance, Drop drop);

// True when the loop, seen along unit normal n, is a convex polygon up to `tolerance`: the vertices that are
// no corners of its outline lie within that distance of it and follow each other in order.
bool is_convex_loop(std::span<const Vec3d> points, std::span<const std::uint32_t> loop, const Vec3d& n,
                    double tolerance);

}  // namespace lanefold::detail
