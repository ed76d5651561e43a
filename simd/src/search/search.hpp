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

// Drops the pairs that their centre axis separates by more than the margin; face_list receives the slots that stay. (The
// slack keeps this first test from deciding anything that the canonical values would decide otherwise.)
inline std::uint32_t stage_centre_axis(const ChunkJob& job, ChunkScratch::Impl& s, Counters& counters) {
    std::uint32_t cached_apart = 0;
    for (std::uint32_t slot = 0; slot < s.hull_count; ++slot) {
        const PairRow& row = s.rows[slot];
        AxisRow& axis = s.axes[slot];
        const CacheAnswer cached = ask_cache(job, row, s.inverses[slot], axis, counters);
        if (cached != CacheAnswer::nothing) {
            s.gap[slot] = cached == CacheAnswer::apart ? kHighest : kLowest;
            cached_apart += cached == CacheAnswer::apart ? 1U : 0U;
            continue;
        }
        const Best top = support(hull_floats(job.hulls[row.hull_a]), axis.n[0], axis.n[1], axis.n[2]);
        const Best low = support(hull_floats(job.hulls[row.hull_b]), axis.m[0], axis.m[1], axis.m[2]);
        axis.support_a = top.index;
        axis.support_b = low.index;
        s.gap[slot] = ((axis.tn - low.value) - top.value) - (row.margin + axis.slack);
    }
    // In a loop of its own, and without a branch: about half of the pairs are dropped, at random.
    std::uint32_t kept = 0;
    for (std::uint32_t slot = 0; slot < s.hull_count; ++slot) {
        s.face_list[kept] = slot;
        kept += static_cast<std::uint32_t>(!(s.gap[slot] > 0.0F));
    }
    counters.rejected_centre += s.hull_count - kept - cached_apart;
    return kept;
}

static_assert(kSearchGroup <= 64, "a bit a member");

// Starts the search of member g on one hull.
template <bool kOnB>
LANEFOLD_INLINE void begin_member(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t g, float cut) {
    FaceSearches& all = s.search[kOnB ? 1 : 0];
    const std::uint32_t slot = s.group[g];
    const PairRow& row = s.rows[slot];
    const InverseRow& inverse = s.inverses[slot];
    const float* to_a = row.r;
    const float* to_b = inverse.r;
    all.limit[g] = row.margin;
    all.slack[g] = s.axes[slot].slack;
    const HullRecord& hull = job.hulls[kOnB ? row.hull_b : row.hull_a];
    const HullRecord& other = job.hulls[kOnB ? row.hull_a : row.hull_b];
    begin_face_search(all, g, hull_floats(hull), hull_floats(other), kOnB ? to_b : to_a, kOnB ? to_a : to_b, cut);
    set_unit(all, g, inverse.scale, kOnB ? inverse.offset_b : inverse.offset_a);
}

// Members whose best face the pair cache knows, if it is one of this hull's: its evaluation is the first step of their
// search on this hull.
template <bool kOnB>
LANEFOLD_INLINE std::uint64_t begin_at_cached_faces(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t count,
                                                    Counters& counters) {
    FaceSearches& all = s.search[kOnB ? 1 : 0];
    if (job.cache == nullptr) return 0;
    std::uint64_t members = 0;
    for (std::uint32_t g = 0; g < count; ++g)
        members |= static_cast<std::uint64_t>(s.axes[s.group[g]].best_on == (kOnB ? 2 : 1)) << g;
    std::uint32_t* list = s.active.data();
    const std::uint32_t n = list_bits(members, 0, list);
    counters.faces_evaluated += n;
    for (std::uint32_t k = 0; k < n; ++k) {
        begin_member<kOnB>(job, s, list[k], kLowest);
        all.top_face[list[k]] = static_cast<std::int32_t>(s.axes[s.group[list[k]]].best_face);
        aim_query(all, list[k]);
    }
    for (std::uint32_t k = 0; k < n; ++k) answer_query(all, list[k]);
    for (std::uint32_t k = 0; k < n; ++k) {
        place_witness(all, list[k]);
        settle_first_step(all, list[k]);
    }
    return members;
}

// Face searches of one hull for those members of the group whose bits are set; results in s.search. `begun`: those that have
// done their first step, on A and on B. Returns the members that no face separates by more than their margin.
template <bool kOnB>
LANEFOLD_INLINE std::uint64_t search_group(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t count,
                                           std::uint64_t members, const std::uint64_t* begun, Counters& counters) {
    FaceSearches& all = s.search[kOnB ? 1 : 0];
    const FaceSearches& other = s.search[kOnB ? 0 : 1];
    std::int16_t* bound = s.bound.data();
    const std::uint32_t stride = s.bound_stride;
    std::uint32_t* list = s.active.data();
    std::uint32_t n = list_bits(members & ~begun[kOnB ? 1 : 0], 0, list);
    for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t g = list[k];
        const AxisRow& axis = s.axes[s.group[g]];
        begin_member<kOnB>(job, s, g, kOnB || ((begun[1] >> g) & 1U) != 0 ? other.value[g] : kLowest);
        add_witness(all.search[g], kOnB ? axis.support_a : axis.support_b);
    }
    if (job.cache == nullptr) {
        for (std::uint32_t k = 0; k < n; ++k) first_bounds_of(all, list[k], bound + list[k] * stride);
    } else {
        n = list_bits(members, 0, list);
        for (std::uint32_t k = 0; k < n; ++k) {
            const std::uint32_t g = list[k];
            const AxisRow& axis = s.axes[s.group[g]];
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
        remember_face<kOnB>(job, s.rows[s.group[g]], apart, static_cast<std::uint32_t>(all.face[g]));
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
LANEFOLD_INLINE void bring_together(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t g, bool on_b,
                                    std::uint32_t face, float separation) {
    const std::uint32_t slot = s.group[g];
    const float size_a = job.hulls[s.rows[slot].hull_a].size;
    const float size_b = job.hulls[s.rows[slot].hull_b].size;
    const float scale = kCoarseOne / (s.axes[slot].tn + s.axes[slot].size_sum + separation);
    FaceSearches& of_best = s.search[on_b ? 1 : 0];
    const float* n = searched_plane(of_best.search[g], face);
    const float x = separation * n[0];
    const float y = separation * n[1];
    const float z = separation * n[2];
    const float back[4] = {-x, -y, -z, 0.0F};
    const Quad by = load_quad(back);
    const Quad turned = transposed_times(of_best.search[g].to_faces, x, y, z);
    move_witnesses(s.search[0], g, size_a, scale, on_b ? turned : by);
    move_witnesses(s.search[1], g, size_b, scale, on_b ? by : turned);
}

// The best face of member g of the group into the optimum of its pair. Its separation is that of both hulls unless edges,
// which test_arcs() looks for, are better. Is it one of B's?
LANEFOLD_INLINE bool choose_face(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t g) {
    const bool on_b = s.search[1].value[g] > s.search[0].value[g];  // ties: A
    FaceSearches& best = s.search[on_b ? 1 : 0];
    FaceSearches& other = s.search[on_b ? 0 : 1];
    const float value = best.value[g] + 0.0F;
    const auto face = static_cast<std::uint32_t>(best.face[g]);
    const std::uint32_t slot = s.group[g];
    s.optimum[slot] = {value, face, static_cast<std::uint32_t>(best.support[g]), on_b ? 1U : 0U, value, 0, 0, 0};
    remember_best(job, s.rows[slot], on_b, face, best.search[g], static_cast<std::uint32_t>(best.under[g]),
                  other.search[g]);
    if (value > 0.0F) bring_together(job, s, g, on_b, face, value);
    return on_b;
}

// The masks of edges of member g: A's, and B's behind them.
LANEFOLD_INLINE std::uint32_t* edge_masks(ChunkScratch::Impl& s, std::uint32_t g, bool of_b) {
    return s.edge_masks.data() + (2 * std::size_t{g} + (of_b ? 1 : 0)) * s.mask_stride;
}

// The edges of one hull of member g that could beat the best face (see choose_face()), as a mask. Returns 1 when there are
// any, otherwise 0.
LANEFOLD_INLINE std::uint32_t test_arcs(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t g, bool of_b) {
    const std::uint32_t slot = s.group[g];
    const PairRow& row = s.rows[slot];
    const PairOptimum& optimum = s.optimum[slot];
    const float value = optimum.face_value;
    const HullRecord& hull = job.hulls[of_b ? row.hull_b : row.hull_a];
    const HullFloats floats = hull_floats(hull);
    const HullTopology topology = hull_topology(hull);
    const FaceSearches& all = s.search[of_b ? 1 : 0];
    const bool has_best = (optimum.face_on_b != 0) == of_b;
    const BestFace best = {has_best ? optimum.face : 0, has_best ? 1U << all.under[g] : 0U};
    s.edge_source[of_b ? 1 : 0][g] = edge_source(floats, topology, of_b ? 0.5F * s.axes[slot].size_sum : value);
    const float threshold = (value < 0.0F ? value : 0.0F) - s.axes[slot].slack;
    const ArcTest test = {searched_coarse_planes(all.search[g]), floats.edges, all.search[g],
                          WShort(deep_from(threshold, all.scale[g])), best};
    return surviving_edges(test, topology, s.face_bits.data(), edge_masks(s, g, of_b));
}

// The edges of both hulls of the members, whose best faces are chosen: `on` A or on B. The list receives those members that have
// some left of both; returns how many.
LANEFOLD_INLINE std::uint32_t test_group_arcs(const ChunkJob& job, ChunkScratch::Impl& s, const std::uint64_t* on,
                                              std::uint32_t* list) {
    // An axis needs an edge of both. The hull with the best face has none left for half of the pairs: it goes first. First
    // those of A, then those of B: within each the members are sorted by class, so that branches predict.
    std::uint64_t left[2] = {0, 0};
    for (std::uint32_t h = 0; h < 2; ++h) {
        const std::uint32_t n = list_bits(on[h], 0, list);
        for (std::uint32_t k = 0; k < n; ++k) left[h] |= std::uint64_t{test_arcs(job, s, list[k], h == 1)} << list[k];
    }
    std::uint32_t both = 0;
    std::uint32_t* other = s.active.data();
    for (std::uint32_t h = 0; h < 2; ++h) {
        const std::uint32_t n = list_bits(left[h], 0, other);
        for (std::uint32_t k = 0; k < n; ++k) {
            list[both] = other[k];
            both += test_arcs(job, s, other[k], h == 0);
        }
    }
    return both;
}

// The surviving edges of member g, which has some of both hulls, into the lists of those that wait.
LANEFOLD_INLINE void list_pair_edges(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t g, Counters& counters) {
    if (s.edges_a.count >= kEdgeBatch || s.edges_b.count >= kEdgeBatch) fold_edge_pairs(job, s);
    const PairRow& row = s.rows[s.group[g]];
    EdgeJob e = {s.edges_a.count, 0, s.edges_b.count, 0};
    e.count_a =
        list_edges(s.edges_a, g, job.hulls[row.hull_a].edge_count, edge_masks(s, g, false), s.mask_words.data());
    e.count_b = list_edges(s.edges_b, g, job.hulls[row.hull_b].edge_count, edge_masks(s, g, true), s.mask_words.data());
    counters.edges_surviving += e.count_a + e.count_b;
    counters.edge_pairs += static_cast<std::uint64_t>(e.count_a) * e.count_b;
    s.edge_jobs[s.edge_job_count++] = e;
}

// The slots in face_list ordered by the scan classes of A's, then of B's hulls, so that neighbours take the same path through
// the searches and branches predict. Within a class the order, and with it the locality, stays: two counting sorts.
inline void sort_by_class(ChunkScratch::Impl& s, std::uint32_t count) {
    std::uint32_t first_a[kScanClasses + 1] = {};
    std::uint32_t first_b[kScanClasses + 1] = {};
    const std::uint32_t* list = s.face_list.data();
    for (std::uint32_t k = 0; k < count; ++k) {
        ++first_a[s.scan_a[list[k]] + 1];
        ++first_b[s.scan_b[list[k]] + 1];
    }
    for (std::uint32_t c = 0; c < kScanClasses; ++c) {
        first_a[c + 1] += first_a[c];
        first_b[c + 1] += first_b[c];
    }
    std::uint32_t* by_b = s.edge_list.data();
    for (std::uint32_t k = 0; k < count; ++k) by_b[first_b[s.scan_b[list[k]]]++] = list[k];
    for (std::uint32_t k = 0; k < count; ++k) s.face_list[first_a[s.scan_a[by_b[k]]]++] = by_b[k];
}

// All of hull_list (posed by stage_pose); alive_list receives the slots still in the game.
inline void stage_search(const ChunkJob& job, ChunkScratch::Impl& s, Counters& counters) {
    s.edges_a.count = 0;
    s.edges_b.count = 0;
    s.edge_job_count = 0;
    s.combination_count = 0;

    const std::uint32_t candidates = stage_centre_axis(job, s, counters);
    LANEFOLD_STAGE_DONE(centre_axis);
    sort_by_class(s, candidates);
    LANEFOLD_STAGE_DONE(sort);

    std::uint32_t alive = 0;
    for (std::uint32_t begin = 0; begin < candidates; begin += kSearchGroup) {
        std::uint32_t count = candidates - begin < kSearchGroup ? candidates - begin : kSearchGroup;
        for (std::uint32_t g = 0; g < count; ++g) s.group[g] = s.face_list[begin + g];
        const std::uint64_t all = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        for (FaceSearches& of_hull : s.search) clear_searches(of_hull, count);
        const std::uint64_t begun[2] = {begin_at_cached_faces<false>(job, s, count, counters),
                                        begin_at_cached_faces<true>(job, s, count, counters)};
        const std::uint64_t near_a = search_group<false>(job, s, count, all, begun, counters);
        const std::uint64_t members = search_group<true>(job, s, count, near_a, begun, counters);
        LANEFOLD_STAGE_DONE(faces);
        std::uint32_t* list = s.members.data();
        count = list_bits(members, 0, list);
        std::uint64_t best_on[2] = {0, 0};
        for (std::uint32_t k = 0; k < count; ++k) {
            s.alive_list[alive++] = s.group[list[k]];
            best_on[choose_face(job, s, list[k]) ? 1 : 0] |= std::uint64_t{1} << list[k];
        }
        count = test_group_arcs(job, s, best_on, list);
        for (std::uint32_t k = 0; k < count; ++k) list_pair_edges(job, s, list[k], counters);
        LANEFOLD_STAGE_DONE(arcs);
        fold_edge_pairs(job, s);
        LANEFOLD_STAGE_DONE(edge_pairs);
    }
    s.alive_count = alive;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
