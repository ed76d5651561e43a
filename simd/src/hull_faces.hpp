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

// The bounds of the faces of one vector, from i on, which at(i) also writes.

// From the first witness.
struct FirstBounds {
    const HullFloats& h;
    WFloat x, y, z;
    float* bound;

    LANEFOLD_INLINE WFloat at(std::uint32_t i) const {
        const WFloat b = plane_distance(h, i, x, y, z);
        b.store(bound + i);
        return b;
    }
};

LANEFOLD_INLINE WFloat leave_out(std::uint32_t i, WInt face, WFloat b) {
    return select(WInt::iota() == face + WInt(-static_cast<std::int32_t>(i)), splat(kLowest), b);
}

// Tightened by another witness; face `evaluated` is out of the running.
struct NextBounds {
    const HullFloats& h;
    WFloat x, y, z;
    float* bound;
    WInt evaluated;

    LANEFOLD_INLINE WFloat at(std::uint32_t i) const {
        const WFloat b = leave_out(i, evaluated, min(plane_distance(h, i, x, y, z), WFloat::load(bound + i)));
        b.store(bound + i);
        return b;
    }
};

// From two witnesses; face `evaluated` (-1: none) is out of the running.
struct TwoBounds {
    const HullFloats& h;
    WFloat x, y, z;
    WFloat x2, y2, z2;
    float* bound;
    WInt evaluated;

    LANEFOLD_INLINE WFloat at(std::uint32_t i) const {
        const WFloat both = min(plane_distance(h, i, x, y, z), plane_distance(h, i, x2, y2, z2));
        const WFloat b = leave_out(i, evaluated, both);
        b.store(bound + i);
        return b;
    }
};

template <class Bounds>
struct BoundsScan {
    const Bounds& bounds;

    template <std::uint32_t N>
    LANEFOLD_INLINE Best of() const {
        WFloat v[N];
        for (std::uint32_t k = 0; k < N; ++k) v[k] = bounds.at(k * kWidth);
        return reduce_vectors<N>(v);
    }
};

// Writes all bounds; the face with the highest.
template <class Bounds>
LANEFOLD_INLINE Best highest_bound(const Bounds& bounds) {
    const std::uint32_t faces = bounds.h.faces;
    LANEFOLD_STAGE_LANES(faces, lanes_up(faces));
    if (faces <= kUnrolled * kWidth) return unrolled<1>(faces, BoundsScan<Bounds>{bounds});
    WFloat best(kLowest);
    WInt block(0);
    for (std::uint32_t i = 0; i < faces; i += kWidth) {
        const WFloat b = bounds.at(i);
        const WMask above = b > best;
        best = select(above, b, best);
        block = select(above, WInt(static_cast<std::int32_t>(i)), block);
    }
    return reduce_blocks(best, block);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
