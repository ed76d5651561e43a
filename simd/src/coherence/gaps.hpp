// SPDX-License-Identifier: MIT
//
// The gaps of a certified best face (coherence/certified_optima.hpp): how far below it the other faces and arcs are, in
// 32 bits of its certificate.
//
// How far faces and arcs come up to the best face depends on the vertices that hold them down: the witnesses of both
// searches. These are mostly near the support v of the best face, so they move less than the hulls' centres where one
// hull rocks on the other. A point at a distance R from v moves by at most s + rho R, where s is the motion of v and
// rho that of the rotation. The motion of v is the same seen from either hull: it is the distance between v and the
// place of the other hull where v was. So the certificate has a lever R for each hull's faces, from v to the furthest
// witness.
#pragma once

#include "coherence/certificates.hpp"
#include "search/faces.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// sigma, in (size A + size B).
inline constexpr float kOptimumSlack = 8.0F * kPruneSlack;

// In sizes of the smaller hull: where bodies move by more, so many faces and edges are candidates that a certificate
// costs more than it spares.
inline constexpr float kMostReach = 0.02F;

// Gaps are multiples of a part of the largest reach, levers of a part of the radius of the hull that has the
// witnesses. Finer ones let certificates hold a little longer.
inline constexpr float kGapSteps = 4096.0F;
inline constexpr float kLeverSteps = 8.0F;
inline constexpr std::uint32_t kMostGap = 4095;
inline constexpr std::uint32_t kNoLever = 16;  // steps; the motion of the hulls' centres tells
// In radii: longer than any lever of a pair whose centres are near enough for float32.
inline constexpr float kLongLever = 1e6F;
// Rounding of a lever's computation, relative.
inline constexpr float kLeverRoom = 1.0F + 1e-4F;

// How far a certificate may be turned, as a multiple of the rotation that moves all of a hull by its gap. A larger
// one keeps more edges.
inline constexpr float kMostTurn = 2.0F;

// The unit of gaps.
template <class Float>
LANEFOLD_INLINE Float gap_unit(Float size_sum, Float size_min) {
    return (size_min * Float(kMostReach) + size_sum * Float(2.0F * kOptimumSlack)) * Float(1.0F / kGapSteps);
}

// The gaps that a search of a member proves. `packed`: the gaps in the bits of Certificate::distance, or 0 if
// they are not worth a certificate.
struct FaceGaps {
    std::uint32_t packed;
    float own, other;         // m, n
    float lever;              // of the witnesses of the best face's hull's faces
    std::uint32_t runner[2];  // left out of them: of the best face's hull, of the other one
};

LANEFOLD_INLINE std::uint32_t lever_steps(float lever, float radius) {
    const float steps = lever * kLeverRoom * kLeverSteps / radius;
    return steps < static_cast<float>(kNoLever - 1) ? static_cast<std::uint32_t>(steps) + 1 : kNoLever;
}

LANEFOLD_INLINE float length_of(Quad q) { return __builtin_sqrtf((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]); }

// From a point in the frame of a search's faces to its furthest witness. `radius`: of the hull of the witnesses.
LANEFOLD_INLINE float lever_of(const FaceSearch& s, Quad point, float radius) {
    if (s.lost_witnesses != 0) return length_of(load_quad(s.to_faces->t) - point) + radius;
    float lever = 0.0F;
    for (std::uint32_t k = 0; k < s.witness_count; ++k) {
        const float distance = length_of(witness_at(s, s.witness[k].vertex) - point);
        lever = lever < distance ? distance : lever;
    }
    return lever;
}

// Writes the gaps m and n, both rounded down, if they are worth a certificate. `levers`: steps.
LANEFOLD_INLINE void pack_gaps(float m, float n, const std::uint32_t* levers, float unit, float sigma, FaceGaps& gaps) {
    if (!(m > sigma && n > sigma)) return;
    const float most = static_cast<float>(kMostGap);
    const float steps_m = m / unit;
    const float steps_n = n / unit;
    const auto of_m = static_cast<std::uint32_t>(steps_m < most ? steps_m : most);
    const auto of_n = static_cast<std::uint32_t>(steps_n < most ? steps_n : most);
    gaps.packed = of_m << 20 | of_n << 8 | (levers[0] - 1) << 4 | (levers[1] - 1);
    gaps.own = static_cast<float>(of_m) * unit;
    gaps.other = static_cast<float>(of_n) * unit;
}

// The gaps of a certificate of a best face, lanes = pairs.
struct LaneGaps {
    WMask of_face;  // the certificate is of a best face
    WMask on_b;
    WFloat own, other;              // m, n
    WFloat own_lever, other_lever;  // in radii of the hull of the witnesses

    LANEFOLD_INLINE static LaneGaps of(const LaneCertificate& c, WFloat unit) {
        const WInt all = bit_cast_int(c.distance);
        const WInt zero(0);
        const auto lever = [&](WInt bits) {
            const WInt steps = (bits & WInt(15)) + WInt(1);
            return select(steps == WInt(std::int32_t{kNoLever}), splat(kLongLever),
                          to_float(steps) * splat(1.0F / kLeverSteps));
        };
        return {c.what < zero,
                ~((c.what & WInt(static_cast<std::int32_t>(kCertifiedOnB))) == zero),
                to_float(shift_right_logical(all, 20)) * unit,
                to_float(shift_right_logical(all, 8) & WInt(std::int32_t{kMostGap})) * unit,
                lever(shift_right_logical(all, 4)),
                lever(all)};
    }
};

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
