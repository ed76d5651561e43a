// SPDX-License-Identifier: MIT
//
// The search for the best separating axis of each general pair: centre axis, faces of A, faces of B, arcs of both,
// edge pairs. What is separated by more than its margin drops out at the first stage that shows it.
#pragma once

#include "search/arcs.hpp"
#include "search/cache.hpp"
#include "search/edge_pairs.hpp"
#include "search/faces.hpp"
#include "search/pose.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Drops the pairs that their centre axis separates by more than the margin; `candidates` receives the slots that stay. (The
// slack keeps this first test from deciding anything that the canonical values would decide otherwise.)
inline void stage_centre_axis(const ChunkJob& job, HullPairs& pairs, float* gap, SlotList& candidates,
                              Counters& counters) {
    std::uint32_t cached_apart = 0;
    for (std::uint32_t slot = 0; slot < pairs.count; ++slot) {
        const PairRow& row = pairs.rows[slot];
        AxisRow& axis = pairs.axes[slot];
        const CacheAnswer cached = ask_cache(job, row, pairs.inverses[slot], axis, counters);
        if (cached != CacheAnswer::nothing) {
            gap[slot] = cached == CacheAnswer::apart ? kHighest : kLowest;
            cached_apart += cached == CacheAnswer::apart ? 1U : 0U;
            continue;
        }
        const Best top = support(hull_floats(job.hulls[row.hull_a]), axis.n[0], axis.n[1], axis.n[2]);
        const Best low = support(hull_floats(job.hulls[row.hull_b]), axis.m[0], axis.m[1], axis.m[2]);
        axis.support_a = top.index;
        axis.support_b = low.index;
        gap[slot] = ((axis.tn - low.value) - top.value) - (row.margin + axis.slack);
    }
    // In a loop of its own, and without a branch: about half of the pairs are dropped, at random.
    candidates.count = 0;
    for (std::uint32_t slot = 0; slot < pairs.count; ++slot) candidates.push_if(!(gap[slot] > 0.0F), slot);
    counters.rejected_centre += pairs.count - candidates.count - cached_apart;
}

static_assert(kSearchGroup <= 64, "a bit a member");

// Starts the search of member g on one hull.
template <bool kOnB>
LANEFOLD_INLINE void begin_member(const ChunkJob& job, const HullPairs& pairs, SearchGroup& group, std::uint32_t g,
                                  float cut) {
    FaceSearches& all = group.faces[kOnB ? 1 : 0];
    const std::uint32_t slot = group.slot[g];
    const PairRow& row = pairs.rows[slot];
    const InverseRow& inverse = pairs.inverses[slot];
    const RelativePose& to_a = row.to_a;
    const RelativePose& to_b = inverse.to_b;
    all.limit[g] = row.margin;
    all.slack[g] = pairs.axes[slot].slack;
    const FaceHulls hulls = face_hulls(job, row, kOnB ? 1 : 0);
    begin_face_search(all, g, hull_floats(*hulls.own), hull_floats(*hulls.other), kOnB ? to_b : to_a,
                      kOnB ? to_a : to_b, cut);
    set_unit(all, g, inverse.scale, kOnB ? inverse.offset_b : inverse.offset_a);
}

// Members whose best face the pair cache knows, if it is one of this hull's: its evaluation is the first step of their
// search on this hull. `list`: room for the members.
template <bool kOnB>
LANEFOLD_INLINE std::uint64_t begin_at_cached_faces(const ChunkJob& job, const HullPairs& pairs, SearchGroup& group,
                                                    std::uint32_t count, std::uint32_t* list, Counters& counters) {
    FaceSearches& all = group.faces[kOnB ? 1 : 0];
    if (job.cache == nullptr) return 0;
    std::uint64_t members = 0;
    for (std::uint32_t g = 0; g < count; ++g)
        members |= static_cast<std::uint64_t>(pairs.axes[group.slot[g]].best_on == (kOnB ? 2 : 1)) << g;
    const std::uint32_t n = list_bits(members, 0, list);
    counters.faces_evaluated += n;
    for (std::uint32_t k = 0; k < n; ++k) {
        begin_member<kOnB>(job, pairs, group, list[k], kLowest);
        all.top_face[list[k]] = static_cast<std::int32_t>(pairs.axes[group.slot[list[k]]].best_face);
        aim_query(all, list[k]);
    }
    for (std::uint32_t k = 0; k < n; ++k) answer_query(all, list[k]);
    for (std::uint32_t k = 0; k < n; ++k) {
        place_witness(all, list[k]);
        settle_first_step(all, list[k]);
    }
    return members;
}

// Face searches of one hull for those members of the group whose bits are set; results in group.faces. `begun`: those that
// have done their first step, on A and on B. `list`: room for the members. Returns the members that no face separates by
// more than their margin.
template <bool kOnB>
LANEFOLD_INLINE std::uint64_t search_group(const ChunkJob& job, const HullPairs& pairs, SearchGroup& group,
                                           std::uint32_t count, std::uint64_t members, const std::uint64_t* begun,
                                           std::uint32_t* list, Counters& counters) {
    FaceSearches& all = group.faces[kOnB ? 1 : 0];
    const FaceSearches& other = group.faces[kOnB ? 0 : 1];
    std::int16_t* bound = group.bound.data();
    const std::uint32_t stride = group.bound_stride;
    std::uint32_t n = list_bits(members & ~begun[kOnB ? 1 : 0], 0, list);
    for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t g = list[k];
        const AxisRow& axis = pairs.axes[group.slot[g]];
        begin_member<kOnB>(job, pairs, group, g, kOnB || ((begun[1] >> g) & 1U) != 0 ? other.value[g] : kLowest);
        add_witness(all.search[g], kOnB ? axis.support_a : axis.support_b);
    }
    if (job.cache == nullptr) {
        for (std::uint32_t k = 0; k < n; ++k) first_bounds_of(all, list[k], bound + list[k] * stride);
    } else {
        n = list_bits(members, 0, list);
        for (std::uint32_t k = 0; k < n; ++k) {
            const std::uint32_t g = list[k];
            const AxisRow& axis = pairs.axes[group.slot[g]];
            if (kOnB && other.value[g] > all.cut[g]) all.cut[g] = other.value[g];
            add_witness(all.search[g], kOnB ? axis.extra_a : axis.extra_b);
            two_bounds_of(all, g, bound + g * stride);
        }
    }
    std::int32_t newest = job.cache == nullptr ? 0 : 1;  // witnesses so far, but one
    for (std::uint64_t on = searches_on(all, count) & members; on != 0; on &= searches_on(all, count)) {
        n = list_bits(on, 0, list);
        counters.faces_evaluated += n;
        for (std::uint32_t k = 0; k < n; ++k) aim_query(all, list[k]);
        for (std::uint32_t k = 0; k < n; ++k) answer_query(all, list[k]);
        for (std::uint32_t k = 0; k < n; ++k) place_witness(all, list[k]);
        for (std::uint32_t k = 0; k < n; ++k) tighten_bounds(all, list[k], bound + list[k] * stride);
        // Whoever takes part has taken part in every step before.
        newest = newest < kLastWitness ? newest + 1 : kLastWitness;
        settle_step(all, count, newest);
    }
    n = list_bits(members, 0, list);
    std::uint64_t kept = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t g = list[k];
        const bool apart = all.value[g] > all.limit[g];
        remember_face<kOnB>(job, pairs.rows[group.slot[g]], apart, static_cast<std::uint32_t>(all.face[g]));
        kept |= std::uint64_t{apart ? 0U : 1U} << g;
        counters.rejected_face += apart ? 1U : 0U;
    }
    return kept;
}

// All witnesses of a search once more, moved, in units that allow for the distance.
LANEFOLD_INLINE void move_witnesses(FaceSearches& all, std::uint32_t g, float size, float scale, Quad by) {
    FaceSearch& s = all.search[g];
    set_unit(all, g, scale, coarse_offset(size * scale));
    for (std::uint32_t k = 0; k < s.witness_count; ++k) {
        const std::uint32_t vertex = s.witness[k].vertex;
        set_witness(s, k, witness_at(s, vertex) + by, vertex);
    }
}

// Moves two hulls that are apart by the separation of the best face together along its normal: the witnesses of both
// searches. What the arc test then finds deep was no further apart than that face.
LANEFOLD_INLINE void bring_together(const ChunkJob& job, const HullPairs& pairs, SearchGroup& group, std::uint32_t g,
                                    bool on_b, std::uint32_t face, float separation) {
    const std::uint32_t slot = group.slot[g];
    const float size_a = job.hulls[pairs.rows[slot].hull_a].size;
    const float size_b = job.hulls[pairs.rows[slot].hull_b].size;
    const float scale = kCoarseOne / (pairs.axes[slot].tn + pairs.axes[slot].size_sum + separation);
    FaceSearches& of_best = group.faces[on_b ? 1 : 0];
    const float* n = searched_plane(of_best.search[g], face);
    const float x = separation * n[0];
    const float y = separation * n[1];
    const float z = separation * n[2];
    const float back[4] = {-x, -y, -z, 0.0F};
    const Quad by = load_quad(back);
    const Quad turned = transposed_times(of_best.search[g].to_faces->r, x, y, z);
    move_witnesses(group.faces[0], g, size_a, scale, on_b ? turned : by);
    move_witnesses(group.faces[1], g, size_b, scale, on_b ? by : turned);
}

// The best face of member g of the group into the optimum of its pair. Its separation is that of both hulls unless edges,
// which test_arcs() looks for, are better. Is it one of B's?
LANEFOLD_INLINE bool choose_face(const ChunkJob& job, HullPairs& pairs, SearchGroup& group, std::uint32_t g) {
    const bool on_b = group.faces[1].value[g] > group.faces[0].value[g];  // ties: A
    FaceSearches& best = group.faces[on_b ? 1 : 0];
    FaceSearches& other = group.faces[on_b ? 0 : 1];
    const float value = best.value[g] + 0.0F;
    const auto face = static_cast<std::uint32_t>(best.face[g]);
    const std::uint32_t slot = group.slot[g];
    pairs.optima[slot] = {value, face, static_cast<std::uint32_t>(best.support[g]), on_b ? 1U : 0U, value, 0, 0, 0};
    remember_best(job, pairs.rows[slot], on_b, face, best.search[g], static_cast<std::uint32_t>(best.under[g]),
                  other.search[g]);
    if (value > 0.0F) bring_together(job, pairs, group, g, on_b, face, value);
    return on_b;
}

// The mask of the edges of A or of B of member g.
LANEFOLD_INLINE std::uint32_t* edge_mask(EdgeScratch& edges, std::uint32_t g, bool of_b) {
    return edges.masks.data() + (2 * std::size_t{g} + (of_b ? 1 : 0)) * edges.mask_stride;
}

// The edges of one hull of member g that could beat the best face (see choose_face()), as a mask. Returns 1 when there are
// any, otherwise 0.
LANEFOLD_INLINE std::uint32_t test_arcs(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                        EdgeScratch& edges, std::uint32_t g, bool of_b) {
    const std::uint32_t slot = group.slot[g];
    const PairRow& row = pairs.rows[slot];
    const PairOptimum& optimum = pairs.optima[slot];
    const float value = optimum.face_value;
    const HullRecord& hull = job.hulls[of_b ? row.hull_b : row.hull_a];
    const HullFloats floats = hull_floats(hull);
    const HullTopology topology = hull_topology(hull);
    const FaceSearches& all = group.faces[of_b ? 1 : 0];
    const bool has_best = (optimum.face_on_b != 0) == of_b;
    const BestFace best = {has_best ? optimum.face : 0, has_best ? 1U << all.under[g] : 0U};
    edges.source[of_b ? 1 : 0][g] = edge_source(floats, topology, of_b ? 0.5F * pairs.axes[slot].size_sum : value);
    const float threshold = (value < 0.0F ? value : 0.0F) - pairs.axes[slot].slack;
    const ArcTest test = {searched_coarse_planes(all.search[g]), floats.edges, all.search[g],
                          WShort(deep_from(threshold, all.scale[g])), best};
    return surviving_edges(test, topology, edges.face_bits.data(), edge_mask(edges, g, of_b));
}

// The edges of both hulls of the members, whose best faces are chosen: `on` A or on B. The list receives those members that have
// some left of both; returns how many. `other`: room for as many again.
LANEFOLD_INLINE std::uint32_t test_group_arcs(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                              EdgeScratch& edges, const std::uint64_t* on, std::uint32_t* list,
                                              std::uint32_t* other) {
    // An axis needs an edge of both. The hull with the best face has none left for half of the pairs: it goes first. First
    // those of A, then those of B: within each the members are sorted by class, so that branches predict.
    std::uint64_t left[2] = {0, 0};
    for (std::uint32_t h = 0; h < 2; ++h) {
        const std::uint32_t n = list_bits(on[h], 0, list);
        for (std::uint32_t k = 0; k < n; ++k)
            left[h] |= std::uint64_t{test_arcs(job, pairs, group, edges, list[k], h == 1)} << list[k];
    }
    std::uint32_t both = 0;
    for (std::uint32_t h = 0; h < 2; ++h) {
        const std::uint32_t n = list_bits(left[h], 0, other);
        for (std::uint32_t k = 0; k < n; ++k) {
            list[both] = other[k];
            both += test_arcs(job, pairs, group, edges, other[k], h == 0);
        }
    }
    return both;
}

// The surviving edges of member g, which has some of both hulls, into the lists of those that wait.
LANEFOLD_INLINE void list_pair_edges(const ChunkJob& job, HullPairs& pairs, const SearchGroup& group,
                                     EdgeScratch& edges, std::uint32_t g, Counters& counters) {
    if (edges.a.count >= kEdgeBatch || edges.b.count >= kEdgeBatch)
        fold_edge_pairs(job, pairs, group.slot.data(), edges);
    const PairRow& row = pairs.rows[group.slot[g]];
    std::uint32_t* words = edges.mask_words.data();
    EdgeJob e = {edges.a.count, 0, edges.b.count, 0};
    e.count_a = list_edges(edges.a, g, job.hulls[row.hull_a].edge_count, edge_mask(edges, g, false), words);
    e.count_b = list_edges(edges.b, g, job.hulls[row.hull_b].edge_count, edge_mask(edges, g, true), words);
    counters.edges_surviving += e.count_a + e.count_b;
    counters.edge_pairs += static_cast<std::uint64_t>(e.count_a) * e.count_b;
    edges.jobs[edges.job_count++] = e;
}

// The candidates ordered by the scan classes of A's, then of B's hulls, so that neighbours take the same path through the
// searches and branches predict. Within a class the order, and with it the locality, stays: two counting sorts.
inline void sort_by_class(SearchScratch& s) {
    std::uint32_t first_a[kScanClasses + 1] = {};
    std::uint32_t first_b[kScanClasses + 1] = {};
    std::uint32_t by_b[kChunkPairs];
    std::uint32_t* list = s.candidates.slot.data();
    const std::uint32_t count = s.candidates.count;
    for (std::uint32_t k = 0; k < count; ++k) {
        ++first_a[s.scan_a[list[k]] + 1];
        ++first_b[s.scan_b[list[k]] + 1];
    }
    for (std::uint32_t c = 0; c < kScanClasses; ++c) {
        first_a[c + 1] += first_a[c];
        first_b[c + 1] += first_b[c];
    }
    for (std::uint32_t k = 0; k < count; ++k) by_b[first_b[s.scan_b[list[k]]]++] = list[k];
    for (std::uint32_t k = 0; k < count; ++k) list[first_a[s.scan_a[by_b[k]]]++] = by_b[k];
}

// All pairs that stage_pose() posed; pairs.alive receives those still in the game, pairs.optima what was found.
inline void stage_search(const ChunkJob& job, HullPairs& pairs, SearchScratch& s, Counters& counters) {
    SearchGroup& group = s.group;
    EdgeScratch& edges = s.edges;
    clear_edges(edges);

    stage_centre_axis(job, pairs, s.gap.data(), s.candidates, counters);
    LANEFOLD_STAGE_DONE(centre_axis);
    sort_by_class(s);
    LANEFOLD_STAGE_DONE(sort);

    std::uint32_t alive = 0;
    const std::uint32_t candidates = s.candidates.count;
    std::uint32_t* members = s.members.data();
    std::uint32_t* active = s.active.data();
    for (std::uint32_t begin = 0; begin < candidates; begin += kSearchGroup) {
        std::uint32_t count = candidates - begin < kSearchGroup ? candidates - begin : kSearchGroup;
        for (std::uint32_t g = 0; g < count; ++g) group.slot[g] = s.candidates.slot[begin + g];
        const std::uint64_t all = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        for (FaceSearches& of_hull : group.faces) clear_searches(of_hull, count);
        const std::uint64_t begun[2] = {begin_at_cached_faces<false>(job, pairs, group, count, active, counters),
                                        begin_at_cached_faces<true>(job, pairs, group, count, active, counters)};
        const std::uint64_t near_a = search_group<false>(job, pairs, group, count, all, begun, active, counters);
        const std::uint64_t near = search_group<true>(job, pairs, group, count, near_a, begun, active, counters);
        LANEFOLD_STAGE_DONE(faces);
        count = list_bits(near, 0, members);
        std::uint64_t best_on[2] = {0, 0};
        for (std::uint32_t k = 0; k < count; ++k) {
            pairs.alive.slot[alive++] = group.slot[members[k]];
            best_on[choose_face(job, pairs, group, members[k]) ? 1 : 0] |= std::uint64_t{1} << members[k];
        }
        count = test_group_arcs(job, pairs, group, edges, best_on, members, active);
        for (std::uint32_t k = 0; k < count; ++k) list_pair_edges(job, pairs, group, edges, members[k], counters);
        LANEFOLD_STAGE_DONE(arcs);
        fold_edge_pairs(job, pairs, group.slot.data(), edges);
        LANEFOLD_STAGE_DONE(edge_pairs);
    }
    pairs.alive.count = alive;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
