// SPDX-License-Identifier: MIT
//
// A body before a surface: its core in float64, in the axes of the surface and about the core's centre, so coordinates
// stay about as large as the body wherever both are in the world.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/pose.hpp>

namespace lanefold::detail {

// An edge of the core with the normals of its faces. The edge of a segment has none: every direction across it is
// extreme.
struct GroundEdge {
    std::uint32_t v[2] = {};
    Vec3d whole;  // from v[0] to v[1]
    double length = 0;
    Vec3d along;  // unit
    Vec3d normal[2];
    // The arc between the opposites of the normals: its middle, and the directions along which it begins and ends.
    Vec3d middle;
    Vec3d from;
    Vec3d to;
};

// A point or direction of the core that is furthest.
struct GroundSupport {
    double value = 0;
    std::uint32_t vertex = 0;
};

struct GroundBody {
    const HullRecord* record = nullptr;
    std::vector<Vec3d> vertices;
    std::vector<Vec3d> normals;   // unit within 1e-7
    std::vector<double> offsets;  // the core's support along the normal
    std::vector<GroundEdge> edges;
    std::vector<std::uint32_t> loop_first;  // face f has the corners loop_first[f] .. loop_first[f + 1]
    std::vector<std::uint32_t> loop_vertex;
    std::vector<std::uint32_t> loop_edge;
    Vec3d low;  // of the core
    Vec3d high;
    Vec3d centre;       // from the body's position, surface axes
    double radius = 0;  // of a rounded hull
    double size = 0;    // unit of all bounds, radius included

    std::uint32_t faces() const { return static_cast<std::uint32_t>(normals.size()); }
    bool has_faces() const { return !normals.empty(); }

    // Places the hull: `turn` takes its input axes to the surface's.
    void place(const HullRecord& r, const Mat3d& turn);
    // The vertex with the least u.x, the lowest index on ties.
    GroundSupport lowest(const Vec3d& u) const;
    // The largest u.x.
    double highest(const Vec3d& u) const;
    // The face that looks most against u among those of the vertices within `tie` of the lowest.
    std::uint32_t face_against(const Vec3d& u, double tie) const;
};

}  // namespace lanefold::detail
