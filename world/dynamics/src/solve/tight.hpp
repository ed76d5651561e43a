// SPDX-License-Identifier: MIT
//
// Contacts whose load is heavy for the bodies under it, or for their size. One iteration passes a load on to a light
// body in shares of that body's weight, and the spring of the settings gives by a length that does not know how small
// the bodies are: a small body would be crushed before it carries its load. These contacts, and all that bear a load
// with them, are solved by many overrelaxed sweeps with a spring as stiff as their size asks for. Only so many sweeps
// make such a spring stable.
#pragma once

#include "solve/impacts.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Sweeps of a substep: a body of a thousand times the mass is carried within a few substeps.
inline constexpr int kTightSweeps = 40;
// One body weighs so many times as much as the other.
inline constexpr float kHeavy = 4;
// A point that turns its bodies gives by more than their masses say, four times as much at the corner of a cube. It is
// tight where it would give by so many times kMostGiven: 0.9% of the smaller body. From once on, houses of cards fall,
// whose cards the sweeps push.
inline constexpr float kGivesByTurning = 2.25F;

LANEFOLD_INLINE void find_tight(const SolverJob& job, const WContact& c) {
    const WFloat zero = splat(0.0F), ma = c.a.inverse_mass, mb = c.b.inverse_mass;
    const WMask both = (ma > zero) & (mb > zero);
    const WMask uneven = both & ((ma > mb * splat(kHeavy)) | (mb > ma * splat(kHeavy)));
    // A pebble on a boulder is no load; a boulder on a pebble is one from the moment they touch.
    const WFloat fall = dot(WVec3{splat(job.gravity[0]), splat(job.gravity[1]), splat(job.gravity[2])}, c.n);
    const WMask bears_heavy = uneven & (select(ma > mb, fall, negate(fall)) < zero);
    WMask tight = no_lanes();
    for (std::uint32_t k = 0; k < c.points; ++k) {
        const WMask there = c.block.get(point_field(k, kPointExists)) > zero;
        const WFloat p = c.block.get(point_field(k, kPointImpulse));
        const WMask touches = (c.block.get(point_field(k, kPointSeparation)) < splat(job.touching)) | (p > zero);
        const WMask loaded = bears_heavy | (uneven & (p * max(ma, mb) > splat(2 * job.load_speed)));
        const WFloat stiff = stiff_yield(job, c.block.get(kSize), p);
        const WFloat gain = c.row(c.point_arms(k)).gain(c.a, c.b);
        const WMask gives = (stiff < (ma + mb) * splat(job.soft.yield)) |
                            (stiff * splat(kGivesByTurning) < gain * splat(job.soft.yield));
        tight = tight | (there & ((loaded & touches) | gives));
    }
    c.block.set(kTight, select(tight, splat(1.0F), zero));
}

template <std::uint32_t kPoints>
LANEFOLD_INLINE void begin_tight_contact(const SolverJob& job, std::uint32_t i) {
    const WFloat zero = splat(0.0F);
    const WContact c(job, i);
    WNormals<kPoints> normals;
    WMask there[kPoints], touches[kPoints];
    WFloat aim[kPoints], yield[kPoints];
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WArms arms = c.point_arms(k);
        normals.row[k] = c.row(arms);
        there[k] = c.block.get(point_field(k, kPointExists)) > zero;
        const WFloat s = dot(arms.apart, c.n) + c.block.get(point_field(k, kPointSeparation));
        const WMask gap = s > zero;
        aim[k] = contact_bias(job, s);
        touches[k] = ~gap;
        yield[k] = select(gap, zero, splat(job.soft.yield));
    }
    keep_swept<kPoints>(c, normals, aim, there, touches, yield);
}

// By one task, as strikes are.
inline void tighten_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    bool some = false;
    for (std::uint32_t i = first; i < last; ++i) some = mark_seeds(job, i, kTight) > 0.0F || some;
    if (!some) return;
    const ReachedBlocks reached(job, first, last, kTight);
    if (reached.few()) {
        for (std::uint32_t k = 0; k < reached.size(); ++k)
            by_points(job, reached[k],
                      [&](auto count) { begin_tight_contact<decltype(count)::value>(job, reached[k]); });
        sweep_blocks<true>(job, reached, kPointImpulse, kTightSweeps, kSettled * job.load_speed);
    }
    reached.clear(job);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
