// SPDX-License-Identifier: MIT
//
// Searches the best separating axis of each pair of general hulls, in this order: pair cache, axis between the centres,
// faces of A, faces of B, arcs of the edges of both hulls, pairs of edges. A pair drops out at the first axis of the
// cache, of the centres or of a face that separates it by more than its margin. Pairs that edges separate drop out in
// search/decision.hpp.
#pragma once

#include "search/best_face.hpp"
#include "search/centre_axis.hpp"
#include "search/classes.hpp"
#include "search/edge_lists.hpp"
#include "search/face_group.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// A bit for each of the members 0 .. count - 1.
LANEFOLD_INLINE std::uint64_t all_members(std::uint32_t count) {
    return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// Searches the faces of A, then those of B, for a group of `count` pairs. Returns the members that no face separates by
// more than their margin. `list`: room for the members.
LANEFOLD_INLINE std::uint64_t search_faces(const ChunkJob& job, HullPairs& pairs, SearchGroup& group,
                                           std::uint32_t count, std::uint32_t* list, Counters& counters) {
    for (FaceSearches& of_hull : group.faces) clear_searches(of_hull, count);
    const std::uint64_t begun[2] = {begin_at_cached_faces<false>(job, pairs, group, count, list, counters),
                                    begin_at_cached_faces<true>(job, pairs, group, count, list, counters)};
    const std::uint64_t near_a =
        search_group<false>(job, pairs, group, count, all_members(count), begun, list, counters);
    return search_group<true>(job, pairs, group, count, near_a, begun, list, counters);
}

// The members whose best face is on A, and those whose best face is on B.
struct BestFaces {
    std::uint64_t on[2] = {0, 0};
};

// Chooses the best face of each member of a list and appends the members to pairs.alive.
LANEFOLD_INLINE BestFaces choose_faces(const ChunkJob& job, HullPairs& pairs, SearchGroup& group,
                                       const std::uint32_t* members, std::uint32_t count) {
    BestFaces best;
    std::uint32_t alive = pairs.alive.count;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t g = members[k];
        pairs.alive.slot[alive++] = group.slot[g];
        best.on[choose_face(job, pairs, group, g) ? 1 : 0] |= std::uint64_t{1} << g;
    }
    pairs.alive.count = alive;
    return best;
}

// Searches the pairs of s.searched. Adds to pairs.alive the pairs that no face separates by more than their margins;
// pairs.optima receives their best faces and edges. The observer is told of each group:
//   faces_found(group, members, count): the members that no face separates, before hulls that are apart are moved
//     together;
//   fold_edges(group, edges, near, members, count): the members whose edges of both hulls are left; `near`: a bit for
//     each that no face separates. Returns whether it has combined their edges itself.
template <class Observer>
inline void stage_search(const ChunkJob& job, HullPairs& pairs, SearchScratch& s, Observer& observer,
                         Counters& counters) {
    SearchGroup& group = s.group;
    EdgeScratch& edges = s.edges;
    clear_edges(edges);

    stage_centre_axis(job, pairs, s, counters);
    LANEFOLD_STAGE_DONE(centre_axis);
    sort_by_class(s);
    LANEFOLD_STAGE_DONE(sort);

    const std::uint32_t candidates = s.candidates.count;
    std::uint32_t* members = s.members.member;
    std::uint32_t* room = s.room.member;
    for (std::uint32_t begin = 0; begin < candidates; begin += kSearchGroup) {
        std::uint32_t count = candidates - begin < kSearchGroup ? candidates - begin : kSearchGroup;
        for (std::uint32_t g = 0; g < count; ++g) group.slot[g] = s.candidates.slot[begin + g];
        const std::uint64_t near = search_faces(job, pairs, group, count, room, counters);
        LANEFOLD_STAGE_DONE(faces);
        count = list_bits(near, 0, members);
        observer.faces_found(group, members, count);
        const BestFaces best = choose_faces(job, pairs, group, members, count);
        count = test_group_arcs(job, pairs, group, edges, best.on, members, room);
        if (observer.fold_edges(group, edges, near, members, count)) continue;
        for (std::uint32_t k = 0; k < count; ++k) list_pair_edges(job, pairs, group, edges, members[k], counters);
        LANEFOLD_STAGE_DONE(arcs);
        fold_edge_pairs(job, pairs, group.slot, edges);
        LANEFOLD_STAGE_DONE(edge_pairs);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
