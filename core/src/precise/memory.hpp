// SPDX-License-Identifier: MIT
//
// Memory of the float64 path, and the records in it that the stages pass to each other. It grows to the largest hulls
// it has served.
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

// An edge that is left after pruning, in local A. n0 and n1 are the ends of its arc on the Gauss sphere (negated for
// edges of B).
struct ArcEdge {
    Vec3d point;
    Vec3d direction;  // unit, v0 -> v1
    Vec3d n0;
    Vec3d n1;
    std::uint32_t index = 0;
};

// The two faces of a clip as rows (precise/clip_rows.hpp). A row holds one number of every side or corner, padded to
// whole vectors.
struct ClipMemory {
    enum Row : std::uint8_t {
        inward = 0,          // x, y, z: unit inward normals of the reference face's sides
        offset = 3,          // of these sides' planes
        reference = 4,       // x, y, z: the reference face's corners
        corner = 7,          // x, y, z: the incident face's corners
        outline = 10,        // x, y, z: inward normals of the incident face's sides as seen along the contact normal
        reach = 13,          // squared room outside of a side, times the squared length of its normal
        heights_first = 14,  // over every side: of the first incident corner
        heights_1 = 15,      // of the current corner and the next one, in either row
        heights_2 = 16,
        row_count = 17
    };
    std::vector<double> numbers;
    std::size_t stride = 0;

    void reserve(std::size_t vertices);
    double* row(Row r) { return numbers.data() + static_cast<std::size_t>(r) * stride; }
};

// Memory of one hull. The arrays of a Solid point into numbers, bits and indices.
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
struct OutlineCorner {
    double u = 0;
    double v = 0;
    double height = 0;  // along the outward direction of its hull
    std::uint32_t vertex = 0;
};

// The support patches of both hulls, reference first.
struct PatchMemory {
    std::vector<OutlineCorner> corners[2];  // sorted
    std::vector<OutlineCorner> hull;        // of the corners of one side
    std::vector<OutlineCorner> outline[2];  // counter-clockwise about the reference face's normal

    void reserve(std::size_t vertices);
};

struct PreciseScratch::Impl {
    SolidMemory a;
    SolidMemory b;
    ClipMemory clip;
    std::vector<ClipPoint> points;
    PatchMemory patch;
    std::vector<std::uint32_t> stack;  // chords of a face that is being split
    std::size_t room_vertices = 0;     // counts that were reserved
    std::size_t room_faces = 0;
    std::size_t room_edges = 0;

    void reserve(std::size_t vertices, std::size_t faces, std::size_t edges);
};

}  // namespace lanefold::detail
