// SPDX-License-Identifier: MIT
//
// The half-edge mesh on which nearly coplanar faces are merged: its faces, the exact faces that each replaces, and the
// test whether a merged face is a face of a convex body. build/merge.cpp decides what to merge.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hull/hull_surface.hpp"
#include "hull/support.hpp"

namespace lanefold::detail {

// The vertices that may leave the loops.
enum class Drop : std::uint8_t { none, all };

// A face that may replace a region of faces.
struct FaceFit {
    std::vector<std::uint32_t> region;    // the faces that it replaces
    std::vector<std::uint32_t> boundary;  // half-edges, in loop order
    std::vector<std::uint32_t> inner;     // vertices inside, which would leave the loops
    Vec3d area;                           // Newell's normal
    Vec3d normal;
};

class FaceMesh {
public:
    FaceMesh(std::span<const Vec3d> points, const FaceLoops& faces, double tolerance, Drop drop);

    std::uint32_t face_count() const { return static_cast<std::uint32_t>(start_.size()); }
    std::uint32_t half_edge_count() const { return static_cast<std::uint32_t>(next_.size()); }
    std::span<const Vec3d> points() const { return points_; }
    double tolerance() const { return tolerance_; }
    Drop drop() const { return drop_; }

    // Faces. A face that another one replaces is not alive.
    bool alive(std::uint32_t f) const { return start_[f] != kNone; }
    bool touched(std::uint32_t f) const { return touched_[f]; }                // merged, or lost vertices
    bool sliver(std::uint32_t f) const { return sliver_[f] && !touched_[f]; }  // exact and thinner than the tolerance
    const Vec3d& area(std::uint32_t f) const { return area_[f]; }
    const Vec3d& normal(std::uint32_t f) const { return normal_[f]; }
    const std::vector<std::uint32_t>& inner(std::uint32_t f) const { return inner_[f]; }
    const std::vector<std::uint32_t>& members(std::uint32_t f) const { return members_[f]; }
    std::vector<std::uint32_t> half_edges(std::uint32_t f) const;
    std::vector<std::uint32_t> loop(std::uint32_t f) const;

    // Half-edges.
    std::uint32_t vertex(std::uint32_t h) const { return vertex_[h]; }
    std::uint32_t next(std::uint32_t h) const { return next_[h]; }
    std::uint32_t previous(std::uint32_t h) const { return previous_[h]; }
    std::uint32_t twin(std::uint32_t h) const { return twin_[h]; }
    std::uint32_t face(std::uint32_t h) const { return face_[h]; }
    std::uint32_t across(std::uint32_t h) const { return face_[twin_[h]]; }

    // How far the vertices of a face with unit normal n are below the hull's support along n, at most.
    double spread(std::span<const std::uint32_t> vertices, const Vec3d& n) const;
    double support(const Vec3d& n, std::uint32_t from) const { return support_maximum(points_, graph_, n, from); }

    // All vertices that the faces of a region replace or contain.
    std::vector<std::uint32_t> vertices_of(std::span<const std::uint32_t> region);

    // Computes the face that would replace a region: one simple loop, convex, with all its vertices within the
    // tolerance of its plane. Returns false if there is none.
    bool fit(std::span<const std::uint32_t> region, FaceFit& out);
    void apply(const FaceFit& fit);
    // Undoes apply() for one of the region's faces.
    void restore(const FaceFit& face, std::span<const std::uint32_t> members, bool touched);
    // Restores the exact faces that face f replaces. Not allowed after edges were straightened.
    void dissolve(std::uint32_t f);

    // A neighbour with which face f cannot stay, or kNone: their common edge is not convex, they meet along several
    // runs of edges or along a run that cannot become one edge, or f would have only two edges left.
    std::uint32_t conflict(std::uint32_t f);

    // True if the vertices are within the tolerance of the segment, in order.
    bool near_segment(std::uint32_t from, std::span<const std::uint32_t> between, std::uint32_t to) const;

    // For straightening: sets links, and a face's new plane and vertices.
    void connect(std::uint32_t a, std::uint32_t b) {
        next_[a] = b;
        previous_[b] = a;
    }
    void pair(std::uint32_t a, std::uint32_t b) {
        twin_[a] = b;
        twin_[b] = a;
    }
    void start_at(std::uint32_t h) { start_[face_[h]] = h; }
    void set_plane(std::uint32_t f, const Vec3d& area);
    void take_inner(std::uint32_t f, std::span<const std::uint32_t> vertices);
    bool edges_convex(std::uint32_t f) const;

private:
    void link(std::uint32_t f, std::span<const std::uint32_t> boundary);
    std::vector<std::uint32_t> boundary_of(std::span<const std::uint32_t> region);
    bool edge_convex(std::uint32_t h) const;

    std::span<const Vec3d> points_;
    VertexGraph graph_;  // of the exact hull
    double tolerance_;
    Drop drop_;
    std::vector<std::uint32_t> vertex_, twin_, next_, previous_, face_;
    std::vector<std::uint32_t> first_;  // exact faces' half-edges: first_[f] .. first_[f + 1]
    std::vector<std::uint32_t> start_;
    std::vector<Vec3d> area_, normal_;
    std::vector<bool> touched_, sliver_;
    std::vector<std::vector<std::uint32_t>> inner_, members_;
    // Marks; a mark is set if it equals the current stamp.
    std::vector<std::uint32_t> marked_face_, marked_vertex_;
    std::uint32_t stamp_ = 0;
};

// Replaces each run of edges between the same two faces by one edge, where all tests still hold.
void straighten_edges(FaceMesh& mesh);

}  // namespace lanefold::detail
