// SPDX-License-Identifier: MIT
//
// Exact face search by cutting planes (lanes = faces of one hull, then vertices of the other).
//
// The separation of face f, min over b of n_f . b - d_f, is bounded above by n_f . w - d_f for any known
// vertex w of the other hull ("witness"). Repeatedly the face with the highest bound is evaluated with one
// support query, and that support becomes a witness, until no bound reaches the best exact value. One to
// three evaluations suffice, nearly independent of the number of faces.
//
// Values are canonical: evaluation computes the same expression whatever the path, ties go to the lowest
// index, and a face is only left out when its bound is below the best by more than the rounding of both
// (slack). So the result is that of evaluating every face.
//
// Each step is one long chain of dependent instructions (scan, reduce, load, scan, reduce), so a step is done
// for a whole list of pairs before the next: neighbours in the list overlap in the processor.
#pragma once

#include "chunk_scratch_impl.hpp"
#include "point.hpp"
#include "support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline constexpr float kLowest = -3.402823466e+38F;

// Bound of the faces of one vector.
LANEFOLD_INLINE WFloat plane_distance(const HullFloats& h, std::uint32_t i, WFloat x, WFloat y, WFloat z) {
    return ((WFloat::load(h.nx + i) * x + WFloat::load(h.ny + i) * y) + WFloat::load(h.nz + i) * z) -
           WFloat::load(h.d + i);
}

LANEFOLD_INLINE WFloat next_bound(const HullFloats& h, std::uint32_t i, WFloat x, WFloat y, WFloat z, float* bound,
                                  WInt evaluated) {
    const WFloat b = min(plane_distance(h, i, x, y, z), WFloat::load(bound + i));
    const WMask done = WInt::iota() == evaluated + WInt(-static_cast<std::int32_t>(i));
    const WFloat r = select(done, splat(kLowest), b);
    r.store(bound + i);
    return r;
}

template <std::uint32_t N>
LANEFOLD_INLINE Best first_bounds_unrolled(const HullFloats& h, WFloat x, WFloat y, WFloat z, float* bound) {
    WFloat v[N];
    for (std::uint32_t k = 0; k < N; ++k) {
        v[k] = plane_distance(h, k * kWidth, x, y, z);
        v[k].store(bound + k * kWidth);
    }
    return reduce_vectors<N>(v);
}

template <std::uint32_t N>
LANEFOLD_INLINE Best next_bounds_unrolled(const HullFloats& h, WFloat x, WFloat y, WFloat z, float* bound,
                                          WInt evaluated) {
    WFloat v[N];
    for (std::uint32_t k = 0; k < N; ++k) v[k] = next_bound(h, k * kWidth, x, y, z, bound, evaluated);
    return reduce_vectors<N>(v);
}

// Bounds of all faces from the first witness; the face with the highest.
LANEFOLD_INLINE Best first_bounds(const HullFloats& h, const float* w, float* bound) {
    const WFloat x(w[0]), y(w[1]), z(w[2]);
    LANEFOLD_STAGE_LANES(h.faces, lanes_up(h.faces));
    if (h.faces <= kWidth) return first_bounds_unrolled<1>(h, x, y, z, bound);
    if constexpr (kUnrolled >= 4) {
        if (h.faces <= 2 * kWidth) return first_bounds_unrolled<2>(h, x, y, z, bound);
        if (h.faces <= 3 * kWidth) return first_bounds_unrolled<3>(h, x, y, z, bound);
        if (h.faces <= 4 * kWidth) return first_bounds_unrolled<4>(h, x, y, z, bound);
    }
    WFloat best(kLowest);
    WInt block(0);
    for (std::uint32_t i = 0; i < h.faces; i += kWidth) {
        const WFloat b = plane_distance(h, i, x, y, z);
        b.store(bound + i);
        const WMask above = b > best;
        best = select(above, b, best);
        block = select(above, WInt(static_cast<std::int32_t>(i)), block);
    }
    return reduce_blocks(best, block);
}

// The bounds tightened by another witness; face `evaluated` is out of the running.
LANEFOLD_INLINE Best next_bounds(const HullFloats& h, const float* w, float* bound, std::uint32_t evaluated) {
    const WFloat x(w[0]), y(w[1]), z(w[2]);
    LANEFOLD_STAGE_LANES(h.faces, lanes_up(h.faces));
    const WInt done(static_cast<std::int32_t>(evaluated));
    if (h.faces <= kWidth) return next_bounds_unrolled<1>(h, x, y, z, bound, done);
    if constexpr (kUnrolled >= 4) {
        if (h.faces <= 2 * kWidth) return next_bounds_unrolled<2>(h, x, y, z, bound, done);
        if (h.faces <= 3 * kWidth) return next_bounds_unrolled<3>(h, x, y, z, bound, done);
        if (h.faces <= 4 * kWidth) return next_bounds_unrolled<4>(h, x, y, z, bound, done);
    }
    WFloat best(kLowest);
    WInt block(0);
    for (std::uint32_t i = 0; i < h.faces; i += kWidth) {
        const WFloat b = next_bound(h, i, x, y, z, bound, done);
        const WMask above = b > best;
        best = select(above, b, best);
        block = select(above, WInt(static_cast<std::int32_t>(i)), block);
    }
    return reduce_blocks(best, block);
}

// Element (i, j) of the rotation from the other hull to the searched one: r for A's faces, its transpose for B's.
template <bool kOnB>
LANEFOLD_INLINE float rotation_at(const PairRow& row, int i, int j) {
    return kOnB ? row.r[3 * j + i] : row.r[3 * i + j];
}

// Vertex v of the other hull in the frame of the searched one, as witness k.
template <bool kOnB>
LANEFOLD_INLINE void place_witness(const PairRow& row, const float* t, const HullFloats& other, std::uint32_t v,
                                   FaceSearch& state) {
    const float x = other.vx[v];
    const float y = other.vy[v];
    const float z = other.vz[v];
    state.last = state.witness_count < kMaxWitnesses ? state.witness_count++ : kMaxWitnesses - 1;
    float* w = state.witness[state.last];
    for (int i = 0; i < 3; ++i) {
        w[i] =
            ((rotation_at<kOnB>(row, i, 0) * x + rotation_at<kOnB>(row, i, 1) * y) + rotation_at<kOnB>(row, i, 2) * z) +
            t[i];
    }
}

template <bool kOnB>
LANEFOLD_INLINE void begin_face_search(const PairRow& row, const float* t, const HullFloats& faces,
                                       const HullFloats& other, std::uint32_t first_witness, float cut, float* bound,
                                       FaceSearch& state) {
    state.value = kLowest;
    state.face = 0;
    state.support = 0;
    state.cut = cut;
    state.witness_count = 0;
    place_witness<kOnB>(row, t, other, first_witness, state);
    const Best top = first_bounds(faces, state.witness[0], bound);
    state.top_value = top.value;
    state.top_face = top.index;
}

// Evaluates the face with the highest bound and takes its support as a witness.
template <bool kOnB>
LANEFOLD_INLINE void step_face_search(const PairRow& row, const float* t, const HullFloats& faces,
                                      const HullFloats& other, float* bound, FaceSearch& state) {
    const std::uint32_t f = state.top_face;
    const float nx = faces.nx[f];
    const float ny = faces.ny[f];
    const float nz = faces.nz[f];
    // Minus the rotated normal: the largest -m . v is minus the smallest m . v.
    float m[3];
    for (int j = 0; j < 3; ++j) {
        m[j] = -((rotation_at<kOnB>(row, 0, j) * nx + rotation_at<kOnB>(row, 1, j) * ny) +
                 rotation_at<kOnB>(row, 2, j) * nz);
    }
    const Best lowest = support(other, m[0], m[1], m[2]);
    const float value = (((nx * t[0] + ny * t[1]) + nz * t[2]) - faces.d[f]) - lowest.value;
    const bool better = value > state.value || (value == state.value && f < state.face);
    state.value = better ? value : state.value;
    state.face = better ? f : state.face;
    state.support = better ? lowest.index : state.support;
    state.cut = value > state.cut ? value : state.cut;
    place_witness<kOnB>(row, t, other, lowest.index, state);
    const Best top = next_bounds(faces, state.witness[state.last], bound, f);
    state.top_value = top.value;
    state.top_face = top.index;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
