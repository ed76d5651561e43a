// SPDX-License-Identifier: MIT
//
// The normals of a manifold as a block of up to four points: each point's velocity answers to the impulses of all.
#pragma once

#include "solve/contact_block.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// An iteration takes overlap back (bias), or takes out the velocity that this has put in (relax).
enum class Solve { bias, relax };

// Sweeps over the points of a manifold in one iteration. Fewer leave a spin where a level face lands off its middle;
// a sweep costs little beside loading the bodies.
inline constexpr int kPointSweeps = 4;
// Sweeps end where none changes a velocity by this share of gravity's gain in two substeps: at rest, after one or two.
inline constexpr float kSettled = 1e-5F;

// The points of a manifold: impulses p >= 0 are sought so that v + gain p + yield p >= 0, and = 0 where p > 0.
template <std::uint32_t kPoints>
struct WNormals {
    WImpulseRow row[kPoints];
    WFloat gain[kPoints][kPoints];  // velocity of one point by a unit impulse at another; 0: no point
    WFloat velocity[kPoints];       // along the normal, over what is allowed, under the impulses as they are
    WFloat yield[kPoints];          // velocity that a unit impulse gives way by: a soft point
    WFloat before[kPoints];         // impulses at the begin
    WFloat impulse[kPoints];
    WMask closed[kPoints];  // touches, pushed last time, or will touch

    LANEFOLD_INLINE void find_gains(const WContact& c, const WMask* there) {
        const WFloat zero = splat(0.0F), linear = c.a.inverse_mass + c.b.inverse_mass;
        for (std::uint32_t i = 0; i < kPoints; ++i) {
            for (std::uint32_t j = 0; j <= i; ++j) {
                const WFloat turning = dot(row[i].moment_a, row[j].spin_a) + dot(row[i].moment_b, row[j].spin_b);
                gain[i][j] = gain[j][i] = select(there[i] & there[j], linear + turning, zero);
            }
        }
    }
    // Changes the impulse of a point.
    LANEFOLD_INLINE void add(std::uint32_t k, WFloat change) {
        for (std::uint32_t j = 0; j < kPoints; ++j) velocity[j] = velocity[j] + gain[j][k] * change;
    }
    // Solves all closed points together, by the same impulse each: it stops the manifold as a whole and does not turn
    // it. Without this the points of a level face, solved one after the other, would tilt a body that falls on it, and
    // a straight tower would sway. It minimises the same as the points do, softness included, or bodies would shake.
    LANEFOLD_INLINE void solve_mean() {
        const WFloat zero = splat(0.0F), one = splat(1.0F);
        WFloat count = zero, wanted = zero, answer = zero, least = splat(kHighest);
        WFloat together[kPoints];
        for (std::uint32_t k = 0; k < kPoints; ++k) {
            const WMask m = closed[k];
            together[k] = zero;
            for (std::uint32_t j = 0; j < kPoints; ++j) together[k] = together[k] + select(closed[j], gain[k][j], zero);
            count = count + select(m, one, zero);
            wanted = wanted + select(m, velocity[k] + yield[k] * impulse[k], zero);
            answer = answer + select(m, together[k] + yield[k], zero);
            least = select(m, min(least, impulse[k]), least);
        }
        // A single one is solved by itself. No point may pull.
        const WMask several = count > one;
        const WFloat each = select(several, max(negate(wanted * inverse_or_zero(answer)), negate(least)), zero);
        for (std::uint32_t k = 0; k < kPoints; ++k) {
            impulse[k] = select(closed[k] & several, max(impulse[k] + each, zero), impulse[k]);
            velocity[k] = velocity[k] + together[k] * each;
        }
    }
    // Point after point. A manifold is done when a sweep changes no velocity by more than what is settled, as most are
    // after one, and one of a single point always.
    LANEFOLD_INLINE void solve_points(const WBlock& block, float settled) {
        WFloat mass[kPoints];
        for (std::uint32_t k = 0; k < kPoints; ++k) mass[k] = inverse_or_zero(gain[k][k] + yield[k]);
        WMask moves = ~no_lanes(), several = no_lanes();
        if constexpr (kPoints > 1) several = block.get(point_field(1, kPointExists)) > splat(0.0F);
        for (int sweep = 0; sweep < (kPoints > 1 ? kPointSweeps : 1) && any(moves); ++sweep) {
            WMask moved = no_lanes();
            for (std::uint32_t k = 0; k < kPoints; ++k) {
                const WFloat old = impulse[k];
                const WFloat solved = max(old - mass[k] * (velocity[k] + yield[k] * old), splat(0.0F));
                impulse[k] = select(moves, solved, old);
                const WFloat change = impulse[k] - old;
                add(k, change);
                moved = moved | (abs(change) * gain[k][k] > splat(settled));
            }
            moves = moved & several;
        }
    }
    // Gives the bodies what the impulses have changed. A point that a lane lacks adds 0, which changes no velocity,
    // because none is -0 (MotionRow).
    template <class Contact>
    LANEFOLD_INLINE void apply(const Contact& c, WVelocities& velocities) const {
        for (std::uint32_t k = 0; k < kPoints; ++k) velocities.apply(c.a, c.b, c.n, row[k], impulse[k] - before[k]);
    }
};

// The velocity that overlap is taken back with, negative; a gap's is the one that it closes with.
LANEFOLD_INLINE WFloat contact_bias(const SolverJob& job, WFloat separation) {
    return select(separation > splat(0.0F), separation * splat(job.inverse_h),
                  max(splat(job.soft.bias_rate) * separation, splat(-job.push_speed)));
}

// A gap may close in this substep and no further; an overlap is taken back softly, or left alone. After the motion, a
// gap that bounces when it closes is left to the strike of the next substep, which has to see how fast it closes.
template <Solve kFor, std::uint32_t kPoints>
LANEFOLD_INLINE WNormals<kPoints> find_normals(const SolverJob& job, const WContact& c, const WVelocities& velocities) {
    const WFloat zero = splat(0.0F);
    WNormals<kPoints> out;
    const WMask bounces = c.block.get(kRestitution) > zero;
    WMask there[kPoints], gap[kPoints];
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WArms arms = c.point_arms(k);
        out.row[k] = c.row(arms);
        there[k] = c.block.get(point_field(k, kPointExists)) > zero;
        const WFloat s = dot(arms.apart, c.n) + c.block.get(point_field(k, kPointSeparation));
        gap[k] = s > zero;
        WFloat bias = contact_bias(job, s);
        if constexpr (kFor == Solve::relax) bias = select(gap[k], bias, zero);
        out.velocity[k] = velocities.along(c.n, out.row[k]) + bias;
        out.before[k] = out.impulse[k] = c.block.get(point_field(k, kPointImpulse));
        if constexpr (kFor == Solve::relax) there[k] = there[k] & ~((bounces & gap[k]) & ~(out.impulse[k] > zero));
        out.closed[k] = there[k] & ((~gap[k] | (out.impulse[k] > zero)) | (out.velocity[k] < zero));
    }
    out.find_gains(c, there);
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        if constexpr (kFor == Solve::relax) {
            out.yield[k] = zero;
        } else {
            out.yield[k] = select(gap[k], zero, out.gain[k][k] * splat(job.soft.yield));
        }
    }
    return out;
}

// Counts the push of an impact, with which a substep begins.
LANEFOLD_INLINE void count_strike(const WBlock& block, WFloat strike) {
    const WFloat zero = splat(0.0F);
    block.set(kPushed, block.get(kPushed) + strike);
    block.set(kPushedAfter, select(strike > zero, splat(-1.0F), block.get(kPushedAfter)));
}
// Counts what a manifold has pushed in a substep, at its end.
LANEFOLD_INLINE void count_push(const WBlock& block, WFloat given) {
    const WFloat zero = splat(0.0F), one = splat(1.0F);
    const WFloat all = block.get(kPushed) + given;
    block.set(kPushed, all);
    block.set(kPushedBefore, block.get(kPushedBefore) + select(all > zero, zero, one));
    block.set(kPushedAfter, select(given > zero, zero, block.get(kPushedAfter) + one));
}

// Impulses that the next substep begins with: what bears a load, but not what stopped a body. Handed out again, that
// would throw the body back, and where it turns fast the arms at which it is taken back are no longer those at which it
// was given. A load grows by gravity's gain of a substep, or where contacts are tight (tight.hpp) to twice what it was;
// the rest is forgotten, and the same share of friction.
template <std::uint32_t kPoints>
LANEFOLD_INLINE void remember(const SolverJob& job, const WContact& c, const WNormals<kPoints>& normals) {
    WFloat given = splat(0.0F), kept = splat(0.0F);
    const WMask tight = c.block.get(kTight) > splat(0.0F);
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WFloat before = c.block.get(point_field(k, kPointBefore));
        const WFloat most =
            (before + select(tight, before, splat(0.0F))) + splat(job.load_speed) * inverse_or_zero(normals.gain[k][k]);
        const WFloat load = min(normals.impulse[k], most);
        c.block.set(point_field(k, kPointImpulse), load);
        given = given + normals.impulse[k];
        kept = kept + load;
    }
    count_push(c.block, given);
    // A push may be denormal where nothing weighs, and its inverse infinite.
    const WFloat inverse = min(inverse_or_zero(given), splat(kHighest));
    const WFloat share = select(kept < given, kept * inverse, splat(1.0F));
    for (std::uint32_t f = kTangentImpulse; f <= kTwistImpulse; ++f) c.block.set(f, c.block.get(f) * share);
}

template <Solve kFor, std::uint32_t kPoints>
LANEFOLD_INLINE void solve_normals(const SolverJob& job, const WContact& c, WVelocities& velocities) {
    WNormals<kPoints> normals = find_normals<kFor, kPoints>(job, c, velocities);
    if constexpr (kPoints > 1) normals.solve_mean();
    normals.solve_points(c.block, kSettled * job.load_speed);
    normals.apply(c, velocities);
    if constexpr (kFor == Solve::relax) return remember<kPoints>(job, c, normals);
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        c.block.set(point_field(k, kPointBefore), normals.before[k]);
        c.block.set(point_field(k, kPointImpulse), normals.impulse[k]);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
