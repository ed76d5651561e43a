// SPDX-License-Identifier: MIT
//
// Joining of nearly coplanar faces. A merge is measured against the final plane over all vertices of all the
// faces it takes in, so no chain of small steps can drift away; what does not stay within the tolerance, or
// would not leave a convex body of convex polygons, stays split.
#pragma once

#include <span>
#include <vector>

#include "hull_surface.hpp"

namespace lanefold::detail {

struct MergeResult {
    FaceLoops faces;
    double deviation = 0;                // largest height of a merged plane above one of its vertices; a length
    std::uint32_t dropped_vertices = 0;  // vertices in no loop any more
};

// `faces` must be the exact faces of the hull over all the points. With `allow_drop`, vertices that end up
// inside a merged face, or inside an edge between two merged faces, leave the loops; without, such merges are
// not made. The order of merging depends on geometry and numbering only.
MergeResult merge_faces(std::span<const Vec3d> points, const FaceLoops& faces, double tolerance, bool allow_drop);

// True when the loop, seen along unit normal n, is a convex polygon up to `tolerance`: the vertices that are
// no corners of its outline lie within that distance of it and follow each other in order.
bool is_convex_loop(std::span<const Vec3d> points, std::span<const std::uint32_t> loop, const Vec3d& n,
                    double tolerance);

}  // namespace lanefold::detail
