// SPDX-License-Identifier: MIT
//
// From optima to contacts: what touches, whether the best axis IS the distance when the pair is apart, and
// whether the face or the edge pair gives the manifold.
//
// Apart, the best separating axis bounds the Euclidean distance from below and equals it exactly when its
// closest points lie on the features: the support vertex inside the face's side planes, both edge parameters
// in 0..1. That free test settles almost every pair; the others go to the float64 path.
#pragma once

#include "hull_edge_pairs.hpp"
#include "pair_cache.hpp"
#include "point.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Is the support vertex, seen along the normal, inside the best face?
inline bool support_inside_face(const PairRow& row, const PairOptimum& o, const HullRecord& hull_a,
                                const HullRecord& hull_b) {
    const HullRecord& face_hull = o.face_on_b != 0 ? hull_b : hull_a;
    const HullFloats h = hull_floats(face_hull);
    const HullFloats other = hull_floats(o.face_on_b != 0 ? hull_a : hull_b);
    const HullTopology topology = hull_topology(face_hull);
    const Point s = vertex_of(other, o.support);
    const Point v = o.face_on_b != 0 ? to_b(row, s) : to_a(row, s);
    const Point n = {h.nx[o.face], h.ny[o.face], h.nz[o.face]};
    const std::uint32_t first = topology.face_first[o.face];
    const std::uint32_t last = topology.face_first[o.face + 1];
    Point from = vertex_of(h, topology.face_vertex[last - 1]);
    for (std::uint32_t k = first; k < last; ++k) {
        const Point to = vertex_of(h, topology.face_vertex[k]);
        if (!(dot(cross(n, sub(to, from)), sub(v, from)) >= 0.0F)) return false;
        from = to;
    }
    return true;
}

// Do the closest points of the two lines lie on the edges?
inline bool edge_parameters_inside(const PairRow& row, const PairOptimum& o, const HullRecord& hull_a,
                                   const HullRecord& hull_b) {
    const HullFloats a = hull_floats(hull_a);
    const HullFloats b = hull_floats(hull_b);
    const std::uint16_t* vertices_a = hull_topology(hull_a).edge_vertex + 2 * o.edge_a;
    const std::uint16_t* vertices_b = hull_topology(hull_b).edge_vertex + 2 * o.edge_b;
    const Point pa = vertex_of(a, vertices_a[0]);
    const Point pb = to_a(row, vertex_of(b, vertices_b[0]));
    const Point ea = sub(vertex_of(a, vertices_a[1]), pa);
    const Point eb = sub(to_a(row, vertex_of(b, vertices_b[1])), pb);
    const Point d = sub(pb, pa);
    const float aa = dot(ea, ea);
    const float ab = dot(ea, eb);
    const float bb = dot(eb, eb);
    const float da = dot(d, ea);
    const float db = dot(d, eb);
    const float det = aa * bb - ab * ab;
    const float s = da * bb - db * ab;
    const float u = da * ab - db * aa;
    return det > 0.0F && s >= 0.0F && s <= det && u >= 0.0F && u <= det;
}

// Sorts alive_list into face contacts, edge contacts and pairs for the float64 path.
inline void stage_decide(const ChunkJob& job, ChunkScratch::Impl& s, Counters& counters) {
    s.face_count = 0;
    s.edge_count = 0;
    for (std::uint32_t k = 0; k < s.alive_count; ++k) {
        const std::uint32_t slot = s.alive_list[k];
        const PairOptimum& o = s.optimum[slot];
        const PairRow& row = s.rows[slot];
        if (o.edge_value > row.margin) {
            ++counters.rejected_edge;
            remember(job, row, CacheKind::edges, o.edge_a, o.edge_b);
            continue;
        }
        if (o.edge_value > 0.0F) {
            const HullRecord& a = job.hulls[row.hull_a];
            const HullRecord& b = job.hulls[row.hull_b];
            // A face that fails the quick test gets another chance: the clip may find the surfaces as close elsewhere.
            if (o.has_edge == 0) s.optimum[slot].unproven = support_inside_face(row, o, a, b) ? 0U : 1U;
            if (o.has_edge != 0 && !edge_parameters_inside(row, o, a, b)) {
                ++counters.distance_finished;
                s.precise_list[s.precise_count++] = row.pair;
                continue;
            }
        }
        // Into both lists, and one of them grows: nobody can foresee which.
        const bool face = (o.has_edge == 0) | (o.face_value >= o.edge_value - s.axes[slot].face_band);
        s.face_list[s.face_count] = slot;
        s.edge_list[s.edge_count] = slot;
        s.face_count += static_cast<std::uint32_t>(face);
        s.edge_count += static_cast<std::uint32_t>(!face);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
