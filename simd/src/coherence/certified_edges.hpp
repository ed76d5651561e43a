// SPDX-License-Identifier: MIT
//
// Combines the edges that certificates of best faces list (coherence/certified_optima.hpp). Most list one edge of
// either hull, which carry the contact. These are combined lanes = pairs of hulls; the others like the edges that a
// search leaves.
#pragma once

#include "coherence/certificates.hpp"
#include "search/edge_pairs.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Appends `count` edges of member g from a certificate's list, from place `at` on, in whole vectors.
LANEFOLD_INLINE void append_edges(EdgeList& out, std::uint32_t g, const CertifiedOptimum& of, std::uint32_t at,
                                  std::uint32_t count) {
    std::uint32_t* edge = out.edge.data() + out.count;
    std::uint32_t* member = out.member.data() + out.count;
    // Behind the list other numbers of the line are read, which count for nothing.
    std::uint16_t named[kMostCertifiedEdges];
    static_assert(offsetof(CertifiedOptimum, edge) + 2 * sizeof named <= sizeof of);
    __builtin_memcpy(named, reinterpret_cast<const std::byte*>(&of) + offsetof(CertifiedOptimum, edge) + 2 * at,
                     sizeof named);
    for (std::uint32_t k = 0; k < kMostCertifiedEdges; ++k) {
        edge[k] = named[k];
        member[k] = g;
    }
    out.count += count;
}

// Sets the places of the edges of both hulls of member g.
LANEFOLD_INLINE void set_edge_sources(const ChunkJob& job, const HullPairs& pairs, EdgeScratch& edges, std::uint32_t g,
                                      std::uint32_t slot) {
    const HullRecord& a = job.hulls[pairs.rows[slot].hull_a];
    const HullRecord& b = job.hulls[pairs.rows[slot].hull_b];
    edges.source[0][g] = edge_source(hull_floats(a), hull_topology(a), pairs.optima[slot].face_value);
    edges.source[1][g] = edge_source(hull_floats(b), hull_topology(b), 0.5F * pairs.axes[slot].size_sum);
}

// Lists the edges of a certificate, to be combined like those that an arc test leaves.
LANEFOLD_INLINE void list_certified_edges(const ChunkJob& job, HullPairs& pairs, SearchScratch& s, std::uint32_t g,
                                          std::uint32_t slot, Counters& counters) {
    EdgeScratch& edges = s.edges;
    if (edges.a.count >= kEdgeBatch || edges.b.count >= kEdgeBatch) fold_edge_pairs(job, pairs, s.group.slot, edges);
    const PairRow& row = pairs.rows[slot];
    const CertifiedOptimum& of = certified_optimum(job, row);
    set_edge_sources(job, pairs, edges, g, slot);
    const EdgeJob e = {edges.a.count, of.count_a, edges.b.count, of.count_b};
    append_edges(edges.a, g, of, 0, e.count_a);
    append_edges(edges.b, g, of, e.count_a, e.count_b);
    add_job(edges, e, counters);
}

// Edges of B in A's frame: the expressions of turn_edge_rows().
LANEFOLD_INLINE LaneEdgeB turned(const LaneEdgeB& e, const LanePose& to_a) {
    return {rotate(to_a.r, e.along), transform(to_a, e.vertex), rotate(to_a.r, e.n0), rotate(to_a.r, e.n1),
            e.mean_size};
}

// Bits of lanes whose arcs cross: the signs of arcs_cross().
LANEFOLD_INLINE std::uint32_t crossing_lanes(const LaneEdgeA& a, const LaneEdgeB& b) {
    const WFloat zero(0.0F);
    const ArcProducts p(a, b);
    return bits((((p.y0 > zero) & (p.y1 < zero)) & ((p.x0 > zero) & (p.x1 < zero))) |
                (((p.y0 < zero) & (p.y1 > zero)) & ((p.x0 < zero) & (p.x1 > zero))));
}

// Lanes of pairs with one edge on either hull.
struct SingleNames {
    const ChunkJob& job;
    const HullPairs& pairs;
    const std::uint32_t* slots;

    LANEFOLD_INLINE const CertifiedOptimum& line(std::uint32_t l) const {
        return certified_optimum(job, pairs.rows[slots[l]]);
    }
    LANEFOLD_INLINE std::uint32_t slot(std::uint32_t l) const { return slots[l]; }
    LANEFOLD_INLINE std::uint32_t edge_a(std::uint32_t l) const { return line(l).edge[0]; }
    LANEFOLD_INLINE std::uint32_t edge_b(std::uint32_t l) const { return line(l).edge[1]; }
};

// Combines the edges of pairs whose certificates list one edge of either hull, lanes = pairs.
inline void combine_singles(const ChunkJob& job, HullPairs& pairs, const SlotList& list, Counters& counters) {
    for (std::uint32_t k = 0; k < list.count; k += kWidth) {
        const std::uint32_t lanes = lane_count(list.count, k);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const float* rows_a[kWidth];
        const float* rows_b[kWidth];
        const float* poses[kWidth];
        alignas(64) float face_value[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const std::uint32_t slot = list.slot[k + (l < lanes ? l : lanes - 1)];
            const PairRow& row = pairs.rows[slot];
            const CertifiedSingle& single = job.certificates->singles[job.certificates->of[row.pair]];
            rows_a[l] = single.a;
            rows_b[l] = single.b;
            poses[l] = row.to_a.r;
            face_value[l] = pairs.optima[slot].face_value;
        }
        LaneEdgeA a = LaneEdgeA::load(rows_a);
        a.face_value = WFloat::load(face_value);
        const LaneEdgeB b = turned(LaneEdgeB::load(rows_b), load_pose(poses));
        const std::uint32_t used = lanes < kWidth ? lane_mask(lanes) : kAllLanes;
        fold_crossings(job, pairs, a, b, crossing_lanes(a, b) & used, SingleNames{job, pairs, list.slot.data() + k});
    }
    counters.edges_surviving += 2 * list.count;
    counters.edge_pairs += list.count;
}

// Combines the edges that the certificates of these pairs list. The list is used up; `singles`: room for as many.
inline void combine_certified(const ChunkJob& job, HullPairs& pairs, SearchScratch& s, SlotList& list,
                              SlotList& singles, Counters& counters) {
    singles.count = 0;
    std::uint32_t others = 0;
    for (std::uint32_t k = 0; k < list.count; ++k) {
        const std::uint32_t slot = list.slot[k];
        const CertifiedOptimum& of = certified_optimum(job, pairs.rows[slot]);
        const bool single = of.is_single();
        singles.push_if(single, slot);
        list.slot[others] = slot;
        others += single ? 0U : 1U;
    }
    combine_singles(job, pairs, singles, counters);
    for (std::uint32_t begin = 0; begin < others; begin += kSearchGroup) {
        const std::uint32_t n = others - begin < kSearchGroup ? others - begin : kSearchGroup;
        for (std::uint32_t g = 0; g < n; ++g) s.group.slot[g] = list.slot[begin + g];
        for (std::uint32_t g = 0; g < n; ++g) list_certified_edges(job, pairs, s, g, s.group.slot[g], counters);
        fold_edge_pairs(job, pairs, s.group.slot, s.edges);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
