// SPDX-License-Identifier: MIT
//
// Makes the certificates of best faces (search/certified_optima.hpp) of pairs that a search leaves.
//
// Such a search looked below the best face by the pair's reach: its face searches went on until no bound reached the
// best face less the reach, and its arc tests left the edges that reach as high. So m and n are the reach of either
// hull, or less where other faces are nearer. One face of either hull, its runner-up, may be as near as it likes: it is
// named, and compared with the best one at each step. A pair without a reach gets a certificate of its pose only, from
// which the next step learns how fast its bodies move.
//
// The arc test left more edges than it would have without a reach. Those beside the best face must not be combined if
// the test rules them out by the support alone (search/rim.hpp), because their axis, the face's normal up to rounding,
// might win by its last bit. settle_rim() takes them away, and names those about which the test may decide otherwise
// soon. Of what is left, edges that cannot win until the certificate ends are not listed (search/harmless_edges.hpp).
#pragma once

#include "search/certified_clip.hpp"
#include "search/certified_optima.hpp"
#include "search/edge_lists.hpp"
#include "search/harmless_edges.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Edges of a face about which the arc test may be unsure; a face with more gets no certificate.
inline constexpr std::uint32_t kMostUnsure = 32;

// The faces of one hull beside the best one of the pair: the highest separation of any, and of all but the runner-up.
struct FacesBelow {
    float all;
    float others;
    float runner;               // separation of the runner-up
    std::uint32_t runner_name;  // as in CertifiedOptimum
};

// `best`: this hull has the best face. `scale`: of the search.
LANEFOLD_INLINE FacesBelow faces_below(const FaceSearches& s, std::uint32_t g, bool best, float scale) {
    const float bound = (static_cast<float>(s.top_sum[g]) + kStepSlack) / (scale * kStepsPerScaled);
    const float runner = best ? s.second[g] : s.value[g];
    const float next = best ? s.third[g] : s.second[g];
    const std::int32_t face = best ? s.second_face[g] : s.face[g];
    const std::int32_t support = best ? s.second_support[g] : s.support[g];
    const float others = next > bound ? next : bound;
    const bool named = runner > kLowest && face >= 0 && face <= std::int32_t{kMostCertifiedFace} &&
                       support <= std::int32_t{kMostCertifiedSupport};
    const auto name = static_cast<std::uint32_t>(face) << kCertifiedFaceShift | static_cast<std::uint32_t>(support);
    return {runner > others ? runner : others, others, runner, named ? name : kNoRunner};
}

// How far the faces of one hull are below the best one of the pair, `value`, and which one is left out of that. The
// runner-up is left out where it is nearer than the `reach`, and below the best face for certain.
struct FaceGap {
    float gap;
    std::uint32_t runner;
};

LANEFOLD_INLINE FaceGap gap_below(const FacesBelow& below, float value, float reach, float size_sum) {
    const bool leave_out = below.runner_name != kNoRunner && value - below.runner < reach &&
                           value - below.others > value - below.all &&
                           value - below.runner > 2.0F * kRunnerSlack * size_sum;
    return leave_out ? FaceGap{value - below.others, below.runner_name} : FaceGap{value - below.all, kNoRunner};
}

// A vertex in its hull's own frame.
LANEFOLD_INLINE Quad own_vertex(const HullRecord& hull, std::uint32_t vertex) {
    const HullFloats h = hull_floats(hull);
    return Quad{h.vx[vertex], h.vy[vertex], h.vz[vertex], 0.0F};
}

// Before hulls that are apart are moved together. `on_b`: the best face is B's.
LANEFOLD_INLINE FaceClaims claims_of_faces(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                           std::uint32_t g, bool on_b) {
    const std::uint32_t slot = group.slot[g];
    const FaceSearches& own = group.faces[on_b ? 1 : 0];
    const FaceSearches& other = group.faces[on_b ? 0 : 1];
    const float scale = pairs.inverses[slot].scale;
    const AxisRow& axis = pairs.axes[slot];
    const float m = reach_of_hull(pairs, slot, on_b);
    const float n = reach_of_hull(pairs, slot, !on_b);
    const FaceGap of_own = gap_below(faces_below(own, g, true, scale), own.value[g], m, axis.size_sum);
    const FaceGap of_other = gap_below(faces_below(other, g, false, scale), own.value[g], n, axis.size_sum);
    const auto face = static_cast<std::uint32_t>(own.face[g]);
    const auto support = static_cast<std::uint32_t>(own.support[g]);
    FaceClaims claims = {0, 0.0F, 0.0F, 0.0F, {of_own.runner, of_other.runner}};
    if (face > kMostCertifiedFace || support > kMostCertifiedSupport) return claims;
    const FaceHulls hulls = face_hulls(job, pairs.rows[slot], on_b ? 1U : 0U);
    const Quad v = own_vertex(*hulls.other, support);
    const float radius = hulls.other->radius;
    const std::uint32_t levers[2] = {
        lever_steps(lever_of(own.search[g], witness_at(own.search[g], support), radius), radius),
        lever_steps(lever_of(other.search[g], v, hulls.own->radius), hulls.own->radius)};
    claims.lever = levers[0] == kNoLever ? kHighest : static_cast<float>(levers[0]) * (radius / kLeverSteps);
    pack_claims(m < of_own.gap ? m : of_own.gap, n < of_other.gap ? n : of_other.gap, levers,
                claim_unit(axis.size_sum, axis.size_min), kOptimumSlack * axis.size_sum, claims);
    return claims;
}

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

LANEFOLD_INLINE bool has_edges(const std::uint32_t* mask, std::uint32_t edges) {
    std::uint32_t any = 0;
    for (std::uint32_t i = 0; 32 * i < edges; ++i) any |= mask[i];
    return any != 0;
}

LANEFOLD_INLINE std::uint32_t count_bits64(std::uint64_t x) {
    return count_bits(static_cast<std::uint32_t>(x)) + count_bits(static_cast<std::uint32_t>(x >> 32));
}

// Appends the edges at `places` of a list to a certificate, unsure ones marked; returns where the next ones go.
LANEFOLD_INLINE std::uint16_t* name_edges(const EdgeList& list, std::uint64_t places, const UnsureEdges* unsure,
                                          std::uint16_t* to, std::uint32_t& marks) {
    for (; places != 0; places &= places - 1) {
        const std::uint32_t e = list.edge[static_cast<std::size_t>(__builtin_ctzll(places))];
        const std::uint32_t mark = unsure != nullptr && unsure->has(e) ? std::uint32_t{kUnsureEdge} : 0U;
        marks |= mark;
        *to++ = static_cast<std::uint16_t>(e | mark);
    }
    return to;
}

// Lists the edges of member g that compete with its best face for a while, beginning at the first place of the lists.
// These are empty, because groups are combined one after the other.
LANEFOLD_INLINE EdgeJob list_rivals(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                    EdgeScratch& edges, std::uint32_t g, const UnsureEdges& unsure) {
    const std::uint32_t slot = group.slot[g];
    const PairRow& row = pairs.rows[slot];
    std::uint32_t* words = edges.mask_words.data();
    list_edges(edges.a, g, job.hulls[row.hull_a].edge_count, edge_mask(edges, g, false), words);
    list_edges(edges.b, g, job.hulls[row.hull_b].edge_count, edge_mask(edges, g, true), words);
    const bool on_b = pairs.optima[slot].face_on_b != 0;
    EdgeList& rim = on_b ? static_cast<EdgeList&>(edges.b) : static_cast<EdgeList&>(edges.a);
    const std::uint32_t* mask = edge_mask(edges, g, on_b);
    for (std::uint32_t k = 0; k < unsure.count; ++k) {
        const std::uint32_t edge = unsure.edge[k];
        rim.edge[rim.count] = edge;
        rim.member[rim.count] = g;
        rim.count += bit_at(mask[edge / 32], edge % 32) ? 0U : 1U;
    }
    return {0, edges.a.count, 0, edges.b.count};
}

// Writes the edges at these places of the lists to the certificate of member g. Returns false if they are too many.
LANEFOLD_INLINE bool write_rivals(const ChunkJob& job, const HullPairs& pairs, const EdgeScratch& edges,
                                  std::uint32_t slot, const EdgePlaces& places, const UnsureEdges& unsure) {
    const std::uint32_t of_a = count_bits64(places.of_a);
    const std::uint32_t of_b = count_bits64(places.of_b);
    if (of_a + of_b > kMostCertifiedEdges) return false;
    const PairRow& row = pairs.rows[slot];
    if (job.hulls[row.hull_a].edge_count > kUnsureEdge || job.hulls[row.hull_b].edge_count > kUnsureEdge) return false;
    const bool on_b = pairs.optima[slot].face_on_b != 0;
    CertifiedOptimum& to = job.certificates.optima[job.certificates.of[row.pair]];
    std::uint32_t marks = 0;
    std::uint16_t* next = name_edges(edges.a, places.of_a, on_b ? nullptr : &unsure, to.edge, marks);
    name_edges(edges.b, places.of_b, on_b ? &unsure : nullptr, next, marks);
    to.count_a = static_cast<std::uint16_t>(of_a | marks);
    to.count_b = static_cast<std::uint16_t>(of_b);
    if (to.is_single()) {
        CertifiedSingle& rows = job.certificates.singles[job.certificates.of[row.pair]];
        const std::uint32_t g = edges.a.member[0];
        EdgeRowA a;
        EdgeRowB b;
        write_edge_row(edges.source[0][g], to.edge[0], a);
        write_edge_row(edges.source[1][g], to.edge[1], b);
        b.mean_size = 0.5F * pairs.axes[slot].size_sum;
        __builtin_memcpy(rows.a, &a, sizeof a);
        __builtin_memcpy(rows.b, &b, sizeof b);
    }
    return true;
}

// What a certificate of member g can say about edges.
struct EdgeClaims {
    bool made;     // it can name all edges that may beat the face until it ends
    bool compete;  // there are some, and they are written
};

inline EdgeClaims certify_edges(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                EdgeScratch& edges, std::uint32_t g, const ClaimedMotion& motion,
                                const UnsureEdges& unsure) {
    const std::uint32_t slot = group.slot[g];
    const PairOptimum& o = pairs.optima[slot];
    const EdgeJob rivals = list_rivals(job, pairs, group, edges, g, unsure);
    EdgeClaims said = {unsure.fit && rivals.count_a <= kMostTriedEdges && rivals.count_b <= kMostTriedEdges &&
                           rivals.count_a * rivals.count_b <= kMostTriedPairs,
                       false};
    if (said.made && rivals.count_a != 0 && rivals.count_b != 0) {
        write_edge_rows(edges.source[0], edges.a);
        write_edge_rows(edges.source[1], edges.b);
        turn_edge_rows(pairs, group.slot, edges.b);
        const EdgePlaces places = edges_that_may_win(edges, rivals, motion, o.face_value, o.face_on_b != 0);
        said.compete = places.of_a != 0;
        if (said.compete) said.made = write_rivals(job, pairs, edges, slot, places, unsure);
    }
    clear_edges(edges);
    return said;
}

// Face and support of an optimum in the bits of Certificate::what.
LANEFOLD_INLINE std::uint32_t named_optimum(const PairOptimum& o) {
    return (o.face_on_b != 0 ? kCertifiedOnB : 0U) | o.face << kCertifiedFaceShift | o.support;
}

// Writes a certificate of an optimum. `claims`, `what`: the bits of Certificate::distance and Certificate::what.
LANEFOLD_INLINE void certify_optimum(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot,
                                     std::uint32_t claims, std::uint32_t what) {
    const PairRow& row = pairs.rows[slot];
    const PairOptimum& o = pairs.optima[slot];
    certify(job, row, kLowest);
    const std::uint32_t place = job.certificates.of[row.pair];
    Certificate& c = job.certificates.all[place];
    __builtin_memcpy(&c.distance, &claims, sizeof claims);
    c.what = what;
    const FaceHulls hulls = face_hulls(job, row, o.face_on_b);
    const HullFloats other = hull_floats(*hulls.other);
    CertifiedOptimum& to = job.certificates.optima[place];
    store_quad(load_quad(plane_of(hull_floats(*hulls.own), o.face)), to.plane);
    to.support[0] = other.vx[o.support];
    to.support[1] = other.vy[o.support];
    to.support[2] = other.vz[o.support];
}

// Without a face whose numbers do not fit, the next step learns nothing.
LANEFOLD_INLINE void certify_pose(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot) {
    const PairOptimum& o = pairs.optima[slot];
    const bool fits = o.face <= kMostCertifiedFace && o.support <= kMostCertifiedSupport;
    // Of all witnesses it is guessed that they are within a radius from the support.
    constexpr std::uint32_t kGuess = (static_cast<std::uint32_t>(kLeverSteps) - 1U) * 0x11U;
    certify_optimum(job, pairs, slot, kGuess, kCertifiedPose | (fits ? named_optimum(o) : 0U));
}

// Whether all other vertices stay above the best face's support as long as the hulls turn by at most `turn`.
inline bool support_is_lone(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group, std::uint32_t g,
                            float turn) {
    const std::uint32_t slot = group.slot[g];
    const PairOptimum& o = pairs.optima[slot];
    const FaceSearch& s = group.faces[o.face_on_b].search[g];
    const float* n = searched_plane(s, o.face);
    alignas(16) float m[4];
    store_quad(-transposed_times(s.to_faces->r, n[0], n[1], n[2]), m);
    const HullFloats other = hull_floats(*face_hulls(job, pairs.rows[slot], o.face_on_b).other);
    const WVec3 direction = {WFloat(m[0]), WFloat(m[1]), WFloat(m[2])};
    const WVec3 v = {WFloat(other.vx[o.support]), WFloat(other.vy[o.support]), WFloat(other.vz[o.support])};
    const WFloat slack(kRunnerSlack * pairs.axes[slot].size_sum);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < other.vertices; i += kWidth) {
        const WVec3 d = v - load_points(other.vx + i, other.vy + i, other.vz + i);
        std::uint32_t near = bits(dot(direction, d) - slack <= sqrt(dot(d, d)) * splat(turn));
        if (other.vertices - i < kWidth) near &= lane_mask(other.vertices - i);
        count += count_bits(near);
    }
    return count <= 1;
}

// Writes the certificate of member g. `compete`: its edges are written.
inline void certify_face(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group, std::uint32_t g,
                         const FaceClaims& claims, float turn, bool compete) {
    const std::uint32_t slot = group.slot[g];
    const PairRow& row = pairs.rows[slot];
    const bool lone = support_is_lone(job, pairs, group, g, turn);
    const bool runners = claims.runner[0] != kNoRunner || claims.runner[1] != kNoRunner;
    if (runners) {
        CertifiedOptimum& line = job.certificates.optima[job.certificates.of[row.pair]];
        __builtin_memcpy(line.runner, claims.runner, sizeof line.runner);
    }
    const std::uint32_t clip = certify_clip(job, pairs, slot, turn);
    certify_optimum(job, pairs, slot, claims.packed,
                    kCertifiedFace | (compete ? kCertifiedEdges : 0U) | (lone ? kCertifiedLone : 0U) |
                        (runners ? kCertifiedRunners : 0U) | clip | named_optimum(pairs.optima[slot]));
}

// How far member g may move until its certificate ends.
LANEFOLD_INLINE ClaimedMotion motion_of_claims(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                               std::uint32_t g, const FaceClaims& claims) {
    const std::uint32_t slot = group.slot[g];
    const PairOptimum& o = pairs.optima[slot];
    const FaceHulls hulls = face_hulls(job, pairs.rows[slot], o.face_on_b);
    const float by_own = claims.own / hulls.other->radius;
    const float by_other = claims.other / hulls.own->radius;
    const float turn = kMostTurn * (by_own < by_other ? by_own : by_other) * (1.0F + kMotionRoom) + kTurnRoom;
    return {claims.own, kOptimumSlack * pairs.axes[slot].size_sum, turn, claims.lever,
            o.face_on_b != 0 ? own_vertex(*hulls.other, o.support) : witness_at(group.faces[0].search[g], o.support)};
}

// Certifies the members whose bits are set. `both`: those of them whose edges of both hulls are tested; returns those
// that have some left on both after settle_rim(). `claims`: of every member, see claims_of_faces().
inline std::uint64_t certify_optima(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                    EdgeScratch& edges, const FaceClaims* claims, std::uint64_t members,
                                    std::uint64_t both, Counters& counters) {
    for (std::uint64_t rest = members; rest != 0; rest &= rest - 1) {
        const auto g = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        const std::uint32_t slot = group.slot[g];
        const PairRow& row = pairs.rows[slot];
        if (!(pairs.reach[slot].of_a > 0.0F)) {
            certify_pose(job, pairs, slot);
            continue;
        }
        EdgeClaims edge_claims = {claims[g].packed != 0, false};
        const ClaimedMotion motion = motion_of_claims(job, pairs, group, g, claims[g]);
        if (bit_of(&both, g)) {
            const UnsureEdges unsure = settle_rim(job, pairs, group, edges, g);
            if (!has_edges(edge_mask(edges, g, false), job.hulls[row.hull_a].edge_count) ||
                !has_edges(edge_mask(edges, g, true), job.hulls[row.hull_b].edge_count))
                both &= ~(std::uint64_t{1} << g);
            if (edge_claims.made) edge_claims = certify_edges(job, pairs, group, edges, g, motion, unsure);
        }
        if (edge_claims.made) {
            certify_face(job, pairs, group, g, claims[g], motion.turn, edge_claims.compete);
            ++counters.certificates_made;
        } else {
            certify_pose(job, pairs, slot);
        }
    }
    return both;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
