// SPDX-License-Identifier: MIT
//
// Makes the certificates of best faces (coherence/certified_optima.hpp) of pairs that a search leaves.
//
// Such a search looked below the best face by the pair's reach: its face searches went on until no bound reached the
// best face less the reach, and its arc tests left the edges that reach as high. So m and n are the reach of either
// hull, or less where other faces are nearer. One face of either hull, its runner-up, may be as near as it likes: it is
// named, and compared with the best one at each step. A pair without a reach gets a certificate of its pose only, from
// which the next step learns how fast its bodies move.
// coherence/competing_edges.hpp has the edges.
#pragma once

#include "coherence/certified_clip.hpp"
#include "coherence/certified_optima.hpp"
#include "coherence/competing_edges.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

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
struct GapBelow {
    float gap;
    std::uint32_t runner;
};

LANEFOLD_INLINE GapBelow gap_below(const FacesBelow& below, float value, float reach, float size_sum) {
    const bool leave_out = below.runner_name != kNoRunner && value - below.runner < reach &&
                           value - below.others > value - below.all &&
                           value - below.runner > 2.0F * kRunnerSlack * size_sum;
    return leave_out ? GapBelow{value - below.others, below.runner_name} : GapBelow{value - below.all, kNoRunner};
}

// A vertex in its hull's own frame.
LANEFOLD_INLINE Quad own_vertex(const HullRecord& hull, std::uint32_t vertex) {
    const HullFloats h = hull_floats(hull);
    return Quad{h.vx[vertex], h.vy[vertex], h.vz[vertex], 0.0F};
}

LANEFOLD_INLINE float reach_of_hull(const HullPairs& pairs, std::uint32_t slot, bool of_b) {
    return of_b ? pairs.reach[slot].of_b : pairs.reach[slot].of_a;
}

// Before hulls that are apart are moved together. `on_b`: the best face is B's.
LANEFOLD_INLINE FaceGaps gaps_of_faces(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                       std::uint32_t g, bool on_b) {
    const std::uint32_t slot = group.slot[g];
    const FaceSearches& own = group.faces[on_b ? 1 : 0];
    const FaceSearches& other = group.faces[on_b ? 0 : 1];
    const float scale = pairs.inverses[slot].scale;
    const AxisRow& axis = pairs.axes[slot];
    const float m = reach_of_hull(pairs, slot, on_b);
    const float n = reach_of_hull(pairs, slot, !on_b);
    const GapBelow of_own = gap_below(faces_below(own, g, true, scale), own.value[g], m, axis.size_sum);
    const GapBelow of_other = gap_below(faces_below(other, g, false, scale), own.value[g], n, axis.size_sum);
    const auto face = static_cast<std::uint32_t>(own.face[g]);
    const auto support = static_cast<std::uint32_t>(own.support[g]);
    FaceGaps gaps = {0, 0.0F, 0.0F, 0.0F, {of_own.runner, of_other.runner}};
    if (face > kMostCertifiedFace || support > kMostCertifiedSupport) return gaps;
    const FaceHulls hulls = face_hulls(job, pairs.rows[slot], on_b ? 1U : 0U);
    const Quad v = own_vertex(*hulls.other, support);
    const float radius = hulls.other->radius;
    const std::uint32_t levers[2] = {
        lever_steps(lever_of(own.search[g], witness_at(own.search[g], support), radius), radius),
        lever_steps(lever_of(other.search[g], v, hulls.own->radius), hulls.own->radius)};
    gaps.lever = levers[0] == kNoLever ? kHighest : static_cast<float>(levers[0]) * (radius / kLeverSteps);
    pack_gaps(m < of_own.gap ? m : of_own.gap, n < of_other.gap ? n : of_other.gap, levers,
              gap_unit(axis.size_sum, axis.size_min), kOptimumSlack * axis.size_sum, gaps);
    return gaps;
}

// Face and support of an optimum in the bits of Certificate::what.
LANEFOLD_INLINE std::uint32_t named_optimum(const PairOptimum& o) {
    return (o.face_on_b != 0 ? kCertifiedOnB : 0U) | o.face << kCertifiedFaceShift | o.support;
}

// Writes a certificate of an optimum. `gaps`, `what`: the bits of Certificate::distance and Certificate::what.
LANEFOLD_INLINE void certify_optimum(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot,
                                     std::uint32_t gaps, std::uint32_t what) {
    const PairRow& row = pairs.rows[slot];
    const PairOptimum& o = pairs.optima[slot];
    certify(job, row, kLowest);
    const std::uint32_t place = job.certificates->of[row.pair];
    Certificate& c = job.certificates->all[place];
    __builtin_memcpy(&c.distance, &gaps, sizeof gaps);
    c.what = what;
    const FaceHulls hulls = face_hulls(job, row, o.face_on_b);
    const HullFloats other = hull_floats(*hulls.other);
    CertifiedOptimum& to = job.certificates->optima[place];
    store_quad(load_quad(plane_of(hull_floats(*hulls.own), o.face)), to.plane);
    to.support[0] = other.vx[o.support];
    to.support[1] = other.vy[o.support];
    to.support[2] = other.vz[o.support];
}

// Without a face whose numbers do not fit, the next step learns nothing.
LANEFOLD_INLINE void certify_pose(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot) {
    const PairOptimum& o = pairs.optima[slot];
    const bool fits = o.face <= kMostCertifiedFace && o.support <= kMostCertifiedSupport;
    // A guess: all witnesses are within a radius from the support.
    constexpr std::uint32_t kGuess = (static_cast<std::uint32_t>(kLeverSteps) - 1U) * 0x11U;
    certify_optimum(job, pairs, slot, kGuess, kCertifiedPose | (fits ? named_optimum(o) : 0U));
}

// Whether all other vertices stay above the best face's support as long as the hulls turn by at most `turn`.
inline bool support_is_unique(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group, std::uint32_t g,
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
inline void certify_face(const ChunkJob& job, HullPairs& pairs, const SearchGroup& group, std::uint32_t g,
                         const FaceGaps& gaps, float turn, bool compete) {
    const std::uint32_t slot = group.slot[g];
    const PairRow& row = pairs.rows[slot];
    const bool unique = support_is_unique(job, pairs, group, g, turn);
    const bool runners = gaps.runner[0] != kNoRunner || gaps.runner[1] != kNoRunner;
    if (runners) {
        CertifiedOptimum& line = certified_optimum(job, row);
        __builtin_memcpy(line.runner, gaps.runner, sizeof line.runner);
    }
    const std::uint32_t clip = certify_clip(job, pairs, slot, turn);
    certify_optimum(job, pairs, slot, gaps.packed,
                    kCertifiedFace | (compete ? kCertifiedEdges : 0U) | (unique ? kCertifiedUnique : 0U) |
                        (runners ? kCertifiedRunners : 0U) | clip | named_optimum(pairs.optima[slot]));
}

// How far member g may move until its certificate ends.
LANEFOLD_INLINE MotionBudget motion_budget(const ChunkJob& job, const HullPairs& pairs, const SearchGroup& group,
                                           std::uint32_t g, const FaceGaps& gaps) {
    const std::uint32_t slot = group.slot[g];
    const PairOptimum& o = pairs.optima[slot];
    const FaceHulls hulls = face_hulls(job, pairs.rows[slot], o.face_on_b);
    const float by_own = gaps.own / hulls.other->radius;
    const float by_other = gaps.other / hulls.own->radius;
    const float turn = kMostTurn * (by_own < by_other ? by_own : by_other) * (1.0F + kMotionRoom) + kTurnRoom;
    const bool on_b = o.face_on_b != 0;
    alignas(16) float v[4];
    store_quad(on_b ? own_vertex(*hulls.other, o.support) : witness_at(group.faces[0].search[g], o.support), v);
    return {{v[0], v[1], v[2]}, gaps.lever, turn,
            on_b ? 1.0F : 0.0F, gaps.own,   kOptimumSlack * pairs.axes[slot].size_sum};
}

// Certifies the members that no face separates (`near`), and combines the edges of those in `list`, `count` of them,
// whose edges of both hulls are tested. `gaps`: of every member with a reach, see gaps_of_faces().
inline void certify_group(const ChunkJob& job, HullPairs& pairs, const SearchGroup& group, EdgeScratch& edges,
                          const FaceGaps* gaps, std::uint64_t near, const std::uint32_t* list, std::uint32_t count,
                          Counters& counters) {
    GroupCertificates certificates;
    for (std::uint64_t rest = near; rest != 0; rest &= rest - 1) {
        const auto g = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        if (!(pairs.reach[group.slot[g]].of_a > 0.0F) || gaps[g].packed == 0) continue;
        certificates.made |= std::uint64_t{1} << g;
        certificates.budget[g] = motion_budget(job, pairs, group, g, gaps[g]);
    }
    for (std::uint32_t k = 0; k < count; ++k) list_competing(job, pairs, group, edges, certificates, list[k], counters);
    LANEFOLD_STAGE_DONE(arcs);
    bound_and_fold(job, pairs, group.slot, edges, certificates);
    LANEFOLD_STAGE_DONE(edge_pairs);
    for (std::uint64_t rest = near; rest != 0; rest &= rest - 1) {
        const auto g = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        if (bit_of(&certificates.made, g)) {
            certify_face(job, pairs, group, g, gaps[g], certificates.budget[g].turn, bit_of(&certificates.compete, g));
            ++counters.certificates_made;
        } else {
            certify_pose(job, pairs, group.slot[g]);
        }
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
