// SPDX-License-Identifier: MIT
//
// Contacts in lanes, the stages of a substep: warm start, the iteration over friction and normals, restitution, and the
// way back to the records.
//
// Method: soft constraints with substeps ("TGS soft" of E. Catto's Solver2D study, 2024): each substep accelerates,
// starts from the impulses of the one before, solves once with a bias that takes overlap back like an overdamped spring
// and lets a gap close exactly, moves the bodies, and solves once more without the bias, which takes out the velocity
// it had put in. Normals stay; the points and their separation follow the bodies.
#pragma once

#include "solve/friction.hpp"
#include "solve/normals.hpp"
#include "solve/prepare_contacts.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline void warm_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
        WContact c(job, i);
        WPush push(c.a, c.b);
        for (std::uint32_t k = 0; k < c.points; ++k) {
            const WArms arms = c.arms(c.block.get3(point_field(k, kPointArm)));
            push.apply(c.a, c.b, arms.a, arms.b, c.n * c.block.get(point_field(k, kPointImpulse)));
        }
        const WVec3 t1 = c.block.get3(kTangent);
        const WArms anchor = c.arms(c.block.get3(kAnchor));
        const WVec3 p = t1 * c.block.get(kTangentImpulse) + cross(c.n, t1) * c.block.get(kTangentImpulse + 1);
        push.apply(c.a, c.b, anchor.a, anchor.b, p);
        push.apply_twist(c.a, c.b, c.n * c.block.get(kTwistImpulse));
        c.store(job, push);
    }
}

template <bool kBias>
LANEFOLD_INLINE void iterate_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
        WContact c(job, i);
        WPush push(c.a, c.b);
        // Normals last: no overlap comes before no sliding.
        solve_friction(c, push);
        solve_normals<kBias>(job, c, push);
        c.store(job, push);
    }
}

inline void solve_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    iterate_contacts<true>(job, first, last);
}
inline void relax_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    iterate_contacts<false>(job, first, last);
}

// Restitution, once, after the last substep: points that closed faster than the threshold, and that pushed. As a soft
// constraint it is one without softness whose bias is the velocity to give back. The impulses kept for the next step
// are those without it.
inline void bounce_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const WFloat zero = splat(0.0F);
    for (std::uint32_t i = first; i < last; ++i) {
        const WBlock block = contact_block(job, i);
        const WFloat restitution = block.get(kRestitution);
        const std::uint32_t points = job.contact_blocks.points[i];
        WNormals normals;
        WFloat kept[4];
        WMask some = no_lanes();
        for (std::uint32_t k = 0; k < points; ++k) {
            const WFloat closing = block.get(point_field(k, kPointVelocity));
            normals.closed[k] = (closing < splat(-job.restitution_threshold)) &
                                (block.get(point_field(k, kPointPeak)) > zero) & (restitution > zero);
            normals.bias[k] = restitution * closing;
            normals.scale[k] = splat(1.0F);
            normals.give[k] = zero;
            kept[k] = block.get(point_field(k, kPointImpulse));
            some = some | normals.closed[k];
        }
        if (!any(some)) continue;
        WContact c(job, i);
        for (std::uint32_t k = 0; k < points; ++k) normals.arms[k] = c.arms(block.get3(point_field(k, kPointArm)));
        WPush push(c.a, c.b);
        if (points > 1) solve_mean(c, normals, push);
        for (std::uint32_t k = 0; k < points; ++k) {
            WPush back = push;
            solve_point(c, normals, k, back);
            push.keep(normals.closed[k], back);
        }
        for (std::uint32_t k = 0; k < points; ++k) block.set(point_field(k, kPointImpulse), kept[k]);
        c.store(job, push);
    }
}

inline void store_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
        const WBlock block = contact_block(job, i);
        const std::uint32_t* source = job.contact_blocks.source + std::size_t{i} * kWidth;
        const WVec3 n = block.get3(kNormal);
        const WVec3 t1 = block.get3(kTangent);
        const WVec3 p = t1 * block.get(kTangentImpulse) + cross(n, t1) * block.get(kTangentImpulse + 1);
        alignas(64) float out[8][kWidth];
        for (std::uint32_t k = 0; k < 4; ++k) block.get(point_field(k, kPointImpulse)).store(out[k]);
        p.x.store(out[4]);
        p.y.store(out[5]);
        p.z.store(out[6]);
        block.get(kTwistImpulse).store(out[7]);
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            if (source[l] == kNoRow) continue;
            float* to = job.impulses[source[l]].normal;
            for (int k = 0; k < 8; ++k) __builtin_memcpy(to + k, &out[k][l], sizeof(float));
        }
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
