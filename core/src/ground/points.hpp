// SPDX-License-Identifier: MIT
//
// The points of a contact: a polygon of the surface (a triangle, an edge) and one of the core (a face, an edge, a
// vertex), seen along the contact's direction.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/axes.hpp"
#include "ground/ground_body.hpp"
#include "ground/triangle.hpp"

namespace lanefold::detail {

// A point of a contact, of the cores. A surface's edge has the number of GroundSurface::edge_number(), its vertex that
// of the surface.
struct GroundPoint {
    Vec3d middle;  // about the core's centre, surface axes
    double separation = 0;
    Feature body;
    Feature surface;
    std::uint32_t triangle = 0;  // that it was found on
};

// A part of the triangle: its face, an edge or a corner.
struct SurfacePart {
    FeatureType type = FeatureType::face;
    int index = 0;
};

// A part of the core.
struct BodyPart {
    FeatureType type = FeatureType::face;
    std::uint32_t index = 0;
};

// Memory of the next two: what they see along u.
struct GroundClip {
    struct Corner {
        Vec3d at;
        double x = 0;  // across u
        double y = 0;
        double height = 0;  // along u
        Feature vertex;
        Feature side;   // from this corner to the next
        double dx = 0;  // the same
        double dy = 0;
        double length = 0;
    };
    struct Outline {
        std::vector<Corner> corners;
        Vec3d normal;  // of its plane
        double offset = 0;
        double turn = 1;    // 1: counter-clockwise about u
        bool flat = false;  // has an area, seen along u
        double least = 0;   // sides shorter than this do not bound it

        std::size_t size() const { return corners.size(); }
        const Corner& next(std::size_t i) const { return corners[i + 1 == corners.size() ? 0 : i + 1]; }
        // Sides: a segment has one.
        std::size_t sides() const { return corners.size() < 3 ? corners.size() - 1 : corners.size(); }
    };
    Outline ground;
    Outline core;  // of `part`, along `u`
    bool has_core = false;
    BodyPart part;
    Vec3d u;
    std::vector<GroundPoint> points;
};

// Adds the points where the parts lie over each other along u and are no further apart than `most`.
void clip_parts(const GroundBody& body, const GroundSurface& surface, const GroundTriangle& t, const SurfacePart& its,
                const BodyPart& mine, const Vec3d& u, double most, GroundClip& memory, std::vector<GroundPoint>& out);

// Adds the lowest point of the core over a part of the triangle, if any of the core is there within `most`.
bool add_lowest(const GroundBody& body, const GroundSurface& surface, const GroundTriangle& t, const SurfacePart& its,
                const Vec3d& u, double most, GroundClip& memory, std::vector<GroundPoint>& out);

}  // namespace lanefold::detail
