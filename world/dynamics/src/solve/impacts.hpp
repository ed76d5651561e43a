// SPDX-License-Identifier: MIT
//
// Impacts. Before a substep accelerates, the points that will close in it fast are struck: one problem of all of their
// manifolds, and of what lies under them, from no impulse on. It is solved where the bodies are before they touch, with
// velocities that no other impulse has changed, so that Newton's rule gives no energy: points that close with v part
// with e v or faster, those that push with exactly that. (At the end of the step, where a body had turned since it was
// hit, the same rule gave up to half of its energy on top.) No strike is handed out again as warm start: a heavy body
// that was stopped through light ones in between would be thrown back by what has stopped it.
//
// Points are found by all tasks; one solves what was found, colour after colour, because most substeps have few such
// points or none.
#pragma once

#include "solve/friction.hpp"
#include "solve/swept.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Points that one strike makes close are struck in the next round; those that still close then stop without a bounce.
inline constexpr int kStrikeRounds = 8;
// Sweeps of a round over kMostReached contacts, over few ones, and the share of WorldSettings' least impact that is
// settled. A body of a hundred times the mass is stopped through ten others by some 150 sweeps; with 20 it went on with
// half of its speed, crushed them, and was lifted again.
inline constexpr int kStrikeSweeps = 20;
inline constexpr int kMostStrikeSweeps = 200;
inline constexpr float kStrikeSettled = 1e-5F;
// A point that would just touch at the end of the substep is struck in it, and not stopped by what follows.
inline constexpr float kEarly = 1.01F;
// Values of kStruck: no point of the manifold is struck (0), or some, and they part again or stop.
inline constexpr float kStruckStops = 1;
inline constexpr float kStruckBounces = 2;

// Relative acceleration of the bodies along the normal: gravity takes those that can move.
LANEFOLD_INLINE WFloat fall_along(const SolverJob& job, const WContact& c) {
    const WFloat zero = splat(0.0F), one = splat(1.0F);
    const WVec3 g{splat(job.gravity[0]), splat(job.gravity[1]), splat(job.gravity[2])};
    const WFloat a = select(c.a.inverse_mass > zero, one, zero), b = select(c.b.inverse_mass > zero, one, zero);
    return dot(g, c.n) * (b - a);
}

// Closing speed from which a point is struck.
LANEFOLD_INLINE WFloat least_impact(const SolverJob& job, WMask bounces) {
    return select(bounces, splat(job.restitution_threshold), splat(job.impact_speed));
}

// The lanes of which a point may close as fast as an impact: a bound, because in most substeps none does. A body that
// falls on what cannot move needs no strike, unless it bounces: one iteration stops it.
LANEFOLD_INLINE WMask may_strike(const SolverJob& job, const WSwept& c, WMask bounces) {
    const WFloat zero = splat(0.0F);
    const WMask passes_on = (c.a.inverse_mass > zero) & (c.b.inverse_mass > zero);
    const WFloat turning =
        sqrt(dot(c.a.w, c.a.w)) * c.block.get(kLeverA) + sqrt(dot(c.b.w, c.b.w)) * c.block.get(kLeverB);
    // Gravity adds less than its gain in this and the next substep until the surfaces meet.
    const WFloat closing = (turning - dot(c.n, c.b.v - c.a.v)) + splat(job.load_speed);
    return (bounces | passes_on) & (closing * splat(kEarly) > least_impact(job, bounces));
}

// Finds the points of a block that close in this substep, and the velocity that they shall part with.
LANEFOLD_INLINE void find_block_strikes(const SolverJob& job, std::uint32_t i) {
    const WFloat zero = splat(0.0F);
    const WBlock block = contact_block(job, i);
    const WFloat e = block.get(kRestitution);
    const WMask bounces = e > zero;
    block.set(kStruck, zero);
    const WMask candidates = may_strike(job, WSwept(job, i), bounces);
    if (!any(candidates)) return;
    const WContact c(job, i);
    const WVelocities velocities(c.a, c.b);
    const WFloat fall = fall_along(job, c), h = splat(job.h), two = splat(2.0F);
    const WFloat least = least_impact(job, bounces);
    WMask some = no_lanes();
    for (std::uint32_t k = 0; k < c.points; ++k) {
        const WArms arms = c.point_arms(k);
        const WFloat v = velocities.along(c.n, c.row(arms));
        const WFloat s = max(dot(arms.apart, c.n) + block.get(point_field(k, kPointSeparation)), zero);
        const WMask closes = (v < zero) & (s + (v + fall * h) * (h * splat(kEarly)) < zero);
        // The square of the velocity at the surface, which the bodies do not reach before they part.
        const WFloat gained = negate(two * fall * s);
        const WFloat at_surface = v * v + gained;
        const WMask strikes =
            ((closes & (at_surface > least * least)) & candidates) & (block.get(point_field(k, kPointExists)) > zero);
        const WFloat parting = sqrt(max(e * e * at_surface - gained, zero));
        block.set(point_field(k, kPointParting), select(strikes & bounces, parting, splat(-1.0F)));
        some = some | strikes;
    }
    block.set(kStruck, select(some, select(bounces, splat(kStruckBounces), splat(kStruckStops)), zero));
}

// The points that are struck, and those that bear a load or do not bounce: they stop what is struck from passing.
template <std::uint32_t kPoints>
LANEFOLD_INLINE void begin_struck_contact(const SolverJob& job, std::uint32_t i) {
    const WFloat zero = splat(0.0F);
    const WContact c(job, i);
    WNormals<kPoints> normals;
    const WMask dead = ~(c.block.get(kRestitution) > zero);
    const WMask found = c.block.get(kStruck) > zero;
    WMask there[kPoints], touches[kPoints];
    WFloat aim[kPoints], yield[kPoints];
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WArms arms = c.point_arms(k);
        normals.row[k] = c.row(arms);
        const WFloat s = dot(arms.apart, c.n) + c.block.get(point_field(k, kPointSeparation));
        const WFloat parting = c.block.get(point_field(k, kPointParting));
        const WMask struck = found & ~(parting < zero);
        const WMask bears = dead | (c.block.get(point_field(k, kPointImpulse)) > zero);
        there[k] = (struck | bears) & (c.block.get(point_field(k, kPointExists)) > zero);
        aim[k] = select(struck, negate(parting), max(s, zero) * splat(job.inverse_h));
        touches[k] = no_lanes();
        yield[k] = zero;
        c.block.set(point_field(k, kPointStrike), zero);
    }
    keep_swept<kPoints>(c, normals, aim, there, touches, yield);
}

// Counts what a round has given to a block's manifolds.
LANEFOLD_INLINE void count_strikes(const SolverJob& job, std::uint32_t i) {
    const WBlock block = contact_block(job, i);
    WFloat strike = splat(0.0F);
    for (std::uint32_t p = 0; p < job.contact_blocks.points[i]; ++p)
        strike = strike + block.get(point_field(p, kPointStrike));
    count_strike(block, strike);
}

// Friction of a strike, within Coulomb's cone of its impulses; it slows, so it gives no energy either.
LANEFOLD_INLINE void rub_contact(const SolverJob& job, std::uint32_t i) {
    const WFloat zero = splat(0.0F);
    const WBlock block = contact_block(job, i);
    WFloat normal = zero;
    for (std::uint32_t k = 0; k < job.contact_blocks.points[i]; ++k)
        normal = normal + block.get(point_field(k, kPointStrike));
    const WFloat most = block.get(kFriction) * normal;
    const WMask rubs = most > zero;
    if (!any(rubs)) return;
    WContact c(job, i);
    WVelocities velocities(c.a, c.b);
    const WVec3 t1 = c.block.get3(kTangent);
    const WVec3 t2 = cross(c.n, t1);
    const WArms anchor = c.anchor_arms();
    const WTangentImpulse p = tangent_impulse(c, velocities, anchor, t1, t2, {zero, zero}, most);
    WVelocities after = velocities;
    after.apply(c.a, c.b, anchor.a, anchor.b, t1 * p.first + t2 * p.second);
    velocities.assign(rubs, after);
    c.store(job, velocities);
}

// Finds the points that a round makes close, among the contacts that strikes reach: the others in a block depend on the
// width.
LANEFOLD_INLINE void find_again(const SolverJob& job, std::uint32_t i) {
    find_block_strikes(job, i);
    const WBlock block = contact_block(job, i);
    const WFloat zero = splat(0.0F);
    block.set(kStruck, select(block.get(kHot) > zero, block.get(kStruck), zero));
}

inline void find_strikes(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) find_block_strikes(job, i);
}

// The largest kStruck of some blocks, whose bodies it marks.
template <class Blocks>
LANEFOLD_INLINE float mark_struck(const SolverJob& job, std::uint32_t count, const Blocks& block) {
    float most = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const float struck = mark_seeds(job, block(k), kStruck);
        most = most < struck ? struck : most;
    }
    return most;
}

// The impacts of a substep that find_strikes has found, by one task.
inline void strike_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    float most = mark_struck(job, last - first, [&](std::uint32_t k) { return first + k; });
    if (most == 0) return;
    const ReachedBlocks reached(job, first, last, kStruck);
    const bool solved = reached.few() || most == kStruckBounces;
    const int sweeps = reached.sweeps(kStrikeSweeps, kMostStrikeSweeps);
    for (int round = 0; round < kStrikeRounds && most != 0; ++round) {
        if (solved) {
            for (std::uint32_t k = 0; k < reached.size(); ++k)
                by_points(job, reached[k],
                          [&](auto count) { begin_struck_contact<decltype(count)::value>(job, reached[k]); });
            sweep_blocks<false>(job, reached, kPointStrike, sweeps, kStrikeSettled * job.impact_speed);
            for (std::uint32_t k = 0; k < reached.size(); ++k) count_strikes(job, reached[k]);
        }
        reached.clear(job);
        if (!solved) return;
        for (std::uint32_t k = 0; k < reached.size(); ++k) rub_contact(job, reached[k]);
        if (!reached.few()) return;
        for (std::uint32_t k = 0; k < reached.size(); ++k) find_again(job, reached[k]);
        most = mark_struck(job, reached.size(), [&](std::uint32_t k) { return reached[k]; });
    }
    reached.clear(job);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
