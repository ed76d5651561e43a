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
#include "solve/normals.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Points that one strike makes close are struck in the next round; those that still close then stop without a bounce.
inline constexpr int kStrikeRounds = 8;
// Sweeps of a round. A strike goes on through bodies that lie on others, and is passed on slowly where they are light:
// overrelaxation takes a sixth of the sweeps. What it overshoots by shrinks to 0.7 of itself in a sweep; the last
// sweeps are without it.
inline constexpr int kStrikeSweeps = 20;
inline constexpr int kPlainSweeps = 4;
inline constexpr float kOverrelaxation = 1.7F;
// A point that would just touch at the end of the substep is struck in it, and not stopped by what follows.
inline constexpr float kEarly = 1.01F;
// Manifolds that strikes without a bounce may reach in a substep. Beyond, as in a pile that settles, what closes is
// stopped by the iterations, or a step of 5,000 bodies would take twice its time.
inline constexpr std::uint32_t kMostStruck = 256;

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

// Marks the bodies of these lanes that can move.
LANEFOLD_INLINE void mark(const SolverJob& job, const std::uint32_t* index, std::uint32_t lanes) {
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        MotionRow& row = job.motion[index[l]];
        if (bit_at(lanes, l) && row.inverse_mass > 0.0F) row.struck = 1.0F;
    }
}
LANEFOLD_INLINE WMask marked(const SolverJob& job, const std::uint32_t* ia, const std::uint32_t* ib) {
    alignas(64) float some[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) some[l] = job.motion[ia[l]].struck + job.motion[ib[l]].struck;
    return WFloat::load(some) > splat(0.0F);
}

// Finds the points of a block that close in this substep, and the velocity that they shall part with. A body that falls
// on what cannot move needs no strike, unless it bounces: one iteration stops it.
LANEFOLD_INLINE void find_block_strikes(const SolverJob& job, std::uint32_t i) {
    const WFloat zero = splat(0.0F);
    const WContact c(job, i);
    const WBlock block = c.block;
    const WFloat e = block.get(kRestitution);
    const WMask bounces = e > zero;
    const WMask passes_on = ~bounces & ((c.a.inverse_mass > zero) & (c.b.inverse_mass > zero));
    block.set(kStruck, zero);
    if (!any(bounces | passes_on)) return;
    const WVelocities velocities(c.a, c.b);
    const WFloat fall = fall_along(job, c), h = splat(job.h), two = splat(2.0F);
    const WFloat least = select(bounces, splat(job.restitution_threshold), splat(job.impact_speed));
    WMask some = no_lanes();
    for (std::uint32_t k = 0; k < c.points; ++k) {
        const WArms arms = c.point_arms(k);
        const WFloat v = velocities.along(c.n, c.row(arms));
        const WFloat s = max(dot(arms.apart, c.n) + block.get(point_field(k, kPointSeparation)), zero);
        const WMask closes = (v < zero) & (s + (v + fall * h) * (h * splat(kEarly)) < zero);
        // The square of the velocity at the surface, which the bodies do not reach before they part.
        const WFloat gained = negate(two * fall * s);
        const WFloat at_surface = v * v + gained;
        const WMask strikes = ((closes & (at_surface > least * least)) & (bounces | passes_on)) &
                              (block.get(point_field(k, kPointExists)) > zero);
        const WFloat parting = sqrt(max(e * e * at_surface - gained, zero));
        block.set(point_field(k, kPointParting), select(strikes & bounces, parting, splat(-1.0F)));
        some = some | strikes;
    }
    block.set(kStruck, select(some, select(bounces, splat(kStruckBounces), splat(kStruckStops)), zero));
}

// The points that are struck, and those that bear a load or do not bounce: they stop what is struck from passing.
template <std::uint32_t kPoints>
LANEFOLD_INLINE void strike_contact(const SolverJob& job, std::uint32_t i, WMask hot, WFloat relaxation) {
    const WFloat zero = splat(0.0F);
    WContact c(job, i);
    WNormals<kPoints> normals;
    WVelocities velocities(c.a, c.b);
    const WMask dead = ~(c.block.get(kRestitution) > zero);
    const WMask found = c.block.get(kStruck) > zero;
    WMask there[kPoints];
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WArms arms = c.point_arms(k);
        normals.row[k] = c.row(arms);
        const WFloat s = dot(arms.apart, c.n) + c.block.get(point_field(k, kPointSeparation));
        const WFloat parting = c.block.get(point_field(k, kPointParting));
        const WMask struck = found & ~(parting < zero);
        const WMask bears = dead | (c.block.get(point_field(k, kPointImpulse)) > zero);
        there[k] = (hot & (struck | bears)) & (c.block.get(point_field(k, kPointExists)) > zero);
        normals.velocity[k] = velocities.along(c.n, normals.row[k]) -
                              select(struck, parting, negate(max(s, zero) * splat(job.inverse_h)));
        normals.before[k] = normals.impulse[k] = c.block.get(point_field(k, kPointStrike));
        normals.yield[k] = zero;
        normals.closed[k] = there[k] & ((normals.impulse[k] > zero) | (normals.velocity[k] < zero));
    }
    normals.find_gains(c, there);
    if constexpr (kPoints > 1) normals.solve_mean();
    normals.solve_points();
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WFloat change = normals.impulse[k] - normals.before[k];
        normals.impulse[k] = max(normals.before[k] + change * relaxation, zero);
    }
    WVelocities after = velocities;
    normals.apply(c, after);
    velocities.assign(hot, after);
    for (std::uint32_t k = 0; k < kPoints; ++k) c.block.set(point_field(k, kPointStrike), normals.impulse[k]);
    c.store(job, velocities);
    mark(job, c.ia, bits(hot));
    mark(job, c.ib, bits(hot));
}

LANEFOLD_INLINE WMask hot_lanes(const SolverJob& job, std::uint32_t i) {
    const std::size_t at = std::size_t{i} * kWidth;
    return marked(job, job.contact_blocks.a + at, job.contact_blocks.b + at);
}

// Which lanes a listed block takes part with is fixed: marks that spread in it would depend on what shares the block.
inline void strike_block(const SolverJob& job, std::uint32_t i, bool listed, float relaxation) {
    const WMask hot = listed ? contact_block(job, i).get(kHot) > splat(0.0F) : hot_lanes(job, i);
    if (!any(hot)) return;
    switch (job.contact_blocks.points[i]) {
        case 1:
            return strike_contact<1>(job, i, hot, splat(relaxation));
        case 2:
            return strike_contact<2>(job, i, hot, splat(relaxation));
        case 3:
            return strike_contact<3>(job, i, hot, splat(relaxation));
        default:
            return strike_contact<4>(job, i, hot, splat(relaxation));
    }
}

// Marks the bodies of a block's struck manifolds. Returns the largest kStruck.
LANEFOLD_INLINE float mark_struck(const SolverJob& job, std::uint32_t i) {
    const WFloat struck = contact_block(job, i).get(kStruck);
    const std::uint32_t some = bits(struck > splat(0.0F));
    if (some == 0) return 0;
    mark(job, job.contact_blocks.a + std::size_t{i} * kWidth, some);
    mark(job, job.contact_blocks.b + std::size_t{i} * kWidth, some);
    return any(struck > splat(kStruckStops)) ? kStruckBounces : kStruckStops;
}

LANEFOLD_INLINE void clear_marks(const SolverJob& job, std::uint32_t i) {
    const std::size_t at = std::size_t{i} * kWidth;
    for (std::size_t l = at; l < at + kWidth; ++l) {
        job.motion[job.contact_blocks.a[l]].struck = 0.0F;
        job.motion[job.contact_blocks.b[l]].struck = 0.0F;
    }
}

// The blocks that the strikes of a round reach through contacts that bear a load, in ascending order. Counts their
// contacts; more than kMostStruck are not listed.
struct StruckBlocks {
    std::uint32_t block[kMostStruck];
    std::uint32_t count = 0;
    bool listed = true;

    StruckBlocks(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
        std::uint32_t contacts = 0, before = 0;
        do {
            before = contacts;
            contacts = count = 0;
            for (std::uint32_t i = first; i < last && listed; ++i) {
                const std::uint32_t hot = bits(hot_lanes(job, i));
                if (hot == 0) continue;
                contacts += count_bits(hot);
                listed = contacts <= kMostStruck;
                if (listed) block[count++] = i;
                const WMask lanes = hot_lanes(job, i);
                contact_block(job, i).set(kHot, select(lanes, splat(1.0F), splat(0.0F)));
                mark_loaded(job, i, hot);
            }
        } while (listed && contacts != before);
        if (listed) return;
        // Marks have spread in part, in an order that the width decides: those of the struck manifolds alone are left.
        count = last - first;
        for (std::uint32_t i = first; i < last; ++i) clear_marks(job, i);
        for (std::uint32_t i = first; i < last; ++i) mark_struck(job, i);
    }

    LANEFOLD_INLINE std::uint32_t operator[](std::uint32_t k) const { return listed ? block[k] : k; }

private:
    // Marks both bodies where a contact bears a load: a strike goes on through it.
    static void mark_loaded(const SolverJob& job, std::uint32_t i, std::uint32_t hot) {
        const WBlock block = contact_block(job, i);
        WFloat load = splat(0.0F);
        for (std::uint32_t k = 0; k < job.contact_blocks.points[i]; ++k)
            load = load + block.get(point_field(k, kPointImpulse));
        const std::uint32_t loaded = hot & bits(load > splat(0.0F));
        mark(job, job.contact_blocks.a + std::size_t{i} * kWidth, loaded);
        mark(job, job.contact_blocks.b + std::size_t{i} * kWidth, loaded);
    }
};

// Friction of a strike, within Coulomb's cone of its impulses; it slows, so it gives no energy either.
LANEFOLD_INLINE void rub_contact(const SolverJob& job, std::uint32_t i) {
    const WFloat zero = splat(0.0F);
    WContact c(job, i);
    WFloat normal = zero;
    for (std::uint32_t k = 0; k < c.points; ++k) normal = normal + c.block.get(point_field(k, kPointStrike));
    const WFloat most = c.block.get(kFriction) * normal;
    const WMask rubs = most > zero;
    if (!any(rubs)) return;
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

LANEFOLD_INLINE float larger(float a, float b) { return a < b ? b : a; }

// Finds the points that a round makes close, among the contacts that strikes reach: the others in a block depend on the
// width.
LANEFOLD_INLINE void find_again(const SolverJob& job, std::uint32_t i) {
    find_block_strikes(job, i);
    const WBlock block = contact_block(job, i);
    const WFloat zero = splat(0.0F);
    block.set(kStruck, select(block.get(kHot) > zero, block.get(kStruck), zero));
}

// A round of strikes over the blocks that they reach.
inline void strike_round(const SolverJob& job, const StruckBlocks& struck) {
    for (std::uint32_t k = 0; k < struck.count; ++k) {
        const WBlock block = contact_block(job, struck[k]);
        for (std::uint32_t p = 0; p < job.contact_blocks.points[struck[k]]; ++p)
            block.set(point_field(p, kPointStrike), splat(0.0F));
    }
    for (int sweep = 0; sweep < kStrikeSweeps; ++sweep) {
        const float relaxation = sweep < kStrikeSweeps - kPlainSweeps ? kOverrelaxation : 1.0F;
        for (std::uint32_t k = 0; k < struck.count; ++k) strike_block(job, struck[k], struck.listed, relaxation);
    }
    for (std::uint32_t k = 0; k < struck.count; ++k) {
        const WBlock block = contact_block(job, struck[k]);
        WFloat strike = splat(0.0F);
        for (std::uint32_t p = 0; p < job.contact_blocks.points[struck[k]]; ++p)
            strike = strike + block.get(point_field(p, kPointStrike));
        count_strike(block, strike);
    }
}

inline void find_strikes(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) find_block_strikes(job, i);
}

// The impacts of a substep that find_strikes has found, by one task.
inline void strike_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    float most = 0;
    for (std::uint32_t i = first; i < last; ++i) most = larger(most, mark_struck(job, i));
    if (most == 0) return;
    const StruckBlocks struck(job, first, last);
    const bool solved = struck.listed || most == kStruckBounces;
    for (int round = 0; round < kStrikeRounds && most != 0; ++round) {
        if (solved) strike_round(job, struck);
        for (std::uint32_t k = 0; k < struck.count; ++k) clear_marks(job, struck[k]);
        if (!solved) return;
        for (std::uint32_t k = 0; k < struck.count; ++k) rub_contact(job, struck[k]);
        most = 0;
        if (!struck.listed) return;
        for (std::uint32_t k = 0; k < struck.count; ++k) find_again(job, struck[k]);
        for (std::uint32_t k = 0; k < struck.count; ++k) most = larger(most, mark_struck(job, struck[k]));
    }
    for (std::uint32_t k = 0; k < struck.count; ++k) clear_marks(job, struck[k]);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
