// SPDX-License-Identifier: MIT
//
// The edges of a search group that compete with best faces for a while, which their certificates name
// (coherence/certify_optima.hpp), and those that the search combines at once. Both are listed together, because they
// are the same: those that an arc test with the pair's reach leaves. Edges that cannot
// win until a certificate ends are left out (coherence/edge_bounds.hpp).
//
// Every pass is over all members: rows, bounds of combinations in lanes, what is kept.
#pragma once

#include "coherence/certified_optima.hpp"
#include "coherence/edge_bounds.hpp"
#include "search/edge_lists.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE std::uint32_t count_bits64(std::uint64_t x) {
    return count_bits(static_cast<std::uint32_t>(x)) + count_bits(static_cast<std::uint32_t>(x >> 32));
}

// Appends the edges at `places` of a list, from place `at` on, to a certificate; returns where the next ones go.
LANEFOLD_INLINE std::uint16_t* name_edges(const EdgeList& list, std::size_t at, std::uint64_t places,
                                          std::uint16_t* to) {
    for (; places != 0; places &= places - 1)
        *to++ = static_cast<std::uint16_t>(list.edge[at + static_cast<std::size_t>(__builtin_ctzll(places))]);
    return to;
}

// The facts about the members of a group that get certificates.
struct GroupCertificates {
    MotionBudget budget[kSearchGroup];  // how far each may move until its certificate ends
    std::uint64_t made = 0;             // can name all edges that may beat the face until the certificate ends
    std::uint64_t compete = 0;          // of these: there are some, and they are written
};

// The member of a job, which has edges of both hulls.
LANEFOLD_INLINE std::uint32_t member_of(const EdgeScratch& edges, const EdgeJob& e) { return edges.a.member[e.at_a]; }

// Writes the edges at these places of a job to the certificate of its member. Returns false if they are too many.
inline bool write_competing(const ChunkJob& job, const HullPairs& pairs, const EdgeScratch& edges, std::uint32_t slot,
                            const EdgeJob& e, const EdgePlaces& places) {
    const std::uint32_t of_a = count_bits64(places.of_a);
    const std::uint32_t of_b = count_bits64(places.of_b);
    if (of_a + of_b > kMostCertifiedEdges) return false;
    const PairRow& row = pairs.rows[slot];
    CertifiedOptimum& to = certified_optimum(job, row);
    std::uint16_t* next = name_edges(edges.a, e.at_a, places.of_a, to.edge);
    name_edges(edges.b, e.at_b, places.of_b, next);
    to.count_a = static_cast<std::uint16_t>(of_a);
    to.count_b = static_cast<std::uint16_t>(of_b);
    if (to.is_single()) {
        CertifiedSingle& rows = job.certificates->singles[job.certificates->of[row.pair]];
        EdgeRowA a;
        EdgeRowB b;
        write_edge_row(edges.source[0][member_of(edges, e)], to.edge[0], a);
        write_edge_row(edges.source[1][member_of(edges, e)], to.edge[1], b);
        __builtin_memcpy(rows.a, &a, sizeof a);
        __builtin_memcpy(rows.b, &b, sizeof b);
    }
    return true;
}

// Bounds the listed combinations, which belong to those of the jobs first .. end - 1 whose members get certificates,
// and writes what may win.
inline void bound_competing(const ChunkJob& job, const HullPairs& pairs, const std::uint32_t* slots, EdgeScratch& edges,
                            GroupCertificates& certificates, std::uint32_t first, std::uint32_t end) {
    ListedBounds bounds;
    bound_combinations(edges, certificates.budget, bounds);
    edges.combinations.count = 0;
    for (std::uint32_t k = first, at = 0; k < end; ++k) {
        const EdgeJob& e = edges.jobs[k];
        const std::uint32_t g = member_of(edges, e);
        if (!bit_of(&certificates.made, g)) continue;
        const EdgePlaces places =
            edges_that_may_win(bounds, at, e, certificates.budget[g], pairs.optima[slots[g]].face_value);
        at += e.count_a * e.count_b;
        if (places.of_a == 0) continue;
        const bool fit = write_competing(job, pairs, edges, slots[g], e, places);
        certificates.compete |= std::uint64_t{fit} << g;
        certificates.made &= ~(std::uint64_t{!fit} << g);
    }
}

// Settles which edges of the listed jobs compete, then folds the combinations of the search. Empties the lists.
inline void bound_and_fold(const ChunkJob& job, HullPairs& pairs, const std::uint32_t* slots, EdgeScratch& edges,
                           GroupCertificates& certificates) {
    static_assert(kMostTriedPairs <= kCombinations && (kMostTriedEdges + kBlockLanes) * kMostTriedEdges < 65536);
    write_listed_rows(pairs, slots, edges);
    std::uint32_t first = 0;
    for (std::uint32_t k = 0; k < edges.job_count; ++k) {
        const EdgeJob& e = edges.jobs[k];
        if (!bit_of(&certificates.made, member_of(edges, e))) continue;
        if (edges.combinations.count + e.count_a * e.count_b > kCombinations) {
            bound_competing(job, pairs, slots, edges, certificates, first, k);
            first = k;
        }
        append_combinations(edges.combinations, e.at_a, e.count_a, e.at_b, e.count_b);
    }
    bound_competing(job, pairs, slots, edges, certificates, first, edges.job_count);
    fold_jobs(job, pairs, slots, edges);
}

// Lists the edges of member g, which has some of both hulls, for its search and for its certificate. If there are too
// many, none is made.
inline void list_competing(const ChunkJob& job, HullPairs& pairs, const SearchGroup& group, EdgeScratch& edges,
                           GroupCertificates& certificates, std::uint32_t g, Counters& counters) {
    if (edges.a.count >= kEdgeBatch || edges.b.count >= kEdgeBatch)
        bound_and_fold(job, pairs, group.slot, edges, certificates);
    const EdgeJob e = list_masked_edges(job, pairs, group, edges, g);
    add_job(edges, e, counters);
    const bool few =
        e.count_a <= kMostTriedEdges && e.count_b <= kMostTriedEdges && e.count_a * e.count_b <= kMostTriedPairs;
    certificates.made &= ~(std::uint64_t{!few} << g);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
