// SPDX-License-Identifier: MIT
//
// Certified optima: pairs whose bodies have moved so little since a search that its best face is still the best one.
//
// A search at the relative pose X0 found the best face f, of hull H, with separation F and support v; O is the other
// hull. Its certificate (coherence/certify_optima.hpp) says about X0, up to rounding:
//
//   1. Every other face of H is at most F - m, every other face of O at most F - n; but for one of either hull, its
//      runner-up, which is named with its support.
//   2. Arcs that do not touch f: all directions of an arc of H have a separation of at most F - m, or the edge is
//      listed; likewise of O with n.
//   3. Arcs from f to a face g of H: v is below g by m more than the rule of rims (search/rim.hpp) needs to leave the
//      edge out; or the edge is listed.
//   4. Listed edges may have been taken away again if no axis of theirs can beat f while the certificate holds
//      (coherence/edge_bounds.hpp).
//
// It has copies of the plane of f, of v, and of single edges (CertifiedOptimum, CertifiedSingle), so that a step reads
// no hull; and the faces of the clip, if they stay the same while it holds (coherence/certified_clip.hpp).
//
// The separation of a face or along an arc is at most the height of any vertex there. The facts of 1. and 2. about
// faces and arcs of H were found with vertices of O, the witnesses of the search (search/faces.hpp), so their
// separations grow by at most mu_H until X1, the largest motion of a witness in H's frame. Likewise mu_O, of H's
// vertices in O's frame. Two bounds of each are known (coherence/gaps.hpp, coherence/certificates.hpp). F itself is
// computed anew, if v is still its support. So while mu_H + |dF| < m and mu_O + |dF| < n, less rounding, where dF is
// the change of F, f is still the best face if it is above the runners-up. The height of any vertex over a face is an
// upper bound of that face's separation, so the supports that the runners-up had at X0 tell. Edges that are not listed
// cannot beat f; those of f itself are left out by the rule of rims at X1, too, because v moves by mu_H at most over
// the faces of H, and the limit of the rule by |dF|. A search at X1 would therefore combine a subset of the listed
// edges that has all edges which may win, or would not combine any; the optimum is evaluated with the expressions of
// the search, and has its bits.
//
// The facts about other vertices than witnesses, and about the normals of edges, hold as long as the rotation has
// changed by less than rho (spectral norm): kMostTurn times m over O's radius, and n over H's. That ends a
// certificate, too.
//
// Rounding, in units of S = size A + size B: mu is off by 10e-6 at most (coherence/certificates.hpp), dF by 2e-6;
// separations by 1e-6; the axis of two edges that lean beyond their arcs by 4e-6 (kTiedReach). sigma = 8 kPruneSlack =
// 32e-6.
#pragma once

#include "coherence/certified_edges.hpp"
#include "coherence/gaps.hpp"
#include "search/faces.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Rounding of a runner-up's height and of its separation in a search, in (size A + size B).
inline constexpr float kRunnerSlack = 2.0F * kPruneSlack;

// How far a search looks below the best face, in motions since the certificate before. A pair whose last step is known
// gets four steps of that length. One whose certificate ended gets what that had, or what it would have needed.
inline constexpr float kFirstReach = 4.0F;
inline constexpr float kNextReach = 1.25F;

// The pairs of kWidth slots, and pointers to what their lanes load. Lanes past the end repeat the last slot.
struct OptimumRows {
    const float* row[kWidth];
    const float* certificate[kWidth];
    const float* hull_a[kWidth];
    const float* hull_b[kWidth];
    const float* tolerances[kWidth];
    const float* optimum[kWidth];

    LANEFOLD_INLINE OptimumRows(const ChunkJob& job, const HullPairs& pairs, std::uint32_t first, std::uint32_t lanes) {
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const std::uint32_t slot = first + (l < lanes ? l : lanes - 1);
            const PairRow& pair = pairs.rows[slot];
            row[l] = pair.to_a.r;
            const std::uint32_t place = job.certificates->of[pair.pair];
            certificate[l] = job.certificates->all[place].pose;
            optimum[l] = job.certificates->optima[place].plane;
            hull_a[l] = floats_of(&job.hulls[pair.hull_a].flags);
            hull_b[l] = floats_of(&job.hulls[pair.hull_b].flags);
            tolerances[l] = &pairs.axes[slot].face_band;
        }
    }
};

LANEFOLD_INLINE WFloat radii_of(const float* const* hulls) {
    WFloat q[4];
    load_rows4(hulls, q, 5);  // centre, radius
    return q[3];
}

// The pairs of kWidth slots with their certificates, and by how much their rotations have changed since.
struct LaneOptima {
    LanePair pair;
    LaneCertificate certificate;
    LaneTolerances tolerances;
    LaneGaps gaps;
    WFloat rotation;
    WFloat radius_own, radius_other;  // of the face's hull, of the other one
    WFloat sigma;

    LANEFOLD_INLINE explicit LaneOptima(const OptimumRows& rows)
        : pair(LanePair::load(rows.row)),
          certificate(LaneCertificate::load(rows.certificate)),
          tolerances(LaneTolerances::load(rows.tolerances)),
          gaps(LaneGaps::of(certificate, gap_unit(tolerances.size_sum, tolerances.size_min))),
          rotation(rotation_between(certificate.pose, pair.to_a) * splat(1.0F + kMotionRoom)) {
        const WFloat a = radii_of(rows.hull_a);
        const WFloat b = radii_of(rows.hull_b);
        radius_own = select(gaps.on_b, b, a);
        radius_other = select(gaps.on_b, a, b);
        sigma = tolerances.size_sum * splat(kOptimumSlack);
    }
};

// The motion that the gaps of a certificate must exceed.
struct LaneMotion {
    WFloat own, other;
};

// How far the searches of pairs look whose certificates do not settle them.
LANEFOLD_INLINE void write_reach(const LaneOptima& o, WMask known, WMask certified, const LaneMotion& motion,
                                 SearchReach* out, std::uint32_t lanes) {
    const LaneGaps& gaps = o.gaps;
    const WMask suddenly = certified & ((motion.own > gaps.own + gaps.own) | (motion.other > gaps.other + gaps.other));
    const WFloat times = select(certified & ~suddenly, splat(kNextReach), splat(kFirstReach));
    const WFloat none(0.0F);
    const WFloat twice = o.sigma + o.sigma;
    const WFloat own = max(motion.own * times + twice, select(certified, gaps.own, none));
    const WFloat other = max(motion.other * times + twice, select(certified, gaps.other, none));
    const WFloat most = o.tolerances.size_min * splat(kMostReach) + twice;
    const WMask wanted = known & (own < most) & (other < most);
    alignas(64) float of_a[kWidth], of_b[kWidth];
    select(wanted, select(gaps.on_b, other, own), none).store(of_a);
    select(wanted, select(gaps.on_b, own, other), none).store(of_b);
    for (std::uint32_t l = 0; l < lanes; ++l) out[l] = {of_a[l], of_b[l]};
}

// The planes of certified faces and their supports, each in its own hull's frame; of lanes without a certificate any
// numbers.
struct CertifiedPlaces {
    WFloat plane[4];
    WVec3 support;

    LANEFOLD_INLINE explicit CertifiedPlaces(const float* const* optima) {
        load_rows4(optima, plane);
        WFloat q[4];
        load_rows4(optima, q, 4);
        support = {q[0], q[1], q[2]};
    }
};

// Supports of certified faces in the frame of the face's hull, and the separations of the faces if these are still
// their supports. The expressions are those of place_witness(): the rows of the inverse rotation are the columns of the
// rotation.
struct LaneSupports {
    WVec3 back;  // R^T t
    WVec3 at;
    WFloat separation;

    LANEFOLD_INLINE LaneSupports(const LanePose& to_a, WMask on_b, const WFloat* plane, const WVec3& v)
        : back(rotate_back(to_a.r, to_a.t)) {
        const WVec3 on_a_at = rotate(to_a.r, v) + to_a.t;
        const WVec3 on_b_at = rotate_back(to_a.r, v) + negate(back);
        at = select(on_b, on_b_at, on_a_at);
        separation = (((plane[0] * at.x + plane[1] * at.y) + plane[2] * at.z) - plane[3]) + splat(0.0F);
    }
};

// Measures what the gaps of a certificate must exceed: by how much witnesses have moved, by either of two bounds, and
// by how much the best face itself has come nearer or gone away.
LANEFOLD_INLINE LaneMotion motion_since(const LaneOptima& o, const LaneSupports& then, const LaneSupports& now) {
    const WVec3 d = now.at - then.at;
    const WFloat slip = sqrt(dot(d, d)) * splat(1.0F + kMotionRoom);
    const LanePose& x0 = o.certificate.pose;
    const LanePose& x1 = o.pair.to_a;
    const WMask on_b = o.gaps.on_b;
    // The motion of the other hull in the frame of the face's hull, and of that in the other's frame.
    const WFloat mu_own =
        motion_bound(select(on_b, then.back, x0.t), select(on_b, now.back, x1.t), o.rotation, o.radius_other);
    const WFloat mu_other =
        motion_bound(select(on_b, x0.t, then.back), select(on_b, x1.t, now.back), o.rotation, o.radius_own);
    const WFloat change = now.separation - then.separation;
    const WFloat both = max(change, negate(change));
    return {both + min(slip + o.rotation * (o.gaps.own_lever * o.radius_other), mu_own),
            both + min(slip + o.rotation * (o.gaps.other_lever * o.radius_own), mu_other)};
}

// Writes faces as the optima of kWidth pairs.
LANEFOLD_INLINE void write_optima(const LaneOptima& o, WFloat value, PairOptimum* to) {
    float* rows[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) rows[l] = &to[l].face_value;
    const WInt zero(0);
    const WFloat none = bit_cast_float(zero);
    const WInt what = o.certificate.what;
    const WInt face =
        shift_right_logical(what, static_cast<int>(kCertifiedFaceShift)) & WInt(std::int32_t{kMostCertifiedFace});
    const WInt support = what & WInt(std::int32_t{kMostCertifiedSupport});
    const WFloat on_b = select(o.gaps.on_b, bit_cast_float(WInt(1)), none);
    const WFloat q[8] = {value, bit_cast_float(face), bit_cast_float(support), on_b, value, none, none, none};
    scatter_quads<2>(q, rows);
}

// Bits of slots whose certificates hold: those whose best face is settled; those to be looked at one by one, for their
// support or for faces that come near.
struct OptimumAnswers {
    std::uint32_t settled;
    std::uint32_t unsure;
};

// Asks the certificates of up to kWidth slots. Writes the optima of the settled ones, and the reach of those that are
// to be searched.
LANEFOLD_INLINE OptimumAnswers ask_optima(const ChunkJob& job, HullPairs& pairs, std::uint32_t first,
                                          std::uint32_t lanes) {
    const OptimumRows rows(job, pairs, first, lanes);
    const LaneOptima o(rows);
    const LaneCertificate& c = o.certificate;
    const WMask known = ((c.hull_a == o.pair.hull_a) & (c.hull_b == o.pair.hull_b)) &
                        (o.gaps.of_face | ~((c.what & WInt(std::int32_t{kCertifiedPose})) == WInt(0)));
    const WMask certified = known & o.gaps.of_face;
    const CertifiedPlaces places(rows.optimum);
    const LaneSupports then(c.pose, o.gaps.on_b, places.plane, places.support);
    const LaneSupports now(o.pair.to_a, o.gaps.on_b, places.plane, places.support);
    const LaneMotion motion = motion_since(o, then, now);
    const WFloat turn = o.rotation * splat(1.0F / kMostTurn);
    const WMask holds = certified & (motion.own + o.sigma < o.gaps.own) & (motion.other + o.sigma < o.gaps.other) &
                        (turn * o.radius_other < o.gaps.own) & (turn * o.radius_own < o.gaps.other);
    write_reach(o, known, certified, motion, pairs.reach.data() + first, lanes);
    const WFloat value = now.separation;
    write_optima(o, value, pairs.optima.data() + first);
    const WInt zero(0);
    const WMask unique =
        (c.what & WInt(std::int32_t{kCertifiedUnique | kCertifiedRunners})) == WInt(std::int32_t{kCertifiedUnique});
    // A face that separates the pair by more than its margin is left to a search, which says so in its own way.
    const WMask settled = holds & unique & (value <= o.pair.margin);
    return {bits(settled) & lane_mask(lanes), bits(holds & ~unique) & lane_mask(lanes)};
}

// A certified face whose support is looked for.
struct CertifiedFace {
    const HullRecord* other;
    std::uint32_t what;
    bool unique;  // the support is known
    float query[4];
};

LANEFOLD_INLINE CertifiedFace aim_certified(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot) {
    const PairRow& row = pairs.rows[slot];
    const PairOptimum& o = pairs.optima[slot];
    const std::uint32_t place = job.certificates->of[row.pair];
    const RelativePose& to_faces = o.face_on_b != 0 ? pairs.inverses[slot].to_b : row.to_a;
    const float* n = job.certificates->optima[place].plane;
    CertifiedFace c;
    c.other = face_hulls(job, row, o.face_on_b).other;
    c.what = job.certificates->all[place].what;
    c.unique = (c.what & kCertifiedUnique) != 0;
    store_quad(-transposed_times(to_faces.r, n[0], n[1], n[2]), c.query);
    return c;
}

// The faces, or none, without a branch.
LANEFOLD_INLINE ClipFaces known_if(bool known, ClipFaces faces) {
    std::uint64_t all;
    __builtin_memcpy(&all, &faces, sizeof all);
    all &= std::uint64_t{0} - static_cast<std::uint64_t>(known);
    __builtin_memcpy(&faces, &all, sizeof all);
    return faces;
}

// The lists for pairs whose certificates were asked.
struct CertifiedLists {
    SlotList& settled;
    SlotList& edges;     // of these: certificates list edges
    SlotList& searched;  // the others

    LANEFOLD_INLINE void push(const ChunkJob& job, HullPairs& pairs, std::uint32_t slot, bool is_settled,
                              bool is_searched) {
        const std::uint32_t what = certificate_of(job, pairs.rows[slot]).what;
        const bool clip = is_settled & ((what & kCertifiedClip) != 0);
        pairs.clips[slot] = known_if(clip, certified_optimum(job, pairs.rows[slot]).clip);
        settled.push_if(is_settled, slot);
        edges.push_if(is_settled & ((what & kCertifiedEdges) != 0), slot);
        searched.push_if(is_searched, slot);
    }
};

// Whether face and support of a certificate's line, on hull B or A, are below `value` for certain.
LANEFOLD_INLINE bool runner_is_below(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot,
                                     std::uint32_t runner, bool on_b, float value) {
    if (runner == kNoRunner) return true;
    const PairRow& row = pairs.rows[slot];
    const FaceHulls hulls = face_hulls(job, row, on_b ? 1U : 0U);
    const HullFloats other = hull_floats(*hulls.other);
    const float* p = plane_of(hull_floats(*hulls.own), runner >> kCertifiedFaceShift);
    const std::uint32_t v = runner & kMostCertifiedSupport;
    const RelativePose& to_other = on_b ? row.to_a : pairs.inverses[slot].to_b;
    const RelativePose& to_faces = on_b ? pairs.inverses[slot].to_b : row.to_a;
    const Quad w = transposed_times(to_other.r, other.vx[v], other.vy[v], other.vz[v]) + load_quad(to_faces.t);
    const float height = ((p[0] * w[0] + p[1] * w[1]) + p[2] * w[2]) - p[3];
    return height + kRunnerSlack * pairs.axes[slot].size_sum < value;
}

// Whether the best face of a certificate is above its runners-up.
LANEFOLD_INLINE bool is_above_runners(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot,
                                      std::uint32_t what) {
    if ((what & kCertifiedRunners) == 0) return true;
    const CertifiedOptimum& line = certified_optimum(job, pairs.rows[slot]);
    const PairOptimum& o = pairs.optima[slot];
    const bool on_b = o.face_on_b != 0;
    return runner_is_below(job, pairs, slot, line.runner[0], on_b, o.face_value) &&
           runner_is_below(job, pairs, slot, line.runner[1], !on_b, o.face_value);
}

// Settles pairs whose certificates hold if the support of the best face is still the certified one, and that face above
// its runners-up.
inline void find_supports(const ChunkJob& job, HullPairs& pairs, const SlotList& list, CertifiedLists& to,
                          Counters& counters) {
    CertifiedFace faces[kSearchGroup];
    std::uint32_t found[kSearchGroup];
    for (std::uint32_t begin = 0; begin < list.count; begin += kSearchGroup) {
        const std::uint32_t n = list.count - begin < kSearchGroup ? list.count - begin : kSearchGroup;
        for (std::uint32_t k = 0; k < n; ++k) faces[k] = aim_certified(job, pairs, list.slot[begin + k]);
        for (std::uint32_t k = 0; k < n; ++k) {
            const float* m = faces[k].query;
            if (faces[k].unique)
                found[k] = pairs.optima[list.slot[begin + k]].support;
            else
                found[k] = support(hull_floats(*faces[k].other), m[0], m[1], m[2]).index;
        }
        for (std::uint32_t k = 0; k < n; ++k) {
            const std::uint32_t slot = list.slot[begin + k];
            const PairOptimum& o = pairs.optima[slot];
            const bool settled = (found[k] == o.support) & (o.face_value <= pairs.rows[slot].margin) &&
                                 is_above_runners(job, pairs, slot, faces[k].what);
            to.push(job, pairs, slot, settled, !settled);
        }
    }
    counters.faces_evaluated += list.count;
}

// Settles the pairs whose certificates say enough; s.searched receives the slots of all others. The settled ones are
// the first of pairs.alive. Without certificates all slots are searched.
inline void settle_certified(const ChunkJob& job, HullPairs& pairs, SearchScratch& s, Counters& counters) {
    pairs.alive.count = 0;
    pairs.settled = 0;
    s.searched.count = 0;
    clear_edges(s.edges);
    const std::uint32_t count = pairs.count;
    s.searches_all = !pairs.looks_below;
    if (s.searches_all) return;
    SlotList& unsure = pairs.faces;  // free until the decision, like the next one
    SlotList& edges = pairs.edges;
    unsure.count = 0;
    edges.count = 0;
    CertifiedLists to = {pairs.alive, edges, s.searched};
    for (std::uint32_t begin = 0; begin < count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const OptimumAnswers answers = ask_optima(job, pairs, begin, lanes);
        for (std::uint32_t l = 0; l < lanes; ++l) {
            unsure.push_if(bit_at(answers.unsure, l), begin + l);
            to.push(job, pairs, begin + l, bit_at(answers.settled, l), !bit_at(answers.settled | answers.unsure, l));
        }
    }
    find_supports(job, pairs, unsure, to, counters);
    combine_certified(job, pairs, s, edges, unsure, counters);
    pairs.settled = pairs.alive.count;
    counters.certificates_held += pairs.settled;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
