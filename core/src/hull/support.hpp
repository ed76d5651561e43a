// SPDX-License-Identifier: MIT
//
// Supports of a hull along a direction by walking over its edges. So the build of a hull with 100,000 vertices and
// faces need not test every face against every vertex.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hull/hull_surface.hpp"

namespace lanefold::detail {

// Neighbours of every vertex along the edges of a hull's faces.
class VertexGraph {
public:
    VertexGraph(const FaceLoops& faces, std::uint32_t vertex_count);

    std::span<const std::uint32_t> around(std::uint32_t v) const {
        return std::span(neighbour_).subspan(first_[v], first_[v + 1] - first_[v]);
    }

private:
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> neighbour_;
};

// Largest value of n.(x - x_start) over the vertices x of a convex hull, by hill climbing from `start` (on a convex
// hull a local maximum over the edges is the global one). Exact up to the rounding of the products.
double support_maximum(std::span<const Vec3d> points, const VertexGraph& graph, const Vec3d& n, std::uint32_t start);

// Lists the vertices whose value n.x is within `slack` of the support maximum, and some others. On a convex hull these
// vertices are connected by edges, so a walk from one of them, or from a vertex on the way up, finds all.
class SupportCap {
public:
    SupportCap(std::span<const Vec3d> points, const VertexGraph& graph)
        : points_(points), graph_(graph), seen_(points.size(), 0) {}

    std::span<const std::uint32_t> find(const Vec3d& n, std::uint32_t start, double slack);

private:
    std::span<const Vec3d> points_;
    const VertexGraph& graph_;
    std::vector<std::uint32_t> seen_;
    std::vector<std::uint32_t> found_;
    std::uint32_t call_ = 0;
};

}  // namespace lanefold::detail
