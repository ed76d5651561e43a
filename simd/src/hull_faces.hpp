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
#pragma once

#include "chunk_scratch_impl.hpp"
#include "point.hpp"
#include "support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline constexpr float kLowest = -3.402823466e+38F;

// Witness k: bounds of all faces, kept for the arc test while k < kMaxWitnesses. `skip` was just evaluated.
// Returns the face with the highest bound so far.
LANEFOLD_INLINE Best add_witness(const HullFloats& h, const Point& w, float* bound, float* plane_distance,
                                 std::uint32_t stride, std::uint32_t k, std::uint32_t skip) {
    const WFloat x(w.x), y(w.y), z(w.z);
    const WFloat lowest(kLowest);
    const std::uint32_t n = lanes_up(h.faces);
    WFloat best(kLowest);
    WInt block(0);
    const WInt iota = WInt::iota();
    float* kept = plane_distance + k * stride;
    for (std::uint32_t i = 0; i < n; i += kWidth) {
        const WFloat p = ((WFloat::load(h.nx + i) * x + WFloat::load(h.ny + i) * y) + WFloat::load(h.nz + i) * z) -
                         WFloat::load(h.d + i);
        if (k < kMaxWitnesses) p.store(kept + i);
        WFloat b = p;
        if (k != 0) {
            b = min(p, WFloat::load(bound + i));
            const WMask evaluated = iota == WInt(static_cast<std::int32_t>(skip) - static_cast<std::int32_t>(i));
            b = select(evaluated, lowest, b);
        }
        b.store(bound + i);
        const WMask above = b > best;
        best = select(above, b, best);
        block = select(above, WInt(static_cast<std::int32_t>(i)), block);
    }
    return reduce_best(best, block, n == kWidth);
}

struct FaceOptimum {
    float value;
    std::uint32_t face;
    std::uint32_t support;  // vertex of the other hull
};

// The best face of `faces` against `other`. `r`, `t` take a point of `other` into the frame of `faces`:
// x = r v + t (r row-major). Stops early once a value exceeds `limit`: the pair is separated by more. Faces
// whose value cannot reach `cut` are not evaluated. `witnesses` counts those kept in plane_distance.
LANEFOLD_INLINE FaceOptimum search_faces(const HullFloats& faces, const HullFloats& other, const float* r,
                                         const float* t, std::uint32_t first_witness, float cut, float limit,
                                         float slack, float* bound, float* plane_distance, std::uint32_t stride,
                                         std::uint32_t& witnesses, std::uint64_t& evaluated) {
    FaceOptimum best = {kLowest, 0, 0};
    std::uint32_t k = 0;
    std::uint32_t witness = first_witness;
    std::uint32_t skip = 0;
    for (;;) {
        const float vx = other.vx[witness];
        const float vy = other.vy[witness];
        const float vz = other.vz[witness];
        const Point w = {((r[0] * vx + r[1] * vy) + r[2] * vz) + t[0], ((r[3] * vx + r[4] * vy) + r[5] * vz) + t[1],
                         ((r[6] * vx + r[7] * vy) + r[8] * vz) + t[2]};
        const Best top = add_witness(faces, w, bound, plane_distance, stride, k, skip);
        if (k < kMaxWitnesses) ++k;
        if (!(top.value >= cut - slack)) break;

        const std::uint32_t f = top.index;
        const float nx = faces.nx[f];
        const float ny = faces.ny[f];
        const float nz = faces.nz[f];
        // -(r^T n): the largest -m . v is minus the smallest m . v.
        const float mx = -((r[0] * nx + r[3] * ny) + r[6] * nz);
        const float my = -((r[1] * nx + r[4] * ny) + r[7] * nz);
        const float mz = -((r[2] * nx + r[5] * ny) + r[8] * nz);
        const Best lowest = support(other, mx, my, mz);
        const float value = (((nx * t[0] + ny * t[1]) + nz * t[2]) - faces.d[f]) - lowest.value;
        ++evaluated;
        if (value > best.value || (value == best.value && f < best.face)) best = {value, f, lowest.index};
        if (value > limit) break;
        if (value > cut) cut = value;
        witness = lowest.index;
        skip = f;
    }
    witnesses = k;
    return best;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
