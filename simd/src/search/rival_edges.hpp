// SPDX-License-Identifier: MIT
//
// The edges of a search group that compete with best faces for a while, which their certificates name
// (search/certify_optima.hpp), and those that the search combines at once. Both are listed together, because most are
// the same.
//
// The arc test left more edges than it would have without a reach. Those beside the best face must not be combined if
// the test rules them out by the support alone (search/rim.hpp), because their axis, the face's normal up to rounding,
// might win by its last bit. settle_rim() takes them away, and names those about which the test may decide otherwise
// soon. These follow the others in the list of their hull; a search does not combine them. Of what a certificate might
// name, edges that cannot win until it ends are left out (search/harmless_edges.hpp).
//
// Every pass is over all members: rows, bounds of combinations in lanes, what is kept.
#pragma once

#include "search/certified_optima.hpp"
#include "search/edge_lists.hpp"
#include "search/harmless_edges.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Edges of a face about which the arc test may be unsure; a face with more gets no certificate.
inline constexpr std::uint32_t kMostUnsure = 32;

// Edges of the best face about which the arc test may decide otherwise after motions within the certificate's claims.
struct UnsureEdges {
    std::uint32_t edge[kMostUnsure];
    std::uint32_t count = 0;
    bool fit = true;  // otherwise there are more

    LANEFOLD_INLINE void push(std::uint32_t e) {
        fit = count < kMostUnsure;
        if (fit) edge[count++] = e;
    }
    LANEFOLD_INLINE bool has(std::uint32_t e) const {
        bool found = false;
        for (std::uint32_t k = 0; k < count; ++k) found |= edge[k] == e;
        return found;
    }
};

// Takes the edges of the best face of member g away that the arc test without a reach rules out. Returns those about
// which that test is not certain.
inline UnsureEdges settle_rim(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group, EdgeScratch& edges,
                              std::uint32_t g) {
    const std::uint32_t slot = group.slot[g];
    const PairOptimum& o = pairs.optima[slot];
    const bool on_b = o.face_on_b != 0;
    const HullTopology t = hull_topology(*face_hulls(job, pairs.rows[slot], o.face_on_b).own);
    const Rim rim = searched_rim(pairs, group, g);
    const std::int32_t band = rim_band(pairs, group, g);
    std::uint32_t* mask = edge_mask(edges, g, on_b);
    UnsureEdges unsure;
    for (std::uint32_t k = t.face_first[o.face]; k < t.face_first[o.face + 1]; ++k) {
        const std::uint32_t e = t.face_edge[k];
        const std::int32_t sum = rim.sum_beside(t, e);
        if (sum >= rim.limit - band && sum < rim.limit + band) unsure.push(e);
        if (sum < rim.limit) mask[e / 32] &= ~(1U << (e % 32));
    }
    return unsure;
}

LANEFOLD_INLINE std::uint32_t count_bits64(std::uint64_t x) {
    return count_bits(static_cast<std::uint32_t>(x)) + count_bits(static_cast<std::uint32_t>(x >> 32));
}

// Appends the edges at `places` of a list, from place `at` on, to a certificate, unsure ones marked; returns where the
// next ones go.
LANEFOLD_INLINE std::uint16_t* name_edges(const EdgeList& list, std::size_t at, std::uint64_t places,
                                          const UnsureEdges* unsure, std::uint16_t* to, std::uint32_t& marks) {
    for (; places != 0; places &= places - 1) {
        const std::uint32_t e = list.edge[at + static_cast<std::size_t>(__builtin_ctzll(places))];
        const std::uint32_t mark = unsure != nullptr && unsure->has(e) ? std::uint32_t{kUnsureEdge} : 0U;
        marks |= mark;
        *to++ = static_cast<std::uint16_t>(e | mark);
    }
    return to;
}

// The edges of one member that compete with its best face for a while.
struct RivalJob {
    std::uint32_t member;
    EdgeJob edges;
};

// What is known of the members of a group that get certificates.
struct GroupRivals {
    ClaimedMotion motion[kSearchGroup];  // how far each may move until its certificate ends
    UnsureEdges unsure[kSearchGroup];    // of those whose edges of both hulls are tested
    std::uint64_t made = 0;              // can name all edges that may beat the face until the certificate ends
    std::uint64_t compete = 0;           // of these: there are some, and they are written
    RivalJob jobs[kSearchGroup];         // members whose edges are listed
    std::uint32_t count = 0;
};

// Writes the edges at these places of a job to the certificate of its member. Returns false if they are too many.
inline bool write_rivals(const ChunkJob& job, const HullPairs& pairs, const EdgeScratch& edges, std::uint32_t slot,
                         const RivalJob& rivals, const EdgePlaces& places, const UnsureEdges& unsure) {
    const std::uint32_t of_a = count_bits64(places.of_a);
    const std::uint32_t of_b = count_bits64(places.of_b);
    if (of_a + of_b > kMostCertifiedEdges) return false;
    const PairRow& row = pairs.rows[slot];
    if (job.hulls[row.hull_a].edge_count > kUnsureEdge || job.hulls[row.hull_b].edge_count > kUnsureEdge) return false;
    const bool on_b = pairs.optima[slot].face_on_b != 0;
    CertifiedOptimum& to = job.certificates.optima[job.certificates.of[row.pair]];
    std::uint32_t marks = 0;
    std::uint16_t* next = name_edges(edges.a, rivals.edges.at_a, places.of_a, on_b ? nullptr : &unsure, to.edge, marks);
    name_edges(edges.b, rivals.edges.at_b, places.of_b, on_b ? &unsure : nullptr, next, marks);
    to.count_a = static_cast<std::uint16_t>(of_a | marks);
    to.count_b = static_cast<std::uint16_t>(of_b);
    if (to.is_single()) {
        CertifiedSingle& rows = job.certificates.singles[job.certificates.of[row.pair]];
        EdgeRowA a;
        EdgeRowB b;
        write_edge_row(edges.source[0][rivals.member], to.edge[0], a);
        write_edge_row(edges.source[1][rivals.member], to.edge[1], b);
        b.mean_size = 0.5F * pairs.axes[slot].size_sum;
        __builtin_memcpy(rows.a, &a, sizeof a);
        __builtin_memcpy(rows.b, &b, sizeof b);
    }
    return true;
}

// Bounds the listed combinations, which belong to the jobs first .. end - 1, and writes what may win.
inline void judge_rivals(const ChunkJob& job, const HullPairs& pairs, const std::uint32_t* slots, EdgeScratch& edges,
                         GroupRivals& rivals, std::uint32_t first, std::uint32_t end) {
    ListedBounds bounds;
    bound_combinations(edges, rivals.motion, bounds);
    edges.combinations.count = 0;
    for (std::uint32_t k = first, at = 0; k < end; ++k) {
        const RivalJob& r = rivals.jobs[k];
        const std::uint32_t g = r.member;
        const EdgePlaces places =
            edges_that_may_win(bounds, at, r.edges, rivals.motion[g], pairs.optima[slots[g]].face_value);
        at += r.edges.count_a * r.edges.count_b;
        if (places.of_a == 0) continue;
        const bool fit = write_rivals(job, pairs, edges, slots[g], r, places, rivals.unsure[g]);
        rivals.compete |= std::uint64_t{fit} << g;
        rivals.made &= ~(std::uint64_t{!fit} << g);
    }
}

// Settles which edges of the listed jobs compete, then folds the combinations of the search. Empties the lists.
inline void judge_and_fold(const ChunkJob& job, HullPairs& pairs, const std::uint32_t* slots, EdgeScratch& edges,
                           GroupRivals& rivals) {
    static_assert(kMostTriedPairs <= kCombinations && (kMostTriedEdges + kBlockLanes) * kMostTriedEdges < 65536);
    write_listed_rows(pairs, slots, edges);
    std::uint32_t first = 0;
    for (std::uint32_t k = 0; k < rivals.count; ++k) {
        const EdgeJob& e = rivals.jobs[k].edges;
        if (edges.combinations.count + e.count_a * e.count_b > kCombinations) {
            judge_rivals(job, pairs, slots, edges, rivals, first, k);
            first = k;
        }
        append_combinations(edges.combinations, e.at_a, e.count_a, e.at_b, e.count_b);
    }
    judge_rivals(job, pairs, slots, edges, rivals, first, rivals.count);
    rivals.count = 0;
    fold_jobs(job, pairs, slots, edges);
}

// Appends the unsure edges that the mask lacks to the list of the best face's hull; returns how many.
LANEFOLD_INLINE std::uint32_t list_unsure(EdgeList& rim, const std::uint32_t* mask, std::uint32_t g,
                                          const UnsureEdges& unsure) {
    const std::uint32_t before = rim.count;
    for (std::uint32_t k = 0; k < unsure.count; ++k) {
        const std::uint32_t edge = unsure.edge[k];
        rim.edge[rim.count] = edge;
        rim.member[rim.count] = g;
        rim.count += bit_at(mask[edge / 32], edge % 32) ? 0U : 1U;
    }
    return rim.count - before;
}

// Lists the edges of member g, whose edges of both hulls were tested: a job for its search, and one for its
// certificate.
inline void list_rivals(const ChunkJob& job, HullPairs& pairs, const SearchGroup& group, EdgeScratch& edges,
                        GroupRivals& rivals, std::uint32_t g, Counters& counters) {
    if (edges.a.count >= kEdgeBatch || edges.b.count >= kEdgeBatch)
        judge_and_fold(job, pairs, group.slot, edges, rivals);
    const EdgeJob e = list_masked_edges(job, pairs, group, edges, g);
    const bool combined = e.count_a != 0 && e.count_b != 0;
    if (combined) add_job(edges, e, counters);
    bool listed = false;
    if (bit_of(&rivals.made, g)) {
        const bool on_b = pairs.optima[group.slot[g]].face_on_b != 0;
        const UnsureEdges& unsure = rivals.unsure[g];
        EdgeJob r = e;
        if (on_b)
            r.count_b += list_unsure(edges.b, edge_mask(edges, g, true), g, unsure);
        else
            r.count_a += list_unsure(edges.a, edge_mask(edges, g, false), g, unsure);
        const bool few = unsure.fit && r.count_a <= kMostTriedEdges && r.count_b <= kMostTriedEdges &&
                         r.count_a * r.count_b <= kMostTriedPairs;
        if (!few) rivals.made &= ~(std::uint64_t{1} << g);
        listed = few && r.count_a != 0 && r.count_b != 0;
        if (listed) rivals.jobs[rivals.count++] = {g, r};
    }
    // Of edges that nobody needs no rows are written.
    if (combined || listed) return;
    edges.a.count = e.at_a;
    edges.b.count = e.at_b;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
