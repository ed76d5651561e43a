// SPDX-License-Identifier: MIT
//
// The face searches of a group of pairs, on one of the two hulls. All members take each step together; search/faces.hpp
// has the steps of one search.
#pragma once

#include "pair/places.hpp"
#include "search/cache.hpp"
#include "search/faces.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

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
    if (pairs.looks_below) all.slack[g] += kOnB ? pairs.reach[slot].of_b : pairs.reach[slot].of_a;
    const FaceHulls hulls = face_hulls(job, row, kOnB ? 1 : 0);
    begin_face_search(all, g, hull_floats(*hulls.own), hull_floats(*hulls.other), kOnB ? to_b : to_a,
                      kOnB ? to_a : to_b, cut);
    set_unit(all, g, inverse.scale, kOnB ? inverse.offset_b : inverse.offset_a);
}

// The members whose entry in the pair cache names a best face of this hull. Their search on this hull begins with the
// evaluation of that face. `list`: room for the members.
template <bool kOnB>
LANEFOLD_INLINE std::uint64_t begin_at_cached_faces(const ChunkJob& job, const HullPairs& pairs, SearchGroup& group,
                                                    std::uint32_t count, std::uint32_t* list, Counters& counters) {
    FaceSearches& all = group.faces[kOnB ? 1 : 0];
    if (job.cache == nullptr) return 0;
    std::uint64_t members = 0;
    for (std::uint32_t g = 0; g < count; ++g)
        members |= static_cast<std::uint64_t>(pairs.axes[group.slot[g]].best_on ==
                                              (kOnB ? CachedBest::on_b : CachedBest::on_a))
                   << g;
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

// Begins the searches of the members whose bits are set and computes their first bounds. Members that have `begun` keep
// their first witness; the others get the support along the centre axis. With a pair cache every search gets a second
// witness.
template <bool kOnB>
LANEFOLD_INLINE void begin_searches(const ChunkJob& job, const HullPairs& pairs, SearchGroup& group,
                                    std::uint64_t members, const std::uint64_t* begun, std::uint32_t* list) {
    FaceSearches& all = group.faces[kOnB ? 1 : 0];
    const FaceSearches& other = group.faces[kOnB ? 0 : 1];
    std::int16_t* bound = group.bound.data();
    const std::uint32_t stride = group.bound_stride;
    std::uint32_t n = list_bits(members & ~begun[kOnB ? 1 : 0], 0, list);
    for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t g = list[k];
        const AxisRow& axis = pairs.axes[group.slot[g]];
        begin_member<kOnB>(job, pairs, group, g, kOnB || bit_of(begun + 1, g) ? other.value[g] : kLowest);
        add_witness(all.search[g], kOnB ? axis.support_a : axis.support_b);
    }
    if (job.cache == nullptr) {
        for (std::uint32_t k = 0; k < n; ++k) first_bounds_of(all, list[k], bound + list[k] * stride);
        return;
    }
    n = list_bits(members, 0, list);
    for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t g = list[k];
        const AxisRow& axis = pairs.axes[group.slot[g]];
        if (kOnB && other.value[g] > all.cut[g]) all.cut[g] = other.value[g];
        add_witness(all.search[g], kOnB ? axis.extra_a : axis.extra_b);
        two_bounds_of(all, g, bound + g * stride);
    }
}

// Steps the searches until no bound reaches the best value. `newest`: index of the last witness of each search.
// `runners`: whether the runners-up are wanted, too.
LANEFOLD_INLINE void step_searches(FaceSearches& all, std::int16_t* bound, std::uint32_t stride, std::uint32_t count,
                                   std::uint64_t members, std::int32_t newest, bool runners, std::uint32_t* list,
                                   Counters& counters) {
    for (std::uint64_t on = searches_on(all, count) & members; on != 0; on &= searches_on(all, count)) {
        const std::uint32_t n = list_bits(on, 0, list);
        counters.faces_evaluated += n;
        for (std::uint32_t k = 0; k < n; ++k) aim_query(all, list[k]);
        for (std::uint32_t k = 0; k < n; ++k) answer_query(all, list[k]);
        for (std::uint32_t k = 0; k < n; ++k) place_witness(all, list[k]);
        for (std::uint32_t k = 0; k < n; ++k) tighten_bounds(all, list[k], bound + list[k] * stride);
        // All members that take part have taken part in every earlier step, so their newest witness has the same index.
        newest = newest < kLastWitness ? newest + 1 : kLastWitness;
        if (runners) settle_runners(all, count);
        settle_step(all, count, newest);
    }
}

// Returns the members that no face of this hull separates by more than their margin. The pair cache remembers the
// separating faces of the others.
template <bool kOnB>
LANEFOLD_INLINE std::uint64_t drop_separated(const ChunkJob& job, HullPairs& pairs, const SearchGroup& group,
                                             std::uint64_t members, std::uint32_t* list, Counters& counters) {
    const FaceSearches& all = group.faces[kOnB ? 1 : 0];
    const std::uint32_t n = list_bits(members, 0, list);
    std::uint64_t kept = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t g = list[k];
        const bool apart = all.value[g] > all.limit[g];
        remember_face<kOnB>(job, pairs.rows[group.slot[g]], apart, static_cast<std::uint32_t>(all.face[g]));
        if (apart && pairs.separated.wanted) pairs.separated.push(group.slot[g], all.value[g]);
        kept |= std::uint64_t{apart ? 0U : 1U} << g;
        counters.rejected_face += apart ? 1U : 0U;
    }
    return kept;
}

// Searches the faces of one hull for the members whose bits are set; group.faces receives the results. `begun`: the
// members that have done their first step, on A and on B. `list`: room for the members. Returns the members that no
// face separates by more than their margin.
template <bool kOnB>
LANEFOLD_INLINE std::uint64_t search_group(const ChunkJob& job, HullPairs& pairs, SearchGroup& group,
                                           std::uint32_t count, std::uint64_t members, const std::uint64_t* begun,
                                           std::uint32_t* list, Counters& counters) {
    begin_searches<kOnB>(job, pairs, group, members, begun, list);
    step_searches(group.faces[kOnB ? 1 : 0], group.bound.data(), group.bound_stride, count, members,
                  job.cache == nullptr ? 0 : 1, pairs.looks_below, list, counters);
    return drop_separated<kOnB>(job, pairs, group, members, list, counters);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
