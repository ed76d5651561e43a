// SPDX-License-Identifier: MIT
//
// The normals of a manifold: all closed points together by the same impulse each, then one after the other.
#pragma once

#include "solve/contact_block.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// An iteration takes overlap back (bias), takes out the velocity that this has put in (relax), or gives back the
// velocity that restitution leaves (bounce).
enum class Solve { bias, relax, bounce };

// Per point of a manifold: the velocity to solve for, and whether softly.
struct WNormals {
    WImpulseRow row[4];
    WFloat gain[4];  // velocity by a unit impulse, with the present inertia; 0: no point
    WFloat bias[4];
    WFloat most[4];   // largest impulse; only for Solve::bounce
    WMask soft[4];    // the point overlaps
    WMask closed[4];  // touches, pushed last time, or will touch
};

// A gap may close in this substep and no further; an overlap is taken back softly, or left alone. Notes how fast points
// close before their manifold pushes, because restitution gives that back. Once one point has pushed, the others close
// with a velocity that the body did not come with, and giving it back would make energy.
template <Solve kFor, std::uint32_t kPoints>
LANEFOLD_INLINE WNormals find_normals(const SolverJob& job, const WContact& c, const WVelocities& velocities) {
    const WFloat zero = splat(0.0F);
    WNormals out;
    WMask fresh = ~no_lanes();
    for (std::uint32_t k = 0; k < kPoints; ++k) fresh = fresh & ~(c.block.get(point_field(k, kPointTotal)) > zero);
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WArms arms = c.point_arms(k);
        out.row[k] = c.row(arms);
        const WMask there = c.block.get(point_field(k, kPointExists)) > zero;
        out.gain[k] = select(there, out.row[k].gain(c.a, c.b), zero);
        const WFloat s = dot(arms.apart, c.n) + c.block.get(point_field(k, kPointSeparation));
        const WMask gap = s > zero;
        out.bias[k] = select(gap, s * splat(job.inverse_h), zero);
        out.soft[k] = ~gap;
        if constexpr (kFor == Solve::bias)
            out.bias[k] = select(gap, out.bias[k], max(splat(job.soft.bias_rate) * s, splat(-job.push_speed)));
        const WFloat vn = velocities.along(c.n, out.row[k]);
        const WMask pushed = c.block.get(point_field(k, kPointImpulse)) > zero;
        out.closed[k] = there & ((~gap | pushed) | (vn + out.bias[k] < zero));
        if constexpr (kFor == Solve::bias) {
            const WFloat noted = c.block.get(point_field(k, kPointVelocity));
            c.block.set(point_field(k, kPointVelocity), select(fresh, min(noted, vn), noted));
        }
    }
    return out;
}

// Solves all closed points together, by the same impulse each: it stops the manifold as a whole and does not turn it.
// Without this the points of a level face, solved one after the other, would tilt a body that falls on it, and a
// straight tower would sway. It minimises the same as the points do, softness included, or bodies would shake.
template <Solve kFor, std::uint32_t kPoints>
LANEFOLD_INLINE void solve_mean(const SolverJob& job, const WContact& c, const WNormals& normals,
                                WVelocities& velocities) {
    const WFloat zero = splat(0.0F), one = splat(1.0F);
    const WVec3 none{zero, zero, zero};
    WVec3 sum_a = none, sum_b = none;
    WFloat count = zero, wanted = zero, compliance = zero, least = splat(kHighest), room = splat(kHighest);
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WMask m = normals.closed[k];
        const WFloat p = c.block.get(point_field(k, kPointImpulse));
        sum_a = sum_a + select(m, normals.row[k].moment_a, none);
        sum_b = sum_b + select(m, normals.row[k].moment_b, none);
        count = count + select(m, one, zero);
        if constexpr (kFor == Solve::bias) {
            // A point alone solves (1 / mass + yield) dp = -(v + bias) - yield p.
            const WFloat yield = select(normals.soft[k], normals.gain[k] * splat(job.soft.yield), zero);
            wanted = wanted + select(m, normals.bias[k] + yield * p, zero);
            compliance = compliance + select(m, yield, zero);
        } else {
            wanted = wanted + select(m, normals.bias[k], zero);
        }
        least = select(m, min(least, p), least);
        if constexpr (kFor == Solve::bounce) room = select(m, min(room, normals.most[k] - p), room);
    }
    // A single one is solved by itself.
    const WMask several = count > one;
    const WFloat share = inverse_or_zero(count);
    // The moment of the mean arm is the mean of the moments.
    const WImpulseRow mean = WImpulseRow::of(c.a, c.b, sum_a * share, sum_b * share);
    const WFloat vn = velocities.along(c.n, mean);
    // No point may pull.
    WFloat each = max(negate((count * vn + wanted) * inverse_or_zero(count * count * mean.gain(c.a, c.b) + compliance)),
                      negate(least));
    if constexpr (kFor == Solve::bounce) each = min(each, room);
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const std::uint32_t field = point_field(k, kPointImpulse);
        const WFloat p = c.block.get(field);
        c.block.set(field, select(normals.closed[k] & several, max(p + each, zero), p));
    }
    WVelocities together = velocities;
    together.apply(c.a, c.b, c.n, mean, each * count);
    velocities.assign(several, together);
}

template <Solve kFor>
LANEFOLD_INLINE void solve_point(const SolverJob& job, const WContact& c, const WNormals& normals, std::uint32_t k,
                                 WVelocities& velocities) {
    const WFloat vn = velocities.along(c.n, normals.row[k]);
    const WFloat before = c.block.get(point_field(k, kPointImpulse));
    WFloat mass = inverse_or_zero(normals.gain[k]);
    WFloat given = splat(0.0F);  // a soft point gives back a share of its impulse
    if constexpr (kFor == Solve::bias) {
        mass = mass * select(normals.soft[k], splat(job.soft.mass_scale), splat(1.0F));
        given = select(normals.soft[k], splat(job.soft.impulse_scale), splat(0.0F)) * before;
    }
    WFloat after = max(before - (mass * (vn + normals.bias[k]) + given), splat(0.0F));
    if constexpr (kFor == Solve::bounce) after = min(after, normals.most[k]);
    c.block.set(point_field(k, kPointImpulse), after);
    // The impulse of a substep is that of its relaxing iteration.
    if constexpr (kFor == Solve::relax)
        c.block.set(point_field(k, kPointTotal), c.block.get(point_field(k, kPointTotal)) + after);
    velocities.apply(c.a, c.b, c.n, normals.row[k], after - before);
}

template <Solve kFor, std::uint32_t kPoints>
LANEFOLD_INLINE void solve_normals(const SolverJob& job, const WContact& c, WVelocities& velocities) {
    const WNormals normals = find_normals<kFor, kPoints>(job, c, velocities);
    if constexpr (kPoints > 1) solve_mean<kFor, kPoints>(job, c, normals, velocities);
    for (std::uint32_t k = 0; k < kPoints; ++k) solve_point<kFor>(job, c, normals, k, velocities);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
