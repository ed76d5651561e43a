// SPDX-License-Identifier: MIT
//
// A triangle of a surface about a body's centre, and the test of admissible directions: a surface touches only with
// features that are locally extreme.
#pragma once

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
    Vec3d side[3];  // unit, corner k to k + 1
    double length[3] = {};
    double offset = 0;  // of its plane
    SurfaceFace face;   // normal, edges and vertices; its corners are in the surface's coordinates

    const Vec3d& normal() const { return face.normal; }
};

// Whether a direction is one of a triangle's.
enum class Admission : std::uint8_t {
    admitted,
    refused,  // a neighbour has a contact along it, or none has
    behind,   // the direction leaves the surface at its inner side
};

class GroundSurface {
public:
    GroundSurface(const SurfaceView& view, const Vec3d& origin) : view_(view), origin_(origin) {}

    const SurfaceView& view() const { return view_; }
    GroundTriangle triangle(std::uint32_t t) const;
    // Its first corner.
    Vec3d corner(std::uint32_t t) const { return view_.position(view_.triangle(t)[0]) - origin_; }
    // Whether u (unit) is admissible for the feature of the triangle that is extreme along it.
    Admission admission(const GroundTriangle& t, const Vec3d& u);
    // The edge's number: that of the half-edge of the lower triangle.
    std::uint32_t edge_number(std::uint32_t t, int k) const;
    // The triangles of the fan of corner k.
    const std::vector<std::uint32_t>& fan(std::uint32_t t, int k);
    // Unit directions from corner k to the vertices beside it; none if all are in the triangle's plane.
    void rays(const GroundTriangle& t, int k, std::vector<Vec3d>& out);
    // Whether the latest fan has no border.
    bool fan_is_closed() const { return closed_; }

private:
    Admission at_edge(const GroundTriangle& t, int k, const Vec3d& u) const;
    Admission at_vertex(const GroundTriangle& t, int k, const Vec3d& u);

    const SurfaceView& view_;
    Vec3d origin_;  // the body's centre, surface coordinates
    std::vector<std::uint32_t> ring_;
    std::vector<std::uint32_t> fan_;
    bool closed_ = false;
};

}  // namespace lanefold::detail
