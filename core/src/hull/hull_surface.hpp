// SPDX-License-Identifier: MIT
//
// A closed triangle surface over a point set, and its exact faces: coplanar triangles are joined, and points that are
// not corners are left out. The result is a property of the points alone and does not depend on the triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/vec.hpp>

namespace lanefold::detail {

using Triangle = std::array<std::uint32_t, 3>;

inline constexpr std::uint32_t kNone = 0xFFFFFFFFU;

// Triangles are counter-clockwise seen from outside; neighbour[t][i] is across the edge from corner i to i + 1.
struct TriangleSurface {
    std::vector<Triangle> triangle;
    std::vector<Triangle> neighbour;
};

// Faces as loops of vertices, counter-clockwise seen from outside.
struct FaceLoops {
    std::vector<std::uint32_t> first;   // face f has slots first[f] .. first[f + 1]
    std::vector<std::uint32_t> vertex;  // per slot

    std::uint32_t face_count() const { return first.empty() ? 0 : static_cast<std::uint32_t>(first.size() - 1); }
    std::span<const std::uint32_t> loop(std::uint32_t f) const {
        return std::span(vertex).subspan(first[f], first[f + 1] - first[f]);
    }
    void add(std::span<const std::uint32_t> loop_vertices) {
        if (first.empty()) first.push_back(0);
        vertex.insert(vertex.end(), loop_vertices.begin(), loop_vertices.end());
        first.push_back(static_cast<std::uint32_t>(vertex.size()));
    }
};

// For each slot the slot of the opposite half-edge. Empty if some edge does not have exactly two faces that run along
// it in opposite directions.
std::vector<std::uint32_t> find_twins(const FaceLoops& faces, std::uint32_t vertex_count);

// The hull's faces: maximal exactly coplanar polygons, without points that are inside a face or an edge.
FaceLoops exact_faces(std::span<const Vec3d> points, const TriangleSurface& surface);

}  // namespace lanefold::detail
