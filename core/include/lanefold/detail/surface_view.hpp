// SPDX-License-Identifier: MIT
//
// The view of a surface that contact code reads: triangles with the arcs of their edges, rings of neighbours about
// vertices, and the triangles near a box. A mesh stores its triangles; a height field makes them on demand by the same
// expressions, so equal triangles give equal bits. Internal; positions and normals are float64 in the surface's
// coordinates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/surface.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

inline constexpr std::uint32_t kNoNeighbour = Surface::kBorder;

// One float32 rounding of a coordinate is at most this of the largest coordinate.
inline constexpr double kCoordinateRounding = 0x1p-24;

// How the two faces of an edge lie. Flat: within SurfaceView::flat_tolerance(), or a dihedral angle that two roundings
// of the vertices could make; convex and concave are decided by the sign of the height of one face's far corner over
// the other face's plane. A sheet folded onto itself is convex. border: no neighbour.
enum class EdgeKind : std::uint8_t { convex = 0, flat = 1, concave = 2, border = 3 };

// Edge k of a triangle, from corner k to the next.
struct SurfaceEdge {
    EdgeKind kind = EdgeKind::border;
    std::uint32_t neighbour = kNoNeighbour;  // triangle across the edge
    // The end of the edge's arc, which begins at the triangle's normal: the neighbour's normal, or for a border the
    // outward direction in the triangle's plane. Unit length. Flat and concave edges own no direction, whatever it is.
    Vec3d arc_end;
};

// A triangle with all that its admissible directions depend on, but the rings of its vertices.
struct SurfaceFace {
    std::uint32_t vertex[3] = {};
    Vec3d corner[3];
    Vec3d normal;  // unit length
    SurfaceEdge edge[3];
};

// Eight boxes of children, in steps of a power of two from the node's low corner: of axis a, lane i is
// origin[a] + step[a] * low[a][i] .. origin[a] + step[a] * high[a][i], each computed in float32. The product is exact,
// and the builder chose the steps so that no rounded sum is above the low side or below the high side of the child.
struct SurfaceNode {
    static constexpr std::uint32_t kLanes = 8;
    float origin[3];
    float step[3];
    std::uint8_t low[3][kLanes];
    std::uint8_t high[3][kLanes];
};
static_assert(sizeof(SurfaceNode) == 72);

// A tree of nodes without pointers. Child i of node n is node 8 n + i of the level below; at level 0 it is the triangle
// order[8 n + i]. The top level has one node.
struct SurfaceTree {
    static constexpr std::size_t kMostLevels = 12;
    const std::uint32_t* order = nullptr;
    std::uint32_t items = 0;
    std::uint32_t levels = 0;
    const SurfaceNode* level[kMostLevels] = {};
    std::uint32_t nodes[kMostLevels] = {};
};

// The arrays of a mesh. A half-edge is 3 t + k, edge k of triangle t.
struct MeshArrays {
    // start has this bit where the triangles at a vertex are in several fans: the other bits are the place in `fans` of
    // their number, which the fans' half-edges follow.
    static constexpr std::uint32_t kFans = 0x80000000U;
    const Vec3f* vertices = nullptr;
    const std::uint32_t* corners = nullptr;    // three per triangle
    const std::uint32_t* opposites = nullptr;  // per half-edge: the half-edge of its neighbour, or kNoNeighbour
    const std::uint32_t* starts = nullptr;     // per vertex: the half-edge that begins the fan there
    const std::uint32_t* fans = nullptr;
    SurfaceTree tree;
};

struct HeightGrid;  // core/src/surface/height_grid.hpp

// The points origin + t * direction, t from 0 on. The direction has a finite length above 0.
struct RayLine {
    Vec3d origin;
    Vec3d direction;
};
// Takes triangle t, which a ray may meet up to a fraction; returns the fraction up to which others count.
using VisitTriangle = double (*)(void* context, std::uint32_t t, double most);

// A view of a surface, valid as long as the Surface lives.
class LANEFOLD_EXPORT SurfaceView {
public:
    SurfaceView() = default;

    std::uint32_t triangle_count() const { return triangles_; }
    std::uint32_t vertex_count() const { return vertices_; }
    double thickness() const { return thickness_; }
    // Largest coordinate of a vertex, or of the input's points if float32 had rounded these before: kCoordinateRounding
    // times this bounds how far one rounding moved a coordinate.
    double largest_coordinate() const { return largest_; }
    // See EdgeKind::flat: the far corner of one of the faces, the nearer one to the edge's line, is no further than
    // this from the plane of the other face. Two roundings.
    double flat_tolerance() const { return 2 * kCoordinateRounding * largest_; }

    // False in holes of height fields, whose numbers have no triangle.
    bool exists(std::uint32_t t) const;
    std::array<std::uint32_t, 3> triangle(std::uint32_t t) const;
    // The half-edge of the neighbour across edge k, 3 * neighbour + its edge, or kNoNeighbour.
    std::uint32_t opposite(std::uint32_t t, int k) const;
    Vec3f vertex(std::uint32_t v) const;
    Vec3d position(std::uint32_t v) const { return to_double(vertex(v)); }
    // Unit normal of the triangle's corners in their stored order.
    Vec3d normal(std::uint32_t t) const;
    // How edge k lies. Both of its triangles give the same answer.
    EdgeKind edge_kind(std::uint32_t t, int k) const;
    // The triangle with its edges.
    SurfaceFace face(std::uint32_t t) const;
    // The same in two steps: all but the edges, then these.
    SurfaceFace bare_face(std::uint32_t t) const;
    void add_edges(std::uint32_t t, SurfaceFace& face) const;
    // All vertices that share an edge with vertex v, ascending, each once. Replaces the contents of `out`.
    void ring(std::uint32_t v, std::vector<std::uint32_t>& out) const;
    // Whether u . (w - v) <= slack for every vertex w of the ring: u is in the normal cone of v.
    bool in_cone(std::uint32_t v, const Vec3d& u, double slack = 0) const;

    // All triangles whose closed boxes meet the closed box, ascending. Replaces the contents of `out`.
    void candidates(const SurfaceBox& box, std::vector<std::uint32_t>& out) const;

    // Calls visit() for triangles whose boxes, grown by `reach` to either side, the ray meets, the nearer boxes mostly
    // first; a few more may come. The direction may be zero with a reach. Returns what the last call did.
    double along(const RayLine& ray, double most, VisitTriangle visit, void* context, const Vec3d& reach = {}) const;

    // The arrays of a mesh; null pointers for a height field.
    const MeshArrays& mesh() const { return mesh_; }
    // The samples of a height field; null for a mesh.
    const HeightGrid* grid() const { return grid_; }

private:
    friend struct SurfaceState;
    template <class Visit>
    bool visit_ring(std::uint32_t v, const Visit& visit) const;

    MeshArrays mesh_;
    const HeightGrid* grid_ = nullptr;
    std::uint32_t triangles_ = 0;
    std::uint32_t vertices_ = 0;
    double thickness_ = 0;
    double largest_ = 0;
};

}  // namespace lanefold::detail
