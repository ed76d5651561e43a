// SPDX-License-Identifier: MIT
//
// A manifold in sweeps. Nothing moves between them, so its rows and its response to impulses are found once; a sweep
// reads them, and the velocities of its bodies.
#pragma once

#include "solve/normals.hpp"
#include "solve/reach.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// A contact is passed on slowly through light bodies: overrelaxation takes a sixth of the sweeps. What it overshoots by
// shrinks to 0.7 of itself in a sweep; the last sweeps are without it.
inline constexpr int kPlainSweeps = 4;
inline constexpr float kOverrelaxation = 1.7F;
// A point is settled where a sweep changes its impulse by a smaller share: rounding goes on for ever.
inline constexpr float kRounding = 2e-6F;

// A load makes a contact overlap by this share of the smaller body's smallest extent at most. Where the spring of the
// settings gives more, as under small bodies and heavy loads, it is stiffer.
inline constexpr float kMostGiven = 0.004F;

inline constexpr float kSweptIsThere = 1;
inline constexpr float kSweptTouches = 2;

LANEFOLD_INLINE std::uint32_t swept_field(std::uint32_t points, std::uint32_t k, std::uint32_t field) {
    return kContactHead + points * kPointFields + k * kSweptFields + field;
}

// Keeps what sweeps need. `aim` is added to a point's velocity, so that sweeps seek 0.
template <std::uint32_t kPoints>
LANEFOLD_INLINE void keep_swept(const WContact& c, WNormals<kPoints>& normals, const WFloat* aim, const WMask* there,
                                const WMask* touches, const WFloat* yield) {
    const WFloat zero = splat(0.0F);
    normals.find_gains(c, there);
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const auto field = [&](std::uint32_t f) { return swept_field(kPoints, k, f); };
        c.block.set3(field(kSweptMomentA), normals.row[k].moment_a);
        c.block.set3(field(kSweptMomentB), normals.row[k].moment_b);
        c.block.set3(field(kSweptSpinA), normals.row[k].spin_a);
        c.block.set3(field(kSweptSpinB), normals.row[k].spin_b);
        for (std::uint32_t j = 0; j < kPoints; ++j) c.block.set(field(kSweptGain) + j, normals.gain[k][j]);
        c.block.set(field(kSweptAim), aim[k]);
        c.block.set(field(kSweptThere),
                    select(there[k], select(touches[k], splat(kSweptTouches), splat(kSweptIsThere)), zero));
        c.block.set(field(kSweptYield), yield[k] * normals.gain[k][k]);
    }
}

// A manifold's bodies and normal in a sweep.
struct WSwept {
    WBlock block;
    const std::uint32_t* ia;
    const std::uint32_t* ib;
    LaneVelocity a, b;
    WVec3 n;

    LANEFOLD_INLINE WSwept(const SolverJob& job, std::uint32_t i)
        : block(contact_block(job, i)),
          ia(job.contact_blocks.a + lanes_of(i)),
          ib(job.contact_blocks.b + lanes_of(i)),
          a(LaneVelocity::load(RowsAt<const MotionRow>{job.motion, ia})),
          b(LaneVelocity::load(RowsAt<const MotionRow>{job.motion, ib})),
          n(block.get3(kNormal)) {}
};

// The yield at which a point under this impulse overlaps by kMostGiven: at rest it is yield * impulse / bias_rate.
LANEFOLD_INLINE WFloat stiff_yield(const SolverJob& job, WFloat size, WFloat impulse) {
    const WMask loaded = impulse > splat(0.0F);
    const WFloat most = splat(kMostGiven * job.soft.bias_rate) * size;
    return select(loaded, most / select(loaded, impulse, splat(1.0F)), splat(kHighest));
}

struct Sweep {
    float mark;        // of bodies that it moves
    float relaxation;  // factor of changes
    float settled;     // a smaller change of velocity moves no body
};

// Solves the points of these lanes, whose impulses are in `field`. True: a body has moved.
template <bool kStiff, std::uint32_t kPoints>
LANEFOLD_INLINE bool sweep_contact(const SolverJob& job, std::uint32_t i, std::uint32_t field, WMask lanes,
                                   const Sweep& sweep) {
    const WFloat zero = splat(0.0F), relaxation = splat(sweep.relaxation);
    const WSwept c(job, i);
    WVelocities velocities(c.a, c.b);
    WNormals<kPoints> normals;
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const auto get = [&](std::uint32_t f) { return c.block.get(swept_field(kPoints, k, f)); };
        const auto get3 = [&](std::uint32_t f) { return c.block.get3(swept_field(kPoints, k, f)); };
        normals.row[k] = {get3(kSweptMomentA), get3(kSweptMomentB), get3(kSweptSpinA), get3(kSweptSpinB)};
        for (std::uint32_t j = 0; j < kPoints; ++j) normals.gain[k][j] = get(kSweptGain + j);
        normals.velocity[k] = velocities.along(c.n, normals.row[k]) + get(kSweptAim);
        normals.before[k] = normals.impulse[k] = c.block.get(point_field(k, field));
        const WFloat there = get(kSweptThere);
        normals.closed[k] = (there > splat(kSweptIsThere)) |
                            ((there > zero) & ((normals.impulse[k] > zero) | (normals.velocity[k] < zero)));
        normals.yield[k] = zero;
        if constexpr (kStiff)
            normals.yield[k] = min(get(kSweptYield), stiff_yield(job, c.block.get(kSize), normals.impulse[k]));
    }
    if constexpr (kPoints > 1) normals.solve_mean();
    normals.solve_points(c.block, sweep.settled);
    WMask moved = no_lanes();
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WFloat change = (normals.impulse[k] - normals.before[k]) * relaxation;
        normals.impulse[k] = select(lanes, max(normals.before[k] + change, zero), normals.before[k]);
        c.block.set(point_field(k, field), normals.impulse[k]);
        const WFloat gain = normals.gain[k][k];
        const WFloat settled = max(splat(sweep.settled), normals.impulse[k] * gain * splat(kRounding));
        moved = moved | (lanes & (abs(change) * gain > settled));
    }
    WVelocities after = velocities;
    normals.apply(c, after);
    velocities.assign(lanes, after);
    store_marked_motions(job, c.ia, c.ib, c.a, c.b, velocities, moved, sweep.mark);
    return any(moved);
}

// Sweeps over the reached blocks until one moves no body, at most so many.
template <bool kStiff>
inline void sweep_blocks(const SolverJob& job, const ReachedBlocks& reached, std::uint32_t field, int sweeps,
                         float settled) {
    for (int k = 0; k < sweeps; ++k) {
        const float before = kSeedMark + static_cast<float>(k);
        const Sweep sweep{before + 1, k < sweeps - kPlainSweeps ? kOverrelaxation : 1.0F, settled};
        bool moved = false;
        for (std::uint32_t r = 0; r < reached.size(); ++r) {
            const WMask lanes = reached.lanes(job, reached[r], before);
            if (!any(lanes)) continue;
            const bool changed = by_points(job, reached[r], [&](auto count) {
                return sweep_contact<kStiff, decltype(count)::value>(job, reached[r], field, lanes, sweep);
            });
            moved = changed || moved;
        }
        if (!moved) return;
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
