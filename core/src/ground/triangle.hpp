// SPDX-License-Identifier: MIT
//
// A triangle of a surface about a body's centre, and the test of admissible directions: a surface touches only with
// features that are locally extreme.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/surface.hpp>

namespace lanefold::detail {

// Sine of an angle up to which a direction counts as one at the end of an arc. It is a thousandth of what a normal may
// be off, and a thousand times the rounding of a direction.
inline constexpr double kArcSlack = 1e-9;

struct GroundTriangle {
    std::uint32_t number = 0;
    Vec3d corner[3];
    double offset = 0;  // of its plane
    Vec3d side[3];      // unit, corner k to k + 1
    double length[3] = {};
    SurfaceFace face;  // normal, edges and vertices; its corners are in the surface's coordinates
    bool has_sides = false;
    bool has_edges = false;

    const Vec3d& normal() const { return face.normal; }
    double largest_coordinate() const {
        double c = 0;
        for (const Vec3d& x : corner) c = std::max({c, std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)});
        return c;
    }
};

// How high a triangle's corners are along u: the highest and the lowest one.
inline double top_of(const Vec3d (&corner)[3], const Vec3d& u) {
    return std::max({dot(u, corner[0]), dot(u, corner[1]), dot(u, corner[2])});
}
inline double bottom_of(const Vec3d (&corner)[3], const Vec3d& u) {
    return std::min({dot(u, corner[0]), dot(u, corner[1]), dot(u, corner[2])});
}

// A ball about a triangle.
struct TriangleBall {
    explicit TriangleBall(const Vec3d (&corner)[3]) : middle((corner[0] + corner[1] + corner[2]) * (1.0 / 3)) {
        double squared = 0;
        for (const Vec3d& c : corner) squared = std::max(squared, length_squared(c - middle));
        radius = std::sqrt(squared);
    }

    Vec3d middle;
    double radius;
};

// Whether a direction is one of a triangle's.
enum class Admission : std::uint8_t {
    admitted,
    refused,  // a neighbour has a contact along it, or none has
    behind,   // the direction leaves the surface at its inner side
};

// A direction on the rim of a vertex's cone, for the core of the pair (axes.cpp).
struct GroundRim {
    Vec3d u;
    double lowest = 0;  // the core's support
    double most = 0;    // separation from the vertex: no triangle that has it is further along u
};

// The answers that the triangles at a vertex share.
struct GroundCone {
    std::uint32_t vertex = 0;
    std::uint64_t pair = 0;     // in which it was made
    std::vector<Vec3d> beside;  // from the vertex to those beside it
    std::vector<Vec3d> rays;    // the same, of unit length
    std::vector<Vec3d> ends;  // where the rim's parts end, if it is bounded; rays with such a part have a bit in `open`
    std::uint64_t open = 0;
    bool bounded = false;
    std::vector<GroundRim> rim;
    double most = 0;        // of the rim
    bool has_rays = false;  // they are known
    bool has_ends = false;
    bool has_rim = false;
};

// Memory of a pair's cones. A vertex has a few places; if others have all of them, it takes the first from its owner,
// or has none.
struct GroundCones {
    static constexpr std::uint32_t kPlaceBits = 9;  // more than the vertices of most patches
    static constexpr std::uint32_t kTries = 4;
    std::vector<GroundCone> places;
    GroundCone spare;
    std::vector<std::uint32_t> ring;
    std::vector<std::uint32_t> fan;
    std::uint64_t pair = 0;

    // Forgets the cones of the pair before.
    void begin_pair() {
        if (places.empty()) places.resize(std::size_t{1} << kPlaceBits);
        ++pair;
    }
    // The place of a vertex; of another vertex or pair if it has to be filled. Without `take` it may be the spare one,
    // and all others keep theirs.
    GroundCone& place(std::uint32_t vertex, bool take);
};

class GroundSurface {
public:
    GroundSurface(const SurfaceView& view, const Vec3d& origin, GroundCones& cones)
        : view_(view), origin_(origin), cones_(cones) {
        cones_.begin_pair();
    }

    const SurfaceView& view() const { return view_; }
    // Without sides and edges.
    GroundTriangle triangle(std::uint32_t t) const;
    // Adds the sides.
    static void add_sides(GroundTriangle& t);
    // Adds both.
    void complete(GroundTriangle& t) const;
    // Its corners alone.
    void corners(std::uint32_t t, Vec3d (&out)[3]) const {
        const std::array<std::uint32_t, 3> v = view_.triangle(t);
        for (std::size_t k = 0; k < 3; ++k) out[k] = view_.position(v[k]) - origin_;
    }
    // Its first corner.
    Vec3d corner(std::uint32_t t) const { return view_.position(view_.triangle(t)[0]) - origin_; }
    // Whether u (unit) is admissible for the feature of the triangle that is extreme along it.
    Admission admission(const GroundTriangle& t, const Vec3d& u);
    // The edge's number: that of the half-edge of the lower triangle.
    std::uint32_t edge_number(std::uint32_t t, int k) const;
    // The triangles of the fan of corner k.
    const std::vector<std::uint32_t>& fan(std::uint32_t t, int k);
    // The cone of corner k; null if all vertices beside it are in the triangle's plane. Valid until the next call.
    GroundCone* cone(const GroundTriangle& t, int k);
    // Whether the latest fan has no border.
    bool fan_is_closed() const { return closed_; }

private:
    Admission at_edge(const GroundTriangle& t, int k, const Vec3d& u) const;
    Admission at_vertex(const GroundTriangle& t, int k, const Vec3d& u);
    GroundCone& cone_at(std::uint32_t v, bool take);

    const SurfaceView& view_;
    Vec3d origin_;  // the body's centre, surface coordinates
    GroundCones& cones_;
    bool closed_ = false;
};

}  // namespace lanefold::detail
