// SPDX-License-Identifier: MIT
//
// Scans over the faces of one hull, lanes = faces: upper bounds of their separations from a point of the other hull
// (hull_face_search.hpp says what for).
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

struct FirstBoundsScan {
    const HullFloats& h;
    WFloat x, y, z;
    float* bound;

    template <std::uint32_t N>
    LANEFOLD_INLINE Best of() const {
        WFloat v[N];
        for (std::uint32_t k = 0; k < N; ++k) {
            v[k] = plane_distance(h, k * kWidth, x, y, z);
            v[k].store(bound + k * kWidth);
        }
        return reduce_vectors<N>(v);
    }
};

// Bounds from two witnesses where face `evaluated` (any other number: none) is out of the running.
struct TwoBoundsScan {
    const HullFloats& h;
    const float* w;
    const float* w2;
    float* bound;
    WInt evaluated;

    LANEFOLD_INLINE WFloat at(std::uint32_t i) const {
        const WFloat b = min(plane_distance(h, i, splat(w[0]), splat(w[1]), splat(w[2])),
                             plane_distance(h, i, splat(w2[0]), splat(w2[1]), splat(w2[2])));
        const WMask done = WInt::iota() == evaluated + WInt(-static_cast<std::int32_t>(i));
        const WFloat r = select(done, splat(kLowest), b);
        r.store(bound + i);
        return r;
    }

    template <std::uint32_t N>
    LANEFOLD_INLINE Best of() const {
        WFloat v[N];
        for (std::uint32_t k = 0; k < N; ++k) v[k] = at(k * kWidth);
        return reduce_vectors<N>(v);
    }
};

struct NextBoundsScan {
    const HullFloats& h;
    WFloat x, y, z;
    float* bound;
    WInt evaluated;

    template <std::uint32_t N>
    LANEFOLD_INLINE Best of() const {
        WFloat v[N];
        for (std::uint32_t k = 0; k < N; ++k) v[k] = next_bound(h, k * kWidth, x, y, z, bound, evaluated);
        return reduce_vectors<N>(v);
    }
};

// Bounds of all faces from the first witness; the face with the highest.
LANEFOLD_INLINE Best first_bounds(const HullFloats& h, const float* w, float* bound) {
    const WFloat x(w[0]), y(w[1]), z(w[2]);
    LANEFOLD_STAGE_LANES(h.faces, lanes_up(h.faces));
    if (h.faces <= kUnrolled * kWidth) return unrolled<1>(h.faces, FirstBoundsScan{h, x, y, z, bound});
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
    if (h.faces <= kUnrolled * kWidth) return unrolled<1>(h.faces, NextBoundsScan{h, x, y, z, bound, done});
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

// First bounds, from the two witnesses that the pair cache knows.
LANEFOLD_INLINE Best two_bounds(const HullFloats& h, const float* w, const float* w2, float* bound,
                                std::int32_t evaluated) {
    const TwoBoundsScan scan = {h, w, w2, bound, WInt(evaluated)};
    LANEFOLD_STAGE_LANES(h.faces, lanes_up(h.faces));
    if (h.faces <= kUnrolled * kWidth) return unrolled<1>(h.faces, scan);
    WFloat best(kLowest);
    WInt block(0);
    for (std::uint32_t i = 0; i < h.faces; i += kWidth) {
        const WFloat b = scan.at(i);
        const WMask above = b > best;
        best = select(above, b, best);
        block = select(above, WInt(static_cast<std::int32_t>(i)), block);
    }
    return reduce_blocks(best, block);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
