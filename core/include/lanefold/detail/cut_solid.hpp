// SPDX-License-Identifier: MIT
//
// A convex polyhedron in float64 that planes cut, with the faces that they make.
//
// A face is a set of directed edges in no order. To cut one, each edge keeps its part below the plane, and a new edge
// goes from where the face's boundary leaves to where it comes back; the same edge, turned round, belongs to the new
// face on the plane. So the surface stays closed whatever rounding decides about points on the plane: every edge has
// its opposite, and no test of a tolerance is needed (after I. E. Sutherland and G. W. Hodgman, 1974, in space).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

// Integrals over the faces of one kind, about an origin.
struct FaceSums {
    Vec3d area;         // the sum of area vectors, outward
    double total = 0;   // the sum of their lengths, triangle by triangle
    Vec3d moment[3]{};  // row k: the integral of coordinate k times the outward normal
};

// All integrals of a solid.
struct SolidSums {
    double volume = 0;
    Vec3d moment;   // the integral of x over the volume
    FaceSums own;   // faces that it began with
    FaceSums cuts;  // faces that planes made
};

class LANEFOLD_EXPORT CutSolid {
public:
    // Begins with a solid without faces. It keeps its memory.
    void clear();

    // Adds a point, and returns its number.
    std::uint32_t add_point(const Vec3d& p);

    // Adds an edge from point p to point q to the face that was begun last. Counter-clockwise seen from outside.
    void begin_face() { faces_.push_back({static_cast<std::uint32_t>(edges_.size()), false}); }
    void add_edge(std::uint32_t p, std::uint32_t q) { edges_.push_back({p, q}); }

    // Keeps the points x with n.x <= d. Returns false if no volume is left.
    bool cut(const Vec3d& n, double d);

    // A point of it; the origin if there is none.
    Vec3d any_point() const { return points_.empty() ? Vec3d{} : points_.front(); }

    // Integrals about `origin`. Faces are taken as fans of triangles around their first corner.
    SolidSums sums(const Vec3d& origin) const;

private:
    struct Edge {
        std::uint32_t p;
        std::uint32_t q;
    };
    struct Face {
        std::uint32_t first;  // edge; those of a face end where the next begins
        bool cut;             // made by a plane
    };

    std::uint32_t end_of(std::size_t face) const {
        return face + 1 < faces_.size() ? faces_[face + 1].first : static_cast<std::uint32_t>(edges_.size());
    }
    std::uint32_t crossing(std::uint32_t in, std::uint32_t out);
    void cut_face(const Face& face, std::uint32_t end);

    std::vector<Vec3d> points_;
    std::vector<Edge> edges_;
    std::vector<Face> faces_;
    // During a cut: heights over the plane, the numbers of kept points, the new arrays, the edges of the new face.
    std::vector<double> heights_;
    std::vector<std::uint32_t> kept_;
    std::vector<Vec3d> next_points_;
    std::vector<Edge> next_edges_;
    std::vector<Face> next_faces_;
    std::vector<Edge> rim_;
    std::vector<std::uint32_t> leaves_;
    std::vector<std::uint32_t> returns_;
};

}  // namespace lanefold::detail
