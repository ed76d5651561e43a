// SPDX-License-Identifier: MIT
//
// Assembly of exact faces; see hull/hull_surface.hpp.
#include "hull/hull_surface.hpp"

#include <algorithm>
#include <numeric>

#include <lanefold/detail/disjoint_sets.hpp>

#include "hull/predicates.hpp"

namespace lanefold::detail {

namespace {

struct HalfEdge {
    std::uint32_t low;
    std::uint32_t high;
    std::uint32_t slot;
    bool forward;  // runs low -> high
};

TrianglePlane plane_of(std::span<const Vec3d> points, const Triangle& t) {
    return {points[t[0]], points[t[1]], points[t[2]]};
}

// Pairs half-edges that run along the same edge in opposite directions.
bool pair_half_edges(std::vector<HalfEdge>& edges, std::vector<std::uint32_t>& twin) {
    std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
        if (a.low != b.low) return a.low < b.low;
        if (a.high != b.high) return a.high < b.high;
        return a.slot < b.slot;
    });
    twin.assign(edges.size(), kNone);
    if (edges.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < edges.size(); i += 2) {
        const HalfEdge& a = edges[i];
        const HalfEdge& b = edges[i + 1];
        if (a.low != b.low || a.high != b.high || a.forward == b.forward || a.low == a.high) return false;
        if (i + 2 < edges.size() && edges[i + 2].low == a.low && edges[i + 2].high == a.high) return false;
        twin[a.slot] = b.slot;
        twin[b.slot] = a.slot;
    }
    return true;
}

HalfEdge half_edge(std::uint32_t from, std::uint32_t to, std::uint32_t slot) {
    return {std::min(from, to), std::max(from, to), slot, from < to};
}

// The corner of triangle t that is not a corner of its neighbour s.
std::uint32_t opposite_corner(const Triangle& t, const Triangle& s) {
    for (const std::uint32_t v : t) {
        if (v != s[0] && v != s[1] && v != s[2]) return v;
    }
    return t[0];
}

}  // namespace

std::vector<std::uint32_t> find_twins(const FaceLoops& faces, std::uint32_t vertex_count) {
    std::vector<HalfEdge> edges;
    edges.reserve(faces.vertex.size());
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        const auto loop = faces.loop(f);
        if (loop.size() < 3) return {};
        for (std::uint32_t k = 0; k < loop.size(); ++k) {
            const std::uint32_t to = loop[k + 1 < loop.size() ? k + 1 : 0];
            if (loop[k] >= vertex_count) return {};
            edges.push_back(half_edge(loop[k], to, faces.first[f] + k));
        }
    }
    std::vector<std::uint32_t> twin;
    if (!pair_half_edges(edges, twin)) return {};
    return twin;
}

FaceLoops exact_faces(std::span<const Vec3d> points, const TriangleSurface& surface) {
    const auto count = static_cast<std::uint32_t>(surface.triangle.size());
    std::vector<std::uint32_t> face(count);
    std::iota(face.begin(), face.end(), 0U);
    for (std::uint32_t t = 0; t < count; ++t) {
        const TrianglePlane plane = plane_of(points, surface.triangle[t]);
        for (const std::uint32_t n : surface.neighbour[t]) {
            if (n < t) continue;
            if (plane.side(points[opposite_corner(surface.triangle[n], surface.triangle[t])]) != 0) continue;
            unite(face, t, n);
        }
    }
    for (std::uint32_t t = 0; t < count; ++t) face[t] = find_root(face, t);

    // A corner of the hull has at least three faces around it; a point inside an edge has two. The boundary of each
    // face passes a vertex once, so boundary half-edges count the faces around their first vertex.
    std::vector<std::uint32_t> faces_around(points.size(), 0);
    for (std::uint32_t t = 0; t < count; ++t) {
        for (std::uint32_t i = 0; i < 3; ++i) {
            if (face[surface.neighbour[t][i]] != face[t]) ++faces_around[surface.triangle[t][i]];
        }
    }
    FaceLoops out;
    std::vector<std::uint32_t> loop;
    std::vector<bool> done(count, false);
    for (std::uint32_t start = 0; start < count; ++start) {
        if (done[face[start]]) continue;
        std::uint32_t side = 0;
        while (side < 3 && face[surface.neighbour[start][side]] == face[start]) ++side;
        if (side == 3) continue;  // inside its face; another triangle of that face starts the walk
        done[face[start]] = true;
        loop.clear();
        std::uint32_t t = start;
        std::uint32_t i = side;
        do {
            const std::uint32_t v = surface.triangle[t][i];
            if (faces_around[v] >= 3) loop.push_back(v);
            // Turn around the end of this edge, inside the face, to the next boundary edge.
            const std::uint32_t end = surface.triangle[t][(i + 1) % 3];
            i = (i + 1) % 3;
            while (face[surface.neighbour[t][i]] == face[t]) {
                t = surface.neighbour[t][i];
                i = 0;
                while (surface.triangle[t][i] != end) ++i;
            }
        } while (t != start || i != side);
        out.add(loop);
    }
    return out;
}

}  // namespace lanefold::detail
