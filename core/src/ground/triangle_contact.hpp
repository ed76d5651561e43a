// SPDX-License-Identifier: MIT
//
// The contact of a core with one triangle.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <lanefold/manifold.hpp>

#include "ground/axes.hpp"
#include "ground/closest.hpp"
#include "ground/points.hpp"

namespace lanefold::detail {

// The question about a pair, in lengths of the cores.
struct GroundQuestion {
    double most = 0;        // margin and radius: cores further apart do not touch
    double preference = 0;  // of faces over edges
    double thickness = 0;   // a body deeper below a triangle's plane does not touch it
};

// How a core lies to a triangle.
enum class GroundPlace : std::uint8_t {
    far,      // beyond the margin, or deeper than the thickness
    apart,    // apart at the outer side, and the direction is admissible
    refused,  // apart, and a neighbour is nearer
    behind,   // apart at the inner side
    cut,      // they have a common point, or touch
};

struct GroundContact {
    std::uint32_t triangle = 0;
    GroundPlace place = GroundPlace::far;
    bool touching = false;  // a contact, whose points are points[first .. first + count)
    GroundAxis axis;
    double distance = 0;  // of the cores: Euclidean if apart, otherwise that of the deepest point
    double nearest = 0;   // Euclidean, if they have no common point; far: a bound, if the core is wholly behind
    ContactKind kind = ContactKind::none;
    std::uint32_t feature_body = 0;
    std::uint32_t feature_surface = 0;
    std::size_t first = 0;
    std::size_t count = 0;
};

// Memory that is reused from triangle to triangle.
struct GroundWork {
    GroundCut cut;
    GroundClip clip;
    std::vector<GroundAxis> axes;
};

// Solves pairs of one body and the triangles of a surface.
class TriangleSolver {
public:
    TriangleSolver(const GroundBody& body, GroundSurface& surface, const GroundQuestion& question, GroundWork& work)
        : body_(body), surface_(surface), ask_(question), work_(work) {}

    // Whether the triangle's plane alone shows that it is no part of any contact.
    bool is_off_plane(std::uint32_t t) const;
    // Whether its corners alone show that it is further from the core than the margin.
    bool is_beyond(std::uint32_t t);
    // Whether the core may be too deep below a triangle's plane, and whether it is.
    bool has_thickness() const { return ask_.thickness < std::numeric_limits<double>::infinity(); }
    bool is_too_deep(const GroundTriangle& t) const;
    // The triangle must not be beyond the core. The points of a contact are appended.
    GroundContact solve(GroundTriangle& t, std::vector<GroundPoint>& points);
    // The contact of a triangle that refused, for the nearest of all.
    void accept(const GroundTriangle& t, GroundContact& c, std::vector<GroundPoint>& points);
    // How the core lies to any triangle, without points: false if they have a common point. Otherwise distance, nearest
    // and axis.
    bool measure(GroundTriangle& t, GroundContact& c);
    // The place of a contact that was measured, or solved apart.
    void admit(GroundTriangle& t, GroundContact& c);
    // The closest points of the latest triangle that was apart.
    const GroundClosest& closest() const { return closest_; }
    // The points of the triangle's face alone, along its normal or one that is equal.
    void face_points(const GroundTriangle& t, const Vec3d& u, std::vector<GroundPoint>& points) const;
    // The deepest point of the core under the whole triangle, if it has one.
    bool deepest_point(const GroundTriangle& t, const Vec3d& u, std::vector<GroundPoint>& points) const;
    // Makes the core's support the only point of a contact that has none.
    void keep_support(const GroundTriangle& t, GroundContact& c, std::vector<GroundPoint>& points) const;

private:
    bool is_away(const Vec3d (&corner)[3]) const;
    bool is_far(const GroundTriangle& t);
    bool are_touching(const GroundTriangle& t) const;
    double behind(const GroundTriangle& t) const;
    void take_axis(const GroundTriangle& t, const GroundClosest& closest, GroundAxis& axis) const;
    void apart_points(const GroundTriangle& t, const GroundClosest& closest, GroundContact& c,
                      std::vector<GroundPoint>& points) const;
    void single_point(const GroundTriangle& t, const GroundClosest& closest, GroundContact& c,
                      std::vector<GroundPoint>& points) const;
    void solve_cut(const GroundTriangle& t, GroundContact& c, std::vector<GroundPoint>& points);
    bool try_axis(const GroundTriangle& t, const GroundAxis& axis, GroundContact& c,
                  std::vector<GroundPoint>& points) const;
    bool clip_axis(const GroundTriangle& t, GroundContact& c, std::vector<GroundPoint>& points) const;
    BodyPart part_against(const Vec3d& u) const;
    BodyPart level_part(const Vec3d& u) const;
    void name(const GroundTriangle& t, const BodyPart& mine, GroundContact& c) const;

    const GroundBody& body_;
    GroundSurface& surface_;
    GroundQuestion ask_;
    std::uint32_t latest_ = 0;  // face of the core beyond which a triangle was
    Vec3d normal_;              // the latest, and how low and high the core is along it
    double lowest_ = 0;
    double highest_ = 0;
    mutable Vec3d against_;  // the latest direction, and the face that looks against it
    mutable std::uint32_t face_against_ = 0;
    GroundClosest closest_;  // of the latest triangle that was apart
    GroundWork& work_;
};

}  // namespace lanefold::detail
