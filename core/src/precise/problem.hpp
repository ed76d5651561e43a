// SPDX-License-Identifier: MIT
//
// A pair on the float64 path: the two hulls in float64, their relative pose, and the pair's tolerances.
//
// Frames: each hull's local frame has the axes of its input coordinates and its origin at the hull's centre, so
// coordinates stay about as large as the hull. Axes and points that concern both hulls are in A's local frame. A normal
// points from A to B.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/precise.hpp>
#include <lanefold/pose.hpp>

#include "precise/tolerances.hpp"

namespace lanefold::detail {

inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFU;

// Number of witnesses kept per hull for the arc test. More witnesses prune a little better, but each costs a pass over
// the faces. The newest overwrites the oldest, which affects time only.
inline constexpr std::uint32_t kWitnesses = 8;

// An edge of a hull: its two vertices and the two facets that meet at it.
struct SolidEdge {
    std::uint32_t v0;
    std::uint32_t v1;
    std::uint32_t facet0;  // the edge runs v0 -> v1 in its loop
    std::uint32_t facet1;
};

// One hull of the pair. Its facets are its faces. If the larger hull of a pair beyond the size ratio has faces that are
// not flat, these are split into triangles of the exact hull of the stored vertices, and the triangles are facets
// instead.
struct Solid {
    explicit Solid(const HullRecord& r) : record(&r), view(r) {}

    const HullRecord* record;
    HullView view;
    Vec3d centre;  // input coordinates

    std::uint32_t vertices = 0;
    std::uint32_t facets = 0;
    std::uint32_t edges = 0;  // canonical edges first, then the diagonals of triangulated faces
    std::size_t vertex_stride = 0;
    std::size_t facet_stride = 0;

    double* x = nullptr;  // local vertices
    double* y = nullptr;
    double* z = nullptr;
    double* dots = nullptr;  // of the latest support scan
    double* nx = nullptr;    // facet planes n.x <= offset; the length of n is 1 within 1e-7
    double* ny = nullptr;
    double* nz = nullptr;
    double* offset = nullptr;
    double* bound = nullptr;       // upper bound of each facet's separation; -inf once evaluated
    double* gaps = nullptr;        // kWitnesses rows: n.w - offset of each facet for a witness w
    std::int64_t* dead = nullptr;  // per facet: which witnesses rule it out (mark_dead() in edges.cpp)
    std::uint32_t witnesses = 0;   // number added so far; the next one gets row witnesses % kWitnesses

    bool planes = false;  // the facets and edges are valid (prepare_planes())
    bool triangulated = false;
    // Only if triangulated:
    std::uint32_t* parent = nullptr;       // facet -> face
    std::uint32_t* facet_first = nullptr;  // face -> its first facet; facets of a face are contiguous
    std::uint32_t* edge_ends = nullptr;    // v0, v1, facet0, facet1 of each edge

    Vec3d vertex(std::size_t i) const { return {x[i], y[i], z[i]}; }
    Vec3d facet_normal(std::size_t f) const { return {nx[f], ny[f], nz[f]}; }
    std::uint32_t face_of(std::uint32_t facet) const { return triangulated ? parent[facet] : facet; }

    // The facets of a face: from first_facet(face) up to first_facet(face + 1).
    std::uint32_t first_facet(std::uint32_t face) const { return triangulated ? facet_first[face] : face; }

    bool is_diagonal(std::uint32_t e) const { return e >= record->edge_count; }

    SolidEdge edge(std::size_t e) const {
        if (triangulated) {
            const std::uint32_t* p = edge_ends + 4 * e;
            return {p[0], p[1], p[2], p[3]};
        }
        return {view.edge_vertex[2 * e], view.edge_vertex[2 * e + 1], view.edge_face0[e], view.edge_face1[e]};
    }

    std::uint32_t face_size(std::size_t f) const { return view.face_first[f + 1] - view.face_first[f]; }
};

// A prepared pair with its tolerances.
struct Problem : Tolerances {
    Problem(const HullRecord& ra, const HullRecord& rb) : a(ra), b(rb) {}

    Solid a;
    Solid b;
    PoseD from_b;  // local B -> local A
    PoseD from_a;  // local A -> local B
    Mat3d world;   // local A axes -> world axes

    bool thin = false;      // one hull is HullRecord::kThin: points are tested against both hulls (witness.hpp)
    bool refined = false;   // planes in float64 from the stored vertices
    double margin = 0;      // of the cores: all stages but the writing of records see these
    double preference = 0;  // face preference as a length
    // Rounded hulls: the sum of both radii, by which separations are less than the cores', and half their difference,
    // by which points are further along the normal than midway between the cores.
    double radii = 0;
    double midway = 0;
};

// Whether the kernels have decided the pair's distance. kUndecided is a NaN, which differs from itself.
inline bool is_decided(const PrecisePair& pair) { return pair.distance == pair.distance; }

}  // namespace lanefold::detail
