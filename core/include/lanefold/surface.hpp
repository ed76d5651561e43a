// SPDX-License-Identifier: MIT
//
// Surface: an immutable, one-sided surface of triangles, the shape of terrain, walls and sets. It is a mesh, made here
// from triangles or from convex pieces, or a height field (height_field.hpp), which makes its triangles on demand.
//
// A triangle (a, b, c) is seen counter-clockwise from its outer side. Edge k of a triangle is (v[k], v[(k + 1) % 3]).
// Edges that more than two triangles share are paired by their outer sides: turning about the edge from a triangle
// towards its normal, the next triangle bounds the same outer wedge and is its neighbour, if it runs through the edge
// in the other direction. A triangle without such a partner has a border there. So the arcs of an edge are those of the
// surfaces that a body can touch, and two solids that meet in an edge keep theirs. The neighbours of a vertex are those
// of all triangles at it, whichever way they are connected.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/status.hpp>
#include <lanefold/vec.hpp>

namespace lanefold {

namespace detail {
class SurfaceView;
struct SurfaceState;
}  // namespace detail

// A count, and the first places that it counts: input triangles, or input vertices where the report says so.
struct SurfaceFinding {
    static constexpr std::size_t kPlaces = 4;
    std::uint64_t count = 0;
    std::array<std::uint32_t, kPlaces> places{};  // the first min(count, kPlaces), in the order they were found
};

// The builder's changes, and its findings that it left. All 0: the surface is the input, bit for bit.
struct SurfaceReport {
    SurfaceFinding welded;        // input vertices that were joined with an earlier one, other than exact copies
    SurfaceFinding copies;        // input vertices that were joined with an exact copy
    SurfaceFinding degenerate;    // triangles left out: two equal corners, or no higher than the weld tolerance
    SurfaceFinding duplicate;     // triangles left out: the same corners in the same sense as an earlier one
    SurfaceFinding opposite;      // triangles left out: covered by others with the opposite sense
    SurfaceFinding cut;           // triangles of which a part was left out for the same reason
    SurfaceFinding split;         // triangles that were divided because vertices lie on their edges
    SurfaceFinding non_manifold;  // triangles with an edge that more than two triangles share
    SurfaceFinding winding;       // triangles with an edge that a neighbour runs through in the same direction
    SurfaceFinding unhealed;      // triangles that have a vertex of another on an edge after all divisions
    std::uint64_t border_edges = 0;
    double largest_movement = 0;  // of a vertex by welding, in the points' unit
    double weld_tolerance = 0;    // the one used, in the points' unit
};

// How a surface is made of triangles.
struct SurfaceOptions {
    // Vertices no further apart than this are one: the later one moves to the earliest that is within the tolerance.
    // Negative: 2^-21 of the largest coordinate, eight roundings of float32. Vertices that are computed twice, by two
    // tiles with their own poses, differ by a few roundings. With more, features as small as the tolerance vanish;
    // with less, seams stay open, and bodies catch on them. 0: only equal vertices are one.
    double weld_tolerance = -1;
    // Divides triangles on whose edges a vertex of another lies, within the weld tolerance.
    bool split_t_junctions = true;
    // Leaves out triangles that lie on others with the opposite sense, or the parts that do: the walls between solids
    // side by side. A sheet of two sides without thickness needs false, or nothing of it is left.
    bool drop_opposite = true;
    // A hull deeper than this below a triangle's plane does not touch it; in the points' unit. Infinite by default:
    // only triangles that a hull meets count, so it is no deeper than its own size, and a body that sank into terrain
    // must be found however deep. Two-sided sheets want at most their thickness.
    float thickness = std::numeric_limits<float>::infinity();
    // A number for each triangle, or none. The caller keeps them until the call returns.
    std::span<const std::uint16_t> materials;
    // The origin of the surface's coordinates: input, or box_centre for points far from their origin. centre_of_mass
    // is refused.
    Origin origin = Origin::input;
};

// A box along the axes of the surface's coordinates.
struct SurfaceBox {
    Vec3d low;
    Vec3d high;
};

// An immutable surface. A copy shares its memory.
class LANEFOLD_EXPORT Surface {
public:
    static constexpr std::uint32_t kBorder = 0xFFFFFFFFU;

    Surface();  // empty
    // For the builders.
    explicit Surface(std::shared_ptr<const detail::SurfaceState> state);

    // Triangles, numbered from 0 in the order of the input. A height field counts those in holes, too.
    std::size_t triangle_count() const;
    // Whether there is no triangle.
    bool empty() const { return triangle_count() == 0; }
    // Whether triangle t is one: false only in the holes of a height field.
    bool exists(std::uint32_t t) const;
    // Vertices of triangle t. A hole's are those that it would have.
    std::array<std::uint32_t, 3> triangle(std::uint32_t t) const;
    // The triangle across edge k, or kBorder.
    std::uint32_t neighbour(std::uint32_t t, int k) const;
    // The triangle of the input that t is, or is a part of.
    std::uint32_t input_triangle(std::uint32_t t) const;
    // The material number of t, 0 if none were given.
    std::uint16_t material(std::uint32_t t) const;
    // Whether material numbers were given.
    bool has_materials() const;

    // The numbers of its features, by which ids of contact points are numbered (feature.hpp): a face for each triangle,
    // three times as many edges, and the vertices.
    FeatureCounts feature_counts() const;

    // Vertices that triangles use; of a height field all samples.
    std::size_t vertex_count() const;
    // A vertex in the surface's coordinates: a point of the input less shift().
    Vec3f vertex(std::uint32_t v) const;
    // All vertices of a mesh. Empty for a height field.
    std::span<const Vec3f> vertices() const;
    // Whether it is a height field.
    bool is_height_field() const;

    // The box of all triangles. Zero if there are none.
    SurfaceBox bounds() const;
    // Half the diagonal of bounds().
    double size() const;
    // See SurfaceOptions::thickness.
    float thickness() const;
    // The origin of the surface's coordinates in those of the input.
    Vec3d shift() const;
    // The largest distance by which rounding a point less shift() to float32 moved it.
    double rounding() const;
    // The builder's report.
    const SurfaceReport& report() const;

    // 64 bits over vertices, triangles, materials and thickness. Equal surfaces have equal fingerprints on every
    // machine; a height field has that of its samples.
    std::uint64_t fingerprint() const;
    // Bytes of all that the surface owns, and of these the float32 vertices.
    std::size_t bytes() const;
    // See bytes().
    std::size_t vertex_bytes() const;

    // For the library's own code (detail/surface_view.hpp).
    const detail::SurfaceView& view() const;

private:
    std::shared_ptr<const detail::SurfaceState> state_;
};

// A surface, or why there is none.
struct [[nodiscard]] SurfaceResult {
    Surface surface;    // empty unless status is ok
    CallStatus status;  // bad_argument with the reason; `where` is the point or triangle. out_of_memory
    explicit operator bool() const { return static_cast<bool>(status); }
};

// Builds a surface from points and triangles of three indices of points each. It refuses points of triangles that are
// not finite or beyond 1e15, indices out of range, options out of range and more than 2^29 triangles; it reports all
// else. float64 points are rounded once, less the origin; Origin::input refuses them where rounding would move one by
// more than 2e-6 of the size, as build_hulls does. The result depends on nothing but the arguments.
LANEFOLD_EXPORT SurfaceResult build_surface(std::span<const Vec3f> points,
                                            std::span<const std::array<std::uint32_t, 3>> triangles,
                                            const SurfaceOptions& options = {});
LANEFOLD_EXPORT SurfaceResult build_surface(std::span<const Vec3d> points,
                                            std::span<const std::array<std::uint32_t, 3>> triangles,
                                            const SurfaceOptions& options = {});

// A hull at a place that never moves: a tile, a brick, a piece of a wall.
struct SurfacePiece {
    std::uint32_t hull = 0;
    Vec3d position;
    Quat orientation;  // of unit length within kQuaternionTolerance
    std::uint16_t material = 0;
};

// One surface from fixed convex pieces. Faces, or parts of faces, that lie on those of another piece vanish, so seams
// between tiles and between bricks with shifted joints vanish, too. input_triangle() is the number of the piece. Radii
// of rounded hulls are not applied; such hulls are refused.
LANEFOLD_EXPORT SurfaceResult surface_of_hulls(const HullSet& hulls, std::span<const SurfacePiece> pieces,
                                               const SurfaceOptions& options = {});

// The arrays that make a surface again: build_surface with weld_tolerance 0, neither splitting nor dropping, gives
// the same triangles, neighbours and arcs.
struct SurfaceArrays {
    std::vector<Vec3f> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;  // holes left out
    std::vector<std::uint32_t> numbers;                   // triangle i was number numbers[i] of the surface
    std::vector<std::uint16_t> materials;                 // empty if the surface has none
};

// Copies out all triangles, those of a height field, too.
LANEFOLD_EXPORT SurfaceArrays surface_arrays(const Surface& surface);

}  // namespace lanefold
