// SPDX-License-Identifier: MIT
//
// Canonical numbering of a hull's faces and edges (see detail/hull_block.hpp), from its face loops alone.
#pragma once

#include <cstdint>
#include <vector>

#include "hull/hull_surface.hpp"

namespace lanefold::detail {

struct HullTopology {
    FaceLoops faces;                          // loops start at their lowest vertex; sorted lexicographically
    std::vector<std::uint32_t> edge_vertex;   // v0, v1 interleaved, v0 < v1; sorted
    std::vector<std::uint32_t> edge_face0;    // the face in whose loop the edge runs v0 -> v1
    std::vector<std::uint32_t> edge_face1;    // the other one
    std::vector<std::uint32_t> face_edge;     // per loop slot: the edge to the loop's next vertex
    std::vector<std::uint32_t> vertex_first;  // V + 1
    std::vector<std::uint32_t> vertex_face;   // faces around each vertex, ascending

    std::uint32_t edge_count() const { return static_cast<std::uint32_t>(edge_face0.size()); }
};

// The loops rotated to start at their lowest vertex, and sorted lexicographically.
FaceLoops canonical_faces(const FaceLoops& faces);

// Returns false if the loops are not a closed surface of a sphere's topology over all the vertices: an edge without
// exactly two faces, a face or vertex with fewer than three edges, a vertex twice in a loop, V - E + F != 2.
bool make_topology(const FaceLoops& faces, std::uint32_t vertex_count, HullTopology& out);

}  // namespace lanefold::detail
