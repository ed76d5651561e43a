// SPDX-License-Identifier: MIT
//
// Friction acts on a manifold as a whole: a force in the plane of contact at the mean of the points within Coulomb's
// circle, and a moment about the normal.
#pragma once

#include "solve/contact_block.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The effective mass along both tangents at once: the inverse of the 2 x 2 matrix of the responses to unit impulses,
// with the present inertia. That of the step's begin would give energy to a thin body that spins fast.
struct TangentMass {
    WFloat of11, of12, of22;

    LANEFOLD_INLINE TangentMass(const WContact& c, const WArms& anchor, const WVec3& t1, const WVec3& t2) {
        const WVec3 a1 = cross(anchor.a, t1), a2 = cross(anchor.a, t2);
        const WVec3 b1 = cross(anchor.b, t1), b2 = cross(anchor.b, t2);
        const WVec3 spin_a = c.a.inverse_inertia * a1, spin_b = c.b.inverse_inertia * b1;
        const WFloat linear = c.a.inverse_mass + c.b.inverse_mass;
        const WFloat k11 = linear + (dot(a1, spin_a) + dot(b1, spin_b));
        const WFloat k12 = dot(a2, spin_a) + dot(b2, spin_b);
        const WFloat k22 = linear + (response(c.a, a2, a2) + response(c.b, b2, b2));
        const WFloat inverse = inverse_or_zero(k11 * k22 - k12 * k12);
        of11 = k22 * inverse;
        of12 = negate(k12) * inverse;
        of22 = k11 * inverse;
    }
};

struct WTangentImpulse {
    WFloat first, second;
};

// The impulse in the plane of contact that stops the anchor, added to those before it, within Coulomb's circle.
LANEFOLD_INLINE WTangentImpulse tangent_impulse(const WContact& c, const WVelocities& velocities, const WArms& anchor,
                                                const WVec3& t1, const WVec3& t2, const WTangentImpulse& before,
                                                WFloat most) {
    const WVec3 v = velocities.relative(anchor.a, anchor.b);
    const WFloat v1 = dot(v, t1), v2 = dot(v, t2);
    const TangentMass m(c, anchor, t1, t2);
    const WFloat first = before.first - (m.of11 * v1 + m.of12 * v2);
    const WFloat second = before.second - (m.of12 * v1 + m.of22 * v2);
    const WFloat length2 = first * first + second * second;
    const WMask slides = length2 > most * most;
    const WFloat cut = select(slides, most / sqrt(select(slides, length2, splat(1.0F))), splat(1.0F));
    return {first * cut, second * cut};
}

// Friction against the normal impulses as they are: about the normal, then in the plane.
template <std::uint32_t kPoints>
LANEFOLD_INLINE void solve_friction(const WContact& c, WVelocities& velocities) {
    WFloat normal = splat(0.0F), moment = splat(0.0F);
    for (std::uint32_t k = 0; k < kPoints; ++k) {
        const WFloat p = c.block.get(point_field(k, kPointImpulse));
        normal = normal + p;
        moment = moment + p * c.block.get(point_field(k, kPointReach));
    }
    const WFloat friction = c.block.get(kFriction);
    {
        const WFloat most = friction * moment;
        const WFloat before = c.block.get(kTwistImpulse);
        const WFloat mass = inverse_or_zero(response(c.a, c.n, c.n) + response(c.b, c.n, c.n));
        const WFloat wanted = before - mass * dot(velocities.wb - velocities.wa, c.n);
        const WFloat after = max(min(wanted, most), negate(most));
        c.block.set(kTwistImpulse, after);
        velocities.apply_twist(c.a, c.b, c.n * (after - before));
    }
    const WVec3 t1 = c.block.get3(kTangent);
    const WVec3 t2 = cross(c.n, t1);
    const WArms anchor = c.anchor_arms();
    const WTangentImpulse before{c.block.get(kTangentImpulse), c.block.get(kTangentImpulse + 1)};
    const WTangentImpulse after = tangent_impulse(c, velocities, anchor, t1, t2, before, friction * normal);
    c.block.set(kTangentImpulse, after.first);
    c.block.set(kTangentImpulse + 1, after.second);
    velocities.apply(c.a, c.b, anchor.a, anchor.b,
                     t1 * (after.first - before.first) + t2 * (after.second - before.second));
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
