// SPDX-License-Identifier: MIT
//
// Memory of the float64 path, which grows to the largest hulls met; and what lies in it between the stages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lanefold/detail/precise.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

// A corner of the overlap of two faces.
struct ClipPoint {
    Vec3d middle;  // local A
    double separation = 0;
    double u = 0;  // in the contact plane
    double v = 0;
    std::uint32_t number_a = 0;  // feature numbers, see feature.hpp
    std::uint32_t number_b = 0;
};

// An edge that survived the arc test, in local A, with the ends of its arc on the Gauss sphere (negated for
// edges of B).
struct ArcEdge {
    Vec3d point;
    Vec3d direction;  // unit, v0 -> v1
    Vec3d n0;
    Vec3d n1;
    std::uint32_t index = 0;
};

// What clipping keeps of the two faces: a row for each number of a side or a corner, padded to whole vectors.
struct ClipMemory {
    enum Row : std::uint8_t {
        inward = 0,          // x, y, z rows: the reference face's sides, unit
        offset = 3,          // of the side's plane
        reference = 4,       // x, y, z: the reference face's corners
        corner = 7,          // x, y, z: the incident face's corners
        outline = 10,        // x, y, z: inward normals of the incident face's sides as seen along the contact normal
        reach = 13,          // how far outside of a side a point still counts as inside, squared
        heights_first = 14,  // of an incident corner over each side: the first corner's,
        heights_1 = 15,      // and those of the two that are looked at
        heights_2 = 16,
        row_count = 17
    };
    std::vector<double> numbers;
    std::size_t stride = 0;

    void reserve(std::size_t vertices);
    double* row(Row r) { return numbers.data() + static_cast<std::size_t>(r) * stride; }
};

// Memory of one hull; numbers and indices are cut into the arrays of a Solid.
struct SolidMemory {
    std::vector<double> numbers;
    std::vector<std::int64_t> bits;
    std::vector<std::uint32_t> indices;
    std::vector<std::uint32_t> survivors;
    std::vector<ArcEdge> arcs;
    std::vector<std::uint32_t> near_vertices;  // support set of the distance stage
    std::vector<std::uint32_t> near_edges;

    void reserve(std::size_t vertices, std::size_t faces, std::size_t edges);
};

// A vertex of a support patch in the contact plane.
struct PatchCorner {
    double u = 0;
    double v = 0;
    double height = 0;  // along the outward direction of its hull
    std::uint32_t vertex = 0;
};

// The support patches of both hulls, reference first.
struct PatchMemory {
    std::vector<PatchCorner> corners[2];  // sorted
    std::vector<PatchCorner> outline[2];  // counter-clockwise about the contact normal of the reference hull

    void reserve(std::size_t vertices);
};

struct PreciseScratch::Impl {
    SolidMemory a;
    SolidMemory b;
    ClipMemory clip;
    std::vector<ClipPoint> points;
    PatchMemory patch;
    std::vector<std::uint32_t> stack;  // triangulation
    std::size_t room_vertices = 0;     // what was reserved
    std::size_t room_faces = 0;
    std::size_t room_edges = 0;

    void reserve(std::size_t vertices, std::size_t faces, std::size_t edges);
};

}  // namespace lanefold::detail
