// SPDX-License-Identifier: MIT
//
// The search for the best separating axis of each general pair: centre axis, faces of A, faces of B, arcs of both,
// edge pairs. What is separated by more than its margin drops out at the first stage that shows it.
#pragma once

#include "hull_arcs.hpp"
#include "hull_edge_pairs.hpp"
#include "hull_faces.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Every combination of the surviving edges of the pair in `slot`; works off full batches.
inline void push_edge_pairs(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t slot, const HullRecord& hull_a,
                            const HullRecord& hull_b, std::uint32_t edges_a, std::uint32_t edges_b) {
    if (edges_a == 0 || edges_b == 0) return;
    if (s.edge_row_a_count + edges_a > s.edge_rows_a.size() - kBlockLanes ||
        s.edge_row_b_count + edges_b > s.edge_rows_b.size() - kBlockLanes) {
        flush_edge_pairs(job, s);
        s.edge_row_a_count = 0;
        s.edge_row_b_count = 0;
        s.transformed = 0;
    }
    const HullFloats a = hull_floats(hull_a);
    const HullFloats b = hull_floats(hull_b);
    const HullTopology topology_a = hull_topology(hull_a);
    const HullTopology topology_b = hull_topology(hull_b);
    const std::uint32_t first_a = s.edge_row_a_count;
    const std::uint32_t first_b = s.edge_row_b_count;
    for (std::uint32_t i = 0; i < edges_a; ++i)
        write_edge_row(a, topology_a, s.edges_a[i], slot, s.edge_rows_a[first_a + i]);
    for (std::uint32_t i = 0; i < edges_b; ++i)
        write_edge_row(b, topology_b, s.edges_b[i], slot, s.edge_rows_b[first_b + i]);
    s.edge_row_a_count += edges_a;
    s.edge_row_b_count += edges_b;
    for (std::uint32_t i = 0; i < edges_a; ++i) {
        for (std::uint32_t j = 0; j < edges_b; ++j) {
            if (s.edge_pair_count == kEdgePairBatch) flush_edge_pairs(job, s);
            s.edge_pairs[s.edge_pair_count++] = {first_a + i, first_b + j};
        }
    }
}

// Searches one pair; false when it is separated by more than its margin.
inline bool search_pair(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t slot, Counters& counters) {
    const PairRow& row = s.rows[slot];
    const AxisRow& axis = s.axes[slot];
    const HullRecord& hull_a = job.hulls[row.hull_a];
    const HullRecord& hull_b = job.hulls[row.hull_b];
    const HullFloats a = hull_floats(hull_a);
    const HullFloats b = hull_floats(hull_b);

    const Best top = support(a, axis.n[0], axis.n[1], axis.n[2]);
    const Best low = support(b, axis.m[0], axis.m[1], axis.m[2]);
    if ((axis.tn - low.value) - top.value > row.margin + axis.slack) {
        ++counters.rejected_centre;
        return false;
    }

    const std::uint32_t stride = s.plane_stride;
    std::uint32_t witnesses_a = 0;
    std::uint32_t witnesses_b = 0;
    const FaceOptimum face_a =
        search_faces(a, b, row.r, row.t, low.index, kLowest, row.margin, axis.slack, s.bound.data(),
                     s.plane_distance_a.data(), stride, witnesses_a, counters.faces_evaluated);
    if (face_a.value > row.margin) {
        ++counters.rejected_face;
        return false;
    }
    const float* r = row.r;
    const float* t = row.t;
    const float r_inverse[9] = {r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]};
    const float t_inverse[3] = {-((r[0] * t[0] + r[3] * t[1]) + r[6] * t[2]),
                                -((r[1] * t[0] + r[4] * t[1]) + r[7] * t[2]),
                                -((r[2] * t[0] + r[5] * t[1]) + r[8] * t[2])};
    const FaceOptimum face_b =
        search_faces(b, a, r_inverse, t_inverse, top.index, face_a.value, row.margin, axis.slack, s.bound.data(),
                     s.plane_distance_b.data(), stride, witnesses_b, counters.faces_evaluated);
    if (face_b.value > row.margin) {
        ++counters.rejected_face;
        return false;
    }

    PairOptimum& best = s.optimum[slot];
    const bool on_b = face_b.value > face_a.value;  // ties: A
    const FaceOptimum& face = on_b ? face_b : face_a;
    best = {face.value, face.face, face.support, on_b ? 1U : 0U, face.value, 0, 0, 0};

    const float threshold = (face.value < 0.0F ? face.value : 0.0F) - axis.slack;
    const std::uint32_t edges_a = surviving_edges(hull_topology(hull_a), a.edges, a.faces, s.plane_distance_a.data(),
                                                  stride, witnesses_a, threshold, s.face_bits.data(), s.edges_a.data());
    if (edges_a == 0) return true;
    const std::uint32_t edges_b = surviving_edges(hull_topology(hull_b), b.edges, b.faces, s.plane_distance_b.data(),
                                                  stride, witnesses_b, threshold, s.face_bits.data(), s.edges_b.data());
    counters.edges_surviving += edges_a + edges_b;
    counters.edge_pairs += static_cast<std::uint64_t>(edges_a) * edges_b;
    push_edge_pairs(job, s, slot, hull_a, hull_b, edges_a, edges_b);
    return true;
}

// All of hull_list (posed by stage_pose); alive_list receives the slots still in the game.
inline void stage_search(const ChunkJob& job, ChunkScratch::Impl& s, Counters& counters) {
    s.edge_row_a_count = 0;
    s.edge_row_b_count = 0;
    s.edge_pair_count = 0;
    s.transformed = 0;
    std::uint32_t alive = 0;
    for (std::uint32_t slot = 0; slot < s.hull_count; ++slot)
        if (search_pair(job, s, slot, counters)) s.alive_list[alive++] = slot;
    flush_edge_pairs(job, s);
    s.alive_count = alive;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
