// SPDX-License-Identifier: MIT
//
// A mesh while it is built, and the builder's steps in their order (mesh_builder.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <lanefold/surface.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

using Corners = std::array<std::uint32_t, 3>;

struct MeshDraft {
    std::vector<Vec3f> points;  // surface coordinates
    std::vector<Corners> triangles;
    std::vector<std::uint32_t> input;  // per triangle: its number in the input
    double tolerance = 0;              // see SurfaceReport::weld_tolerance
    double largest = 0;                // see SurfaceView::largest_coordinate
    Vec3d shift;
    double rounding = 0;
    SurfaceReport report;

    Vec3d at(std::uint32_t v) const { return to_double(points[v]); }
    void add(const Corners& corners, std::uint32_t number) {
        triangles.push_back(corners);
        input.push_back(number);
    }
    // Removes the triangles for which leave_out(t) holds. The others keep their order.
    template <class LeaveOut>
    void remove(const LeaveOut& leave_out) {
        std::size_t kept = 0;
        for (std::uint32_t t = 0; t < triangles.size(); ++t) {
            if (leave_out(t)) continue;
            triangles[kept] = triangles[t];
            input[kept++] = input[t];
        }
        triangles.resize(kept);
        input.resize(kept);
    }
};

inline void note(SurfaceFinding& finding, std::uint32_t place) {
    if (finding.count < SurfaceFinding::kPlaces) finding.places[finding.count] = place;
    ++finding.count;
}

// The least height of a triangle: over its longest side.
inline double least_height(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double area = length(cross(b - a, c - a));
    const double longest = std::sqrt(std::max({length_squared(b - a), length_squared(c - b), length_squared(a - c)}));
    return longest > 0 ? area / longest : 0;
}

// Joins points from `first` on that triangles use with the earliest point within the tolerance, and rewrites triangles.
void weld(MeshDraft& draft, std::uint32_t first);

// Leaves out triangles with two equal corners, or not higher than the tolerance.
void leave_out_degenerate(MeshDraft& draft);

// The half-edges across the edges of all triangles, and what is unusual about them.
struct EdgeMatch {
    std::vector<std::uint32_t> opposites;     // see MeshArrays
    std::vector<std::uint32_t> non_manifold;  // half-edges of edges that more than two triangles share
    std::vector<std::uint32_t> winding;       // half-edges of two triangles that run through an edge alike
};
EdgeMatch match_edges(const MeshDraft& draft);

// Leaves out triangles with the corners of an earlier one, and pairs of triangles with the same corners in opposite
// senses if `opposite`. Returns whether there were any; then `match` is out of date.
bool leave_out_copies(MeshDraft& draft, const EdgeMatch& match, bool opposite);

// Cuts away what lies on triangles with the opposite sense. Returns whether there was anything.
bool cut_opposite(MeshDraft& draft);

// Divides triangles with vertices on their unmatched edges. Returns whether there were any.
bool split_edges(MeshDraft& draft, const EdgeMatch& match);
// Counts the triangles that split_edges would divide.
void count_unhealed(MeshDraft& draft, const EdgeMatch& match);

}  // namespace lanefold::detail
