// SPDX-License-Identifier: MIT
//
// Exact face searches by cutting planes, for a group of pairs at once.
//
// The separation of face f is min over b of n_f . b - d_f. For any known vertex w of the other hull (a witness)
// n_f . w - d_f is an upper bound of it. A step evaluates the face with the highest bound by one support query, and the
// support becomes another witness. The search ends when no bound reaches the best exact value. One to three evaluations
// suffice, almost independent of the number of faces.
//
// Values are canonical: evaluation computes the same expression on every path, and the lowest index wins ties. A face
// is left out only when its bound is below the best value by more than the rounding of separations (slack), and bounds
// are never too low (search/bounds.hpp). So the result is that of evaluating every face.
//
// A step is one long chain of dependent instructions: rotate, scan, reduce, rotate, scan, reduce. A processor overlaps
// only the chains that fit its window of some hundred instructions. So each link is done for the whole group before the
// next one: short links of many pairs fit the window, whole chains do not.
#pragma once

#include "search/bounds.hpp"
#include "search/exhaustive.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE const float* searched_plane(const FaceSearch& s, std::uint32_t f) { return plane_at(s.planes, f); }

LANEFOLD_INLINE HullFloats other_vertices(const FaceSearch& s) {
    const std::uint32_t stride = pad16(s.vertex_count);
    HullFloats h = {};
    h.vx = s.vertices;
    h.vy = h.vx + stride;
    h.vz = h.vy + stride;
    h.vertices = s.vertex_count;
    return h;
}

inline constexpr std::int32_t kLastWitness = std::int32_t{kMaxWitnesses} - 1;

// Vertex v of a hull in the frame of another one. `to`: the pose into that frame; `back`: its inverse.
LANEFOLD_INLINE Quad vertex_between(const HullFloats& h, std::uint32_t v, const RelativePose& to,
                                    const RelativePose& back) {
    // The rows of the inverse rotation are the columns of the rotation.
    return transposed_times(back.r, h.vx[v], h.vy[v], h.vz[v]) + load_quad(to.t);
}

// Vertex v of the other hull in the frame of the faces.
LANEFOLD_INLINE Quad witness_at(const FaceSearch& s, std::uint32_t v) {
    return vertex_between(other_vertices(s), v, *s.to_faces, *s.to_other);
}

// Sets the state of the searches before their first step. Separations and evaluated faces are set as well, because
// settle_step() reads them even if a search ends before its first step.
LANEFOLD_INLINE void clear_searches(FaceSearches& all, std::uint32_t count) {
    const WFloat lowest(kLowest);
    const WInt zero(0);
    const WInt none(-1);
    for (std::uint32_t i = 0; i < count; i += kWidth) {
        lowest.store(all.value + i);
        lowest.store(all.separation + i);
        lowest.store(all.second + i);
        lowest.store(all.third + i);
        none.storeu(all.second_face + i);
        zero.storeu(all.second_support + i);
        zero.storeu(all.face + i);
        zero.storeu(all.support + i);
        zero.storeu(all.under + i);
        zero.storeu(all.evaluated + i);
    }
}

// `scale`, `offset`: the fixed point of the pair (search/bounds.hpp).
LANEFOLD_INLINE void set_unit(FaceSearches& all, std::uint32_t g, float scale, std::int32_t offset) {
    FaceSearch& s = all.search[g];
    s.scale = scale;
    s.offset = offset;
    all.scale[g] = scale;
}

// Starts the search of member g without a witness. `cut`: separations below it do not matter.
LANEFOLD_INLINE void begin_face_search(FaceSearches& all, std::uint32_t g, const HullFloats& hull,
                                       const HullFloats& other, const RelativePose& to_faces,
                                       const RelativePose& to_other, float cut) {
    FaceSearch& s = all.search[g];
    s.planes = hull.planes;
    s.vertices = other.vx;
    s.to_faces = &to_faces;
    s.to_other = &to_other;
    s.faces = hull.faces;
    s.vertex_count = other.vertices;
    s.witness_count = 0;
    s.lost_witnesses = 0;
    all.cut[g] = cut;
}

LANEFOLD_INLINE void set_witness(FaceSearch& s, std::uint32_t k, Quad w, std::uint32_t vertex) {
    using IntQuad = std::int32_t __attribute__((vector_size(16)));
    // Rounds to nearest. The added 32768.5 keeps values positive, because the conversion truncates; the exclusive or
    // below takes the 32768 away from both halves.
    const IntQuad q = __builtin_convertvector(w * before_splat(s.scale) + 32768.5F, IntQuad);
    IntQuad both = (q | (q << 16)) ^ static_cast<std::int32_t>(0x80008000U);
    both[3] = static_cast<std::int32_t>(vertex);
    __builtin_memcpy(&s.witness[k], &both, sizeof both);
}

LANEFOLD_INLINE void append_witness(FaceSearch& s, Quad w, std::uint32_t vertex) {
    set_witness(s, s.witness_count++, w, vertex);
}

LANEFOLD_INLINE void add_witness(FaceSearch& s, std::uint32_t vertex) {
    append_witness(s, witness_at(s, vertex), vertex);
}

LANEFOLD_INLINE void set_top(FaceSearches& all, std::uint32_t g, const BestSum& top) {
    all.top_sum[g] = top.value;
    all.top_face[g] = static_cast<std::int32_t>(top.index);
}

LANEFOLD_INLINE void first_bounds_of(FaceSearches& all, std::uint32_t g, std::int16_t* bound) {
    const FaceSearch& s = all.search[g];
    const CoarsePlanes planes = searched_coarse_planes(s);
    set_top(all, g, highest_bound(FirstBounds{planes, coarse_point(s.witness[0], s), bound}));
}

// The first bounds from two witnesses. A face that is already evaluated is left out.
LANEFOLD_INLINE void two_bounds_of(FaceSearches& all, std::uint32_t g, std::int16_t* bound) {
    const FaceSearch& s = all.search[g];
    const CoarsePlanes planes = searched_coarse_planes(s);
    const WShort evaluated(all.value[g] > kLowest ? all.face[g] : -1);
    set_top(all, g,
            highest_bound(
                TwoBounds{planes, coarse_point(s.witness[0], s), coarse_point(s.witness[1], s), bound, evaluated}));
}

// Selects the face with the highest bound, and the direction of the support query on the other hull.
LANEFOLD_INLINE void aim_query(FaceSearches& all, std::uint32_t g) {
    const FaceSearch& s = all.search[g];
    const auto f = static_cast<std::uint32_t>(all.top_face[g]);
    const float* n = searched_plane(s, f);
    all.evaluated[g] = static_cast<std::int32_t>(f);
    // Minus the rotated normal: the largest -m . v is minus the smallest m . v.
    store_quad(-transposed_times(s.to_faces->r, n[0], n[1], n[2]), all.query[g]);
}

LANEFOLD_INLINE void answer_query(FaceSearches& all, std::uint32_t g) {
    const float* m = all.query[g];
    all.vertex[g] = static_cast<std::int32_t>(support(other_vertices(all.search[g]), m[0], m[1], m[2]).index);
}

// Makes the support the newest witness. Its distance from the plane of the face is the face's separation.
LANEFOLD_INLINE void place_witness(FaceSearches& all, std::uint32_t g) {
    FaceSearch& s = all.search[g];
    const auto vertex = static_cast<std::uint32_t>(all.vertex[g]);
    const Quad w = witness_at(s, vertex);
    const std::uint32_t full = s.witness_count == kMaxWitnesses ? 1U : 0U;
    if (full != 0 && all.under[g] == kLastWitness) {
        // The witness under the best face stays; the one before it is overwritten.
        s.witness[kLastWitness - 1] = s.witness[kLastWitness];
        all.under[g] = kLastWitness - 1;
    }
    s.witness_count -= full;
    s.lost_witnesses |= full;
    append_witness(s, w, vertex);
    const float* p = searched_plane(s, static_cast<std::uint32_t>(all.evaluated[g]));
    all.separation[g] = ((p[0] * w[0] + p[1] * w[1]) + p[2] * w[2]) - p[3];
}

LANEFOLD_INLINE void tighten_bounds(FaceSearches& all, std::uint32_t g, std::int16_t* bound) {
    const FaceSearch& s = all.search[g];
    const CoarsePlanes planes = searched_coarse_planes(s);
    const CoarsePoint w = coarse_point(s.witness[s.witness_count - 1], s);
    set_top(all, g, highest_bound(NextBounds{planes, w, bound, WShort(all.evaluated[g])}));
}

// Takes the first step of member g, whose face was evaluated before any bound was known.
LANEFOLD_INLINE void settle_first_step(FaceSearches& all, std::uint32_t g) {
    all.value[g] = all.separation[g];
    all.cut[g] = all.separation[g];
    all.face[g] = all.evaluated[g];
    all.support[g] = all.vertex[g];
}

// Bit g is set for each member g < count that no face separates yet and that has a face whose bound still reaches the
// best value. Bits from `count` on are undefined.
LANEFOLD_INLINE std::uint64_t searches_on(const FaceSearches& all, std::uint32_t count) {
    std::uint64_t on = 0;
    for (std::uint32_t i = 0; i < count; i += kWidth) {
        const WInt top_sum = WInt::loadu(all.top_sum + i);
        const WFloat reach = WFloat::load(all.cut + i) - WFloat::load(all.slack + i);
        const WFloat top = to_float(top_sum) + splat(kStepSlack);
        WMask reaches = top >= reach * WFloat::load(all.scale + i) * splat(kStepsPerScaled);
        if (kExhaustive) reaches = WInt(kLowestSum) < top_sum;
        const WMask more = (WFloat::load(all.value + i) <= WFloat::load(all.limit + i)) & reaches;
        on |= static_cast<std::uint64_t>(bits(more)) << i;
    }
    return on;
}

// Updates the runners-up by the separations of the step, before settle_step(). The last face of a member that took no
// part is its best one, its runner-up, or no better than the third.
inline void settle_runners(FaceSearches& all, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; i += kWidth) {
        const WFloat separation = WFloat::load(all.separation + i);
        const WFloat value = WFloat::load(all.value + i);
        const WInt evaluated = WInt::loadu(all.evaluated + i);
        const WInt face = WInt::loadu(all.face + i);
        const WInt second_face = WInt::loadu(all.second_face + i);
        const WFloat second = WFloat::load(all.second + i);
        const WMask fresh = ~((evaluated == face) | (evaluated == second_face));
        const WMask better = (separation > value) | ((separation == value) & (evaluated < face));
        const WFloat lost = select(better, value, separation);
        const WMask runs = fresh & (lost > second);
        select(fresh, max(WFloat::load(all.third + i), min(lost, second)), WFloat::load(all.third + i))
            .store(all.third + i);
        select(runs, lost, second).store(all.second + i);
        select(runs, select(better, face, evaluated), second_face).storeu(all.second_face + i);
        select(runs, select(better, WInt::loadu(all.support + i), WInt::loadu(all.vertex + i)),
               WInt::loadu(all.second_support + i))
            .storeu(all.second_support + i);
    }
}

// Updates the best values by the separations of the step, lanes = members. Members that took no part get their last
// separation once more, which changes nothing. Places beyond the members hold any values and are never read. `newest`:
// index of the step's witness.
LANEFOLD_INLINE void settle_step(FaceSearches& all, std::uint32_t count, std::int32_t newest) {
    const WInt placed(newest);
    for (std::uint32_t i = 0; i < count; i += kWidth) {
        const WFloat separation = WFloat::load(all.separation + i);
        const WFloat value = WFloat::load(all.value + i);
        const WInt evaluated = WInt::loadu(all.evaluated + i);
        const WInt face = WInt::loadu(all.face + i);
        const WMask better = (separation > value) | ((separation == value) & (evaluated < face));
        max(separation, value).store(all.value + i);
        max(separation, WFloat::load(all.cut + i)).store(all.cut + i);
        select(better, evaluated, face).storeu(all.face + i);
        select(better, WInt::loadu(all.vertex + i), WInt::loadu(all.support + i)).storeu(all.support + i);
        select(better, placed, WInt::loadu(all.under + i)).storeu(all.under + i);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
