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
// Sweeps end where none changes a velocity by this share of gravity's gain in two substeps: at rest, after one or two.
inline constexpr float kSettled = 1e-5F;
// One body weighs so many times as much as the other.
inline constexpr float kHeavy = 4;

LANEFOLD_INLINE void find_tight(const SolverJob& job, const WContact& c) {
    const WFloat zero = splat(0.0F), ma = c.a.inverse_mass, mb = c.b.inverse_mass;
    const WMask both = (ma > zero) & (mb > zero);
    const WMask uneven = both & ((ma > mb * splat(kHeavy)) | (mb > ma * splat(kHeavy)));
    WMask tight = no_lanes();
    for (std::uint32_t k = 0; k < c.points; ++k) {
        const WMask there = c.block.get(point_field(k, kPointExists)) > zero;
        const WFloat p = c.block.get(point_field(k, kPointImpulse));
        const WMask touches = (c.block.get(point_field(k, kPointSeparation)) < splat(job.touching)) | (p > zero);
        const WFloat yield = (ma + mb) * splat(job.soft.yield);
        tight = tight | (there & ((uneven & touches) | (stiff_yield(job, c, p) < yield)));
    }
    c.block.set(kTight, select(tight, splat(1.0F), zero));
}

template <std::uint32_t kPoints>
LANEFOLD_INLINE bool tighten_contact(const SolverJob& job, std::uint32_t i, WMask hot, WFloat relaxation) {
    WContact c(job, i);
    WVelocities velocities(c.a, c.b);
    WNormals<kPoints> normals = find_normals<Solve::stiff, kPoints>(job, c, velocities);
    if constexpr (kPoints > 1) normals.solve_mean();
    normals.solve_points();
    WMask moved = no_lanes();
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WFloat change = (normals.impulse[k] - normals.before[k]) * relaxation;
        normals.impulse[k] = select(hot, max(normals.before[k] + change, splat(0.0F)), normals.before[k]);
        c.block.set(point_field(k, kPointImpulse), normals.impulse[k]);
        moved = moved | (hot & (abs(change) * normals.gain[k][k] > splat(kSettled * job.load_speed)));
    }
    WVelocities after = velocities;
    normals.apply(c, after);
    velocities.assign(hot, after);
    c.store(job, velocities);
    mark(job, c.ia, bits(hot));
    mark(job, c.ib, bits(hot));
    return any(moved);
}

// Whether an impulse has changed.
inline bool tighten_block(const SolverJob& job, std::uint32_t i, float relaxation) {
    const WMask hot = contact_block(job, i).get(kHot) > splat(0.0F);
    if (!any(hot)) return false;
    switch (job.contact_blocks.points[i]) {
        case 1:
            return tighten_contact<1>(job, i, hot, splat(relaxation));
        case 2:
            return tighten_contact<2>(job, i, hot, splat(relaxation));
        case 3:
            return tighten_contact<3>(job, i, hot, splat(relaxation));
        default:
            return tighten_contact<4>(job, i, hot, splat(relaxation));
    }
}

// By one task, as strikes are.
inline void tighten_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    bool some = false;
    for (std::uint32_t i = first; i < last; ++i) {
        const std::uint32_t tight = bits(contact_block(job, i).get(kTight) > splat(0.0F));
        if (tight == 0) continue;
        some = true;
        mark(job, job.contact_blocks.a + std::size_t{i} * kWidth, tight);
        mark(job, job.contact_blocks.b + std::size_t{i} * kWidth, tight);
    }
    if (!some) return;
    const StruckBlocks reached(job, first, last);
    if (reached.listed) {
        bool moved = true;
        for (int sweep = 0; sweep < kTightSweeps && moved; ++sweep) {
            moved = false;
            const float relaxation = sweep < kTightSweeps - kPlainSweeps ? kOverrelaxation : 1.0F;
            for (std::uint32_t k = 0; k < reached.count; ++k)
                moved = tighten_block(job, reached[k], relaxation) || moved;
        }
    }
    for (std::uint32_t k = 0; k < reached.count; ++k) clear_marks(job, reached[k]);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
