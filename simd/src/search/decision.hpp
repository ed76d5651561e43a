// SPDX-License-Identifier: MIT
//
// From optima to contacts: which pairs touch, whether the face or the edge pair gives the manifold, and, for a pair
// that is apart, whether the separation along the best axis is the distance.
//
// The best separating axis bounds the Euclidean distance from below. It equals it exactly when the closest points lie
// on the features: the support vertex inside the face's side planes, or both edge parameters in 0..1. This test costs
// almost nothing and settles almost every pair; the others go to the float64 path. If a face ties with the
// edges (kFaceTie), the face is tested instead, after clipping.
#pragma once

#include "pair/lane_rows.hpp"
#include "search/cache.hpp"
#include "search/edge_pairs.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Whether the closest points of the two lines lie on the edges for certain, rounding included. One bit for each slot of
// a list, lanes = pairs.
inline std::uint32_t edge_parameters_inside(const ChunkJob& job, const HullPairs& pairs, const std::uint32_t* slots,
                                            std::uint32_t lanes) {
    EdgeEnds ends_a[kWidth];
    EdgeEnds ends_b[kWidth];
    const float* rows_a[kWidth];
    const float* rows_b[kWidth];
    const float* poses[kWidth];
    alignas(64) float sizes[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const std::uint32_t slot = slots[l < lanes ? l : 0];
        const PairRow& row = pairs.rows[slot];
        sizes[l] = pairs.axes[slot].size_sum;
        write_edge_ends(job.hulls[row.hull_a], pairs.optima[slot].edge_a, ends_a[l].from);
        write_edge_ends(job.hulls[row.hull_b], pairs.optima[slot].edge_b, ends_b[l].from);
        rows_a[l] = ends_a[l].from;
        rows_b[l] = ends_b[l].from;
        poses[l] = row.to_a.r;
    }
    const LaneEdgeEnds a = LaneEdgeEnds::load(rows_a);
    const LaneEdgeEnds b = LaneEdgeEnds::load(rows_b);
    const LanePose to_a = load_pose(poses);
    const WVec3 from_b = transform(to_a, b.from);
    const WVec3 along_a = a.to - a.from;
    const WVec3 along_b = transform(to_a, b.to) - from_b;
    const ClosestParameters at = closest_parameters(along_a, along_b, from_b - a.from);
    const WFloat least = parameter_error(along_a, along_b, WFloat::load(sizes));
    const WFloat most = at.det - least;
    return bits((at.a >= least) & (at.a <= most) & (at.b >= least) & (at.b <= most));
}

// True if the face gives the manifold, false if the edges do.
LANEFOLD_INLINE bool face_wins(const PairOptimum& o, const AxisRow& axis) {
    return (o.has_edge == 0) | (o.face_value >= o.value - axis.face_band);
}

// Appends the slot to the faces or to the edges if `wanted`. Both lists are written and at most one grows, because a
// branch would be mispredicted half of the time.
LANEFOLD_INLINE void list_contact(HullPairs& pairs, std::uint32_t slot, bool wanted) {
    const bool face = face_wins(pairs.optima[slot], pairs.axes[slot]);
    pairs.faces.push_if(wanted & face, slot);
    pairs.edges.push_if(wanted & !face, slot);
}

// Drops the edges if the pair is apart and a face ties with them.
LANEFOLD_INLINE void tie_to_face(PairOptimum& o, const AxisRow& axis) {
    const auto apart = static_cast<std::uint32_t>(o.value > 0.0F);
    const auto level = static_cast<std::uint32_t>(o.face_value >= o.value - axis.size_sum * kFaceTie);
    // A mask, because compilers make a branch of a choice, which is mispredicted for a third of the pairs.
    o.has_edge &= (apart & level) - 1U;
}

// Keeps what is known of a pair that its edges separate by more than its margin.
LANEFOLD_INLINE void remember_edges(const ChunkJob& job, HullPairs& pairs, std::uint32_t slot) {
    const PairOptimum& o = pairs.optima[slot];
    remember(job, pairs.rows[slot], CacheKind::edges, o.edge_a, o.edge_b);
    if (pairs.separated.wanted) pairs.separated.push(slot, o.value);
}

// The contacts of the pairs whose edges prove that their separation is the distance; of the others the closest points
// are searched.
inline void list_proven(const ChunkJob& job, HullPairs& pairs, const std::uint32_t* unproven, std::uint32_t count) {
    for (std::uint32_t begin = 0; begin < count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const std::uint32_t inside = edge_parameters_inside(job, pairs, unproven + begin, lanes);
        for (std::uint32_t l = 0; l < lanes; ++l) {
            const std::uint32_t slot = unproven[begin + l];
            const bool proven = bit_at(inside, l);
            pairs.apart.push_if(!proven, slot);
            // Its faces are not clipped yet (contact/nearest.hpp).
            pairs.optima[slot].value = proven ? pairs.optima[slot].value : -kHighest;
            list_contact(pairs, slot, proven);
        }
    }
}

// Sorts pairs.alive into face contacts, edge contacts and pairs whose closest points are searched.
inline void stage_decide(const ChunkJob& job, HullPairs& pairs, Counters& counters) {
    pairs.faces.count = 0;
    pairs.edges.count = 0;
    pairs.apart.count = 0;
    const bool remembers = job.cache != nullptr || pairs.separated.wanted;
    std::uint32_t unproven[kListRoom];  // pairs apart whose edges must prove that their separation is the distance
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < pairs.alive.count; ++k) {
        const std::uint32_t slot = pairs.alive.slot[k];
        const PairRow& row = pairs.rows[slot];
        PairOptimum& o = pairs.optima[slot];
        const bool out = o.value > row.margin;
        counters.rejected_edge += static_cast<std::uint64_t>(out);
        if (remembers & out) remember_edges(job, pairs, slot);
        tie_to_face(o, pairs.axes[slot]);
        // Faces prove their distance after clipping.
        const bool edges_first = (o.value > 0.0F) & (o.has_edge != 0);
        unproven[count] = slot;
        count += static_cast<std::uint32_t>(!out & edges_first);
        list_contact(pairs, slot, !out & !edges_first);
    }
    list_proven(job, pairs, unproven, count);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
