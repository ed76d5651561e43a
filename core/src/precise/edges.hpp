// SPDX-License-Identifier: MIT
//
// Search for the best edge axis.
#pragma once

#include <cstdint>

#include "precise/memory.hpp"
#include "precise/problem.hpp"

namespace lanefold::detail {

// An axis of two edges; none if `edge_a` is kNoIndex.
struct EdgeAxis {
    std::uint32_t edge_a = kNoIndex;
    std::uint32_t edge_b = kNoIndex;
    Vec3d normal;  // A to B, local A
    double separation = 0;
};

// Finds the best edge axis among those better than `best_face`. Returns false if one separates the hulls by more than
// the margin.
bool search_edges(Problem& p, PreciseScratch::Impl& memory, double best_face, EdgeAxis& best);
// Closest points of the lines of two edges, clamped to the edges.
struct EdgePoints {
    Vec3d p;
    Vec3d q;
    double s = 0;  // parameters on the edges, before clamping
    double t = 0;
    bool parallel = false;
};
EdgePoints closest_on_edges(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1);
// The same for edge `a` of A and edge `b` of B.
EdgePoints closest_on_edges(const Problem& p, std::uint32_t a, std::uint32_t b);

}  // namespace lanefold::detail
