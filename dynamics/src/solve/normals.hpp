// SPDX-License-Identifier: MIT
//
// The normals of a manifold: all closed points together by the same impulse each, then one after the other.
#pragma once

#include "solve/contact_block.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// What the normals of a manifold are solved for: per point the velocity that is wanted, and whether softly.
struct WNormals {
    WImpulseRow row[4];
    WFloat bias[4];
    WMask soft[4];    // only of points that overlap are some soft
    WMask closed[4];  // touches, pushed last time, or will touch
};

// A gap may close in this substep and no further; an overlap is taken back softly, or left alone. Notes how fast points
// close before they are pushed: what restitution gives back.
template <bool kBias, std::uint32_t kPoints>
LANEFOLD_INLINE WNormals find_normals(const SolverJob& job, const WContact& c, const WPush& push) {
    const WFloat zero = splat(0.0F);
    WNormals out;
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WArms arms = c.arms(c.block.get3(point_field(k, kPointArm)));
        out.row[k] = c.row(arms);
        const WFloat s = dot(arms.apart, c.n) + c.block.get(point_field(k, kPointSeparation));
        const WMask gap = s > zero;
        out.bias[k] = select(gap, s * splat(job.inverse_h), zero);
        out.soft[k] = ~gap;
        if constexpr (kBias)
            out.bias[k] = select(gap, out.bias[k], max(splat(job.soft.bias_rate) * s, splat(-job.push_speed)));
        const WFloat vn = push.along(c.n, out.row[k]);
        const WMask pushed = c.block.get(point_field(k, kPointImpulse)) > zero;
        out.closed[k] =
            (c.block.get(point_field(k, kPointMass)) > zero) & ((~gap | pushed) | (vn + out.bias[k] < zero));
        if constexpr (kBias)
            c.block.set(point_field(k, kPointVelocity), min(c.block.get(point_field(k, kPointVelocity)), vn));
    }
    return out;
}

// All closed points together, by the same impulse each: what stops the manifold as a whole does not turn it. Without
// this the points of a level face, solved one after the other, would tilt what falls on it, and a straight tower would
// sway. It minimises the same as the points do, softness included, or the two would shake what they hold.
template <bool kSoft, std::uint32_t kPoints>
LANEFOLD_INLINE void solve_mean(const WContact& c, const WNormals& normals, WPush& push) {
    const WFloat zero = splat(0.0F), one = splat(1.0F);
    const WVec3 none{zero, zero, zero};
    WVec3 sum_a = none, sum_b = none;
    WFloat count = zero, wanted = zero, compliance = zero, least = splat(kHighest);
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WMask m = normals.closed[k];
        const WFloat p = c.block.get(point_field(k, kPointImpulse));
        sum_a = sum_a + select(m, normals.row[k].moment_a, none);
        sum_b = sum_b + select(m, normals.row[k].moment_b, none);
        count = count + select(m, one, zero);
        if constexpr (kSoft) {
            // (1 / mass + yield) dp = -(v + bias) - yield p is what a point alone solves.
            const WFloat yield = select(normals.soft[k], c.block.get(point_field(k, kPointYield)), zero);
            wanted = wanted + select(m, normals.bias[k] + yield * p, zero);
            compliance = compliance + select(m, yield, zero);
        } else {
            wanted = wanted + select(m, normals.bias[k], zero);
        }
        least = select(m, min(least, p), least);
    }
    // A single one is solved by itself.
    const WMask several = count > one;
    const WFloat share = inverse_or_zero(count);
    // The moment of the mean arm is the mean of the moments.
    const WImpulseRow mean = WImpulseRow::of(c.a, c.b, sum_a * share, sum_b * share);
    const WFloat vn = push.along(c.n, mean);
    // No point may pull.
    const WFloat each =
        max(negate((count * vn + wanted) * inverse_or_zero(count * count * mean.gain(c.a, c.b) + compliance)),
            negate(least));
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const std::uint32_t field = point_field(k, kPointImpulse);
        const WFloat p = c.block.get(field);
        c.block.set(field, select(normals.closed[k] & several, max(p + each, zero), p));
    }
    WPush together = push;
    together.apply(c.a, c.b, c.n, mean, each * count);
    push.keep(several, together);
}

template <bool kSoft>
LANEFOLD_INLINE void solve_point(const SolverJob& job, const WContact& c, const WNormals& normals, std::uint32_t k,
                                 WPush& push) {
    const WFloat vn = push.along(c.n, normals.row[k]);
    const WFloat before = c.block.get(point_field(k, kPointImpulse));
    WFloat mass = c.block.get(point_field(k, kPointMass));
    WFloat given = splat(0.0F);  // what a soft point gives back of what it has
    if constexpr (kSoft) {
        mass = mass * select(normals.soft[k], splat(job.soft.mass_scale), splat(1.0F));
        given = select(normals.soft[k], splat(job.soft.impulse_scale), splat(0.0F)) * before;
    }
    const WFloat after = max(before - (mass * (vn + normals.bias[k]) + given), splat(0.0F));
    c.block.set(point_field(k, kPointImpulse), after);
    c.block.set(point_field(k, kPointPeak), max(c.block.get(point_field(k, kPointPeak)), after));
    push.apply(c.a, c.b, c.n, normals.row[k], after - before);
}

template <bool kBias, std::uint32_t kPoints>
LANEFOLD_INLINE void solve_normals(const SolverJob& job, const WContact& c, WPush& push) {
    const WNormals normals = find_normals<kBias, kPoints>(job, c, push);
    if constexpr (kPoints > 1) solve_mean<kBias, kPoints>(c, normals, push);
    for (std::uint32_t k = 0; k < kPoints; ++k) solve_point<kBias>(job, c, normals, k, push);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
