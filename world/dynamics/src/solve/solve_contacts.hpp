// SPDX-License-Identifier: MIT
//
// A lane is a manifold. The stages of a substep: warm start, the iteration over friction and normals, restitution, and
// the way back to the impulses of the manifolds.
//
// Method: soft constraints with substeps ("TGS soft" of E. Catto's Solver2D study, 2024): each substep accelerates,
// starts from the impulses of the one before, solves once with a bias that takes overlap back like an overdamped spring
// and lets a gap close exactly, moves the bodies, and solves once more without the bias, which takes out the velocity
// it had put in. Normals stay; the points and their separation follow the bodies.
#pragma once

#include "solve/friction.hpp"
#include "solve/impacts.hpp"
#include "solve/normals.hpp"
#include "solve/prepare_contacts.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct WMoments {
    WVec3 a, b;
};

// The moments of the normal impulses, point by point.
LANEFOLD_INLINE WMoments point_moments(const WContact& c) {
    const WFloat zero = splat(0.0F);
    WMoments sum{{zero, zero, zero}, {zero, zero, zero}};
    for (std::uint32_t k = 0; k < c.points; ++k) {
        const WFloat p = c.block.get(point_field(k, kPointImpulse));
        const WArms arms = c.point_arms(k);
        sum.a = sum.a + cross(arms.a, c.n) * p;
        sum.b = sum.b + cross(arms.b, c.n) * p;
    }
    return sum;
}

// Applies the impulses of a manifold as one: moments are linear in arms, and so is the rotation of arms.
inline void warm_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const WFloat zero = splat(0.0F);
    for (std::uint32_t i = first; i < last; ++i) {
        WContact c(job, i);
        WVec3 weighted{zero, zero, zero};  // sum of arms, each times its impulse
        WFloat normal = zero, gaps = zero;
        for (std::uint32_t k = 0; k < c.points; ++k) {
            const WFloat p = c.block.get(point_field(k, kPointImpulse));
            weighted = weighted + c.block.get3(point_field(k, kPointArm)) * p;
            gaps = gaps + c.block.get(point_field(k, kPointSeparation)) * p;
            normal = normal + p;
        }
        const WVec3 half = c.n * (gaps * splat(0.5F));
        const WVec3 weighted_a = weighted - half;
        const WVec3 weighted_b = (weighted + c.centres * normal) + half;
        const WVec3 t1 = c.block.get3(kTangent);
        const WArms anchor = c.anchor_arms();
        const WVec3 friction = t1 * c.block.get(kTangentImpulse) + cross(c.n, t1) * c.block.get(kTangentImpulse + 1);
        const WVec3 twist = c.n * c.block.get(kTwistImpulse);
        WVec3 normal_a = cross(weighted_a + c.swing_of_a(weighted_a, normal), c.n);
        WVec3 normal_b = cross(weighted_b + c.swing_of_b(weighted_b, normal), c.n);
        if (any(c.turned)) {
            const WMoments single = point_moments(c);
            normal_a = select(c.turned, single.a, normal_a);
            normal_b = select(c.turned, single.b, normal_b);
        }
        const WVec3 moment_a = (normal_a + cross(anchor.a, friction)) + twist;
        const WVec3 moment_b = (normal_b + cross(anchor.b, friction)) + twist;
        WVelocities velocities(c.a, c.b);
        velocities.apply_moments(c.a, c.b, c.n * normal + friction, moment_a, moment_b);
        c.store(job, velocities);
    }
}

template <Solve kFor, std::uint32_t kPoints>
LANEFOLD_INLINE void iterate_contact(const SolverJob& job, std::uint32_t i) {
    WContact c(job, i);
    WVelocities velocities(c.a, c.b);
    // Normals last: an overlap is worse than a slip.
    solve_friction<kPoints>(c, velocities);
    solve_normals<kFor, kPoints>(job, c, velocities);
    c.store(job, velocities);
}

template <Solve kFor>
LANEFOLD_INLINE void iterate_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i)
        by_points(job, i, [&](auto count) { iterate_contact<kFor, decltype(count)::value>(job, i); });
}

inline void solve_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    iterate_contacts<Solve::bias>(job, first, last);
}
inline void relax_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    iterate_contacts<Solve::relax>(job, first, last);
}

LANEFOLD_INLINE void store_pushes(const SolverJob& job, const WBlock& block, const std::uint32_t* source) {
    alignas(64) float impulse[kWidth], before[kWidth], after[kWidth];
    block.get(kPushed).store(impulse);
    block.get(kPushedBefore).store(before);
    block.get(kPushedAfter).store(after);
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        if (source[l] != kNoRow) job.pushes[source[l]] = {impulse[l], before[l], after[l]};
    }
}

inline void store_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
        const WBlock block = contact_block(job, i);
        const std::uint32_t* source = job.contact_blocks.source + std::size_t{i} * kWidth;
        const WVec3 t1 = block.get3(kTangent);
        LaneImpulse out;
        for (WFloat& p : out.normal) p = splat(0.0F);
        for (std::uint32_t k = 0; k < job.contact_blocks.points[i]; ++k)
            out.normal[k] = block.get(point_field(k, kPointImpulse));
        out.tangent = t1 * block.get(kTangentImpulse) + cross(block.get3(kNormal), t1) * block.get(kTangentImpulse + 1);
        out.twist = block.get(kTwistImpulse);
        DummyRows dummy;
        float* rows[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l)
            rows[l] = source[l] != kNoRow ? floats_of(job.impulses + source[l]) : dummy.row[l];
        out.store(rows);
        store_pushes(job, block, source);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
