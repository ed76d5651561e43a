// SPDX-License-Identifier: MIT
//
// A lane is a body: the begin of a step, acceleration, motion. An item is a block of kBodyBlock bodies, whatever the
// width.
#pragma once

#include "solve/lane_bodies.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE WQuat operator*(const WQuat& a, const WQuat& b) {
    return {(b.u * a.s + a.u * b.s) + cross(a.u, b.u), a.s * b.s - dot(a.u, b.u)};
}

LANEFOLD_INLINE WQuat normalized(const WQuat& q) {
    const WFloat n = splat(1.0F) / sqrt(dot(q.u, q.u) + q.s * q.s);
    return {q.u * n, q.s * n};
}

// Rows of a rotation matrix.
struct WRotation {
    WVec3 x, y, z;

    LANEFOLD_INLINE WVec3 times(const WVec3& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
    LANEFOLD_INLINE WVec3 transposed_times(const WVec3& v) const { return (x * v.x + y * v.y) + z * v.z; }
};

// The matrix of a quaternion that is unit to rounding only. Dividing by its squared length keeps the matrix from
// stretching: the error would be the same in every substep and add up.
LANEFOLD_INLINE WRotation rotation(const WQuat& q) {
    const WFloat one = splat(1.0F);
    const WFloat s = splat(2.0F) / (dot(q.u, q.u) + q.s * q.s);
    const WFloat x2 = q.u.x * s, y2 = q.u.y * s, z2 = q.u.z * s;
    const WFloat xx = q.u.x * x2, yy = q.u.y * y2, zz = q.u.z * z2;
    const WFloat xy = q.u.x * y2, xz = q.u.x * z2, yz = q.u.y * z2;
    const WFloat wx = q.s * x2, wy = q.s * y2, wz = q.s * z2;
    return {
        {one - (yy + zz), xy - wz, xz + wy}, {xy + wz, one - (xx + zz), yz - wx}, {xz - wy, yz + wx, one - (xx + yy)}};
}

// R S R^T.
LANEFOLD_INLINE WSymmetric turned(const WRotation& r, const WSymmetric& s) {
    const WVec3 x = s * r.x, y = s * r.y, z = s * r.z;
    return {dot(r.x, x), dot(r.x, y), dot(r.x, z), dot(r.y, y), dot(r.y, z), dot(r.z, z)};
}

// Half of the time that a Cayley rotation takes to turn by w in time h: tan(x) / x * h / 2 with x = h |w| / 2, by its
// Taylor series, without libm. Up to 1.5 radians it is right to 5e-4 of the angle; a faster body turns by less than it
// should, a quarter of a turn at most, but keeps momentum and energy all the same. (Beyond, Newton's method below does
// not find the spin of the step, and the body gains energy in free flight.)
LANEFOLD_INLINE WFloat cayley_time(const WVec3& w, WFloat half_h) {
    const WFloat spin2 = dot(w, w);
    const WFloat x2 = min(spin2 * (half_h * half_h), splat(0.75F * 0.75F));
    const WFloat t =
        half_h * (splat(1.0F) + x2 * (splat(1.0F / 3) + x2 * (splat(2.0F / 15) + x2 * splat(17.0F / 315))));
    const WMask fast = spin2 * (t * t) > splat(1.0F);
    return select(fast, splat(1.0F) / sqrt(select(fast, spin2, splat(1.0F))), t);
}

// The rotation about w, whose half angle has the tangent t |w|.
LANEFOLD_INLINE WQuat cayley(const WVec3& w, WFloat t) { return normalized({w * t, splat(1.0F)}); }

// The angular velocity with which a free body turns in a step: the implicit midpoint rule in momentum, which keeps its
// energy (M. A. Austin, P. S. Krishnaprasad, L.-S. Wang, "Almost Poisson integration of rigid body systems", 1993). It
// is x in x + t V (x x W x) = w with the inertia W at the step's begin and its inverse V. Newton's method from w; all
// numbers are of w's size, whatever the body weighs.
LANEFOLD_INLINE WVec3 spin_of_step(const WSymmetric& inertia, const WSymmetric& inverse, const WVec3& w, WFloat t) {
    // Steps of Newton's method; with three, thin bodies of 600 rad/s gain a thousandth of their energy. Most bodies
    // turn so slowly that their spin of the step is that of its begin up to this share.
    constexpr int kIterations = 8;
    constexpr float kSmall = 1e-5F;
    const WFloat zero = splat(0.0F), one = splat(1.0F);
    const WVec3 e0{one, zero, zero}, e1{zero, one, zero}, e2{zero, zero, one};
    const WVec3 w0{inertia.xx, inertia.xy, inertia.xz}, w1{inertia.xy, inertia.yy, inertia.yz},
        w2{inertia.xz, inertia.yz, inertia.zz};
    WVec3 x = w;
    for (int k = 0; k < kIterations; ++k) {
        const WVec3 p = inertia * x;
        const WVec3 f = (x - w) + (inverse * cross(x, p)) * t;
        const WMask wanted = dot(f, f) > dot(w, w) * splat(kSmall * kSmall);
        if (!any(wanted)) break;
        const WVec3 c0 = e0 + (inverse * (cross(x, w0) + cross(e0, p))) * t;
        const WVec3 c1 = e1 + (inverse * (cross(x, w1) + cross(e1, p))) * t;
        const WVec3 c2 = e2 + (inverse * (cross(x, w2) + cross(e2, p))) * t;
        const WVec3 c12 = cross(c1, c2);
        const WFloat scale = one / dot(c0, c12);
        const WVec3 d = WVec3{dot(f, c12), dot(c0, cross(f, c2)), dot(c0, cross(c1, f))} * scale;
        x = select(wanted, x - d, x);
    }
    return x;
}

// The factor that keeps the arms' rotation within kArmTurn; 1 for smaller ones.
LANEFOLD_INLINE WFloat arm_turn(const WQuat& dq) {
    const WFloat sine = splat(kArmTurnSine), length = sqrt(dot(dq.u, dq.u));
    const WMask far = (length > sine) | (dq.s < splat(0.0F));
    // Below 1 also where a body has turned by nearly a whole turn, because that selects the cosine.
    const WFloat factor = min(sine / max(length, splat(kLeastSine)), splat(kBelowOne));
    return select(far, factor, splat(1.0F));
}

// Row `base + l` of lane l.
template <class Row>
struct SuccessiveRows {
    const Row* base;

    LANEFOLD_INLINE const float* operator[](std::size_t l) const { return reinterpret_cast<const float*>(base + l); }
};

// An immovable body's inverse inertia is zero.
LANEFOLD_INLINE WSymmetric zero_unless(WMask movable, const WSymmetric& inverse_inertia) {
    const WFloat zero = splat(0.0F);
    return select(movable, inverse_inertia, WSymmetric{zero, zero, zero, zero, zero, zero});
}

// Nothing has moved yet; inertia and centre of mass in world axes.
inline void begin_bodies(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const WFloat zero = splat(0.0F), one = splat(1.0F);
    for (std::uint32_t i = first * kBodyBlock; i < last * kBodyBlock; i += kWidth) {
        LaneMotion motion = LaneMotion::load(SuccessiveRows<MotionRow>{job.motion + i});
        LaneTurn turn = LaneTurn::load(SuccessiveRows<TurnRow>{job.turn + i});
        const LaneMass mass = LaneMass::load(SuccessiveRows<MassRow>{job.mass + i});
        const WRotation r = rotation(turn.q);
        motion.v = without_minus_zero(motion.v);
        motion.w = without_minus_zero(motion.w);
        motion.inverse_inertia = zero_unless(motion.inverse_mass > zero, turned(r, mass.inverse_inertia));
        turn.dp = {zero, zero, zero};
        turn.dq = {{zero, zero, zero}, one};
        turn.arm_turn = one;
        turn.centre = r.times(mass.centre);
        motion.store(job.motion + i);
        turn.store(job.turn + i);
    }
}

// Arms change between the substeps only: an impulse that is given at one arm and taken back at another makes energy.
// Slow bodies do not turn so far in a step.
LANEFOLD_INLINE void turn_arms(const SolverJob& job, std::uint32_t i, const WVec3& w) {
    const WMask fast = dot(w, w) > splat(job.arm_spin * job.arm_spin);
    if (!any(fast)) return;
    LaneTurn t = LaneTurn::load(SuccessiveRows<TurnRow>{job.turn + i});
    t.arm_turn = select(fast, arm_turn(t.dq), t.arm_turn);
    t.store(job.turn + i);
}

inline void accelerate(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const WVec3 gain{splat(job.gravity[0] * job.h), splat(job.gravity[1] * job.h), splat(job.gravity[2] * job.h)};
    const WFloat decay = splat(job.linear_decay), spin_decay = splat(job.angular_decay);
    for (std::uint32_t i = first * kBodyBlock; i < last * kBodyBlock; i += kWidth) {
        LaneMotion m = LaneMotion::load(SuccessiveRows<MotionRow>{job.motion + i});
        const WMask movable = m.inverse_mass > splat(0.0F);
        m.v = select(movable, without_minus_zero((m.v + gain) * decay), m.v);
        m.w = select(movable, without_minus_zero(m.w * spin_decay), m.w);
        m.store(job.motion + i);
        turn_arms(job, i, m.w);
    }
}

// The spin after a substep, shortened where rounding has given the body more energy than it had.
LANEFOLD_INLINE WVec3 without_gain(const WVec3& w, const WVec3& momentum, const WVec3& before) {
    // Energies agree to this share unless a body turns too far in a substep for its inertia.
    constexpr float kAgree = 1 + 2e-5F;
    const WFloat one = splat(1.0F), now = dot(w, momentum), was = dot(before, momentum);
    const WMask gains = now > was * splat(kAgree);
    return select(gains, w * sqrt(select(gains, was, one) / select(gains, now, one)), w);
}

// Positions and orientations of a substep. A body on which nothing acts keeps its angular momentum L, whatever its
// inertia: its angular velocity afterwards is the one that belongs to L then.
inline void move(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const WFloat h = splat(job.h);
    for (std::uint32_t i = first * kBodyBlock; i < last * kBodyBlock; i += kWidth) {
        LaneMotion m = LaneMotion::load(SuccessiveRows<MotionRow>{job.motion + i});
        LaneTurn t = LaneTurn::load(SuccessiveRows<TurnRow>{job.turn + i});
        const LaneMass mass = LaneMass::load(SuccessiveRows<MassRow>{job.mass + i});
        const WMask movable = m.inverse_mass > splat(0.0F);

        const WSymmetric inertia = turned(rotation(t.dq * t.q), mass.inertia);
        const WVec3 momentum = inertia * m.w;
        const WFloat time = cayley_time(m.w, splat(0.5F * job.h));
        const WVec3 turning = select(movable, spin_of_step(inertia, m.inverse_inertia, m.w, time), m.w);
        t.dq = normalized(cayley(turning, time) * t.dq);
        const WSymmetric world = turned(rotation(t.dq * t.q), mass.inverse_inertia);

        t.dp = t.dp + m.v * h;
        m.w = select(movable, without_minus_zero(without_gain(world * momentum, momentum, m.w)), m.w);
        m.inverse_inertia = zero_unless(movable, world);
        m.store(job.motion + i);
        t.store(job.turn + i);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
