// SPDX-License-Identifier: MIT
//
// Bodies in lanes: what a step begins with, acceleration, motion. An item is a block of kBodyBlock bodies, whatever
// the width.
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

// Of a quaternion that is unit to rounding only. Dividing by its squared length keeps the matrix from stretching: the
// error would be the same in every substep and add up.
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

// The rotation by angular velocity w in time t: sine and cosine of half the angle, which is below pi / 4, by their
// Taylor series (errors below 3e-6 of the angle, taken out by the normalisation that follows), without libm.
LANEFOLD_INLINE WQuat turn_of(const WVec3& w, WFloat t) {
    const WVec3 half = w * (t * splat(0.5F));
    const WFloat a2 = dot(half, half);
    const WFloat sine = splat(1.0F) - a2 * (splat(1.0F / 6) - a2 * (splat(1.0F / 120) - a2 * splat(1.0F / 5040)));
    const WFloat cosine = splat(1.0F) - a2 * (splat(0.5F) - a2 * (splat(1.0F / 24) - a2 * splat(1.0F / 720)));
    return {half * sine, cosine};
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
        motion.inverse_inertia = zero_unless(motion.inverse_mass > zero, turned(r, mass.inverse_inertia));
        turn.dp = {zero, zero, zero};
        turn.dq = {{zero, zero, zero}, one};
        turn.centre = r.times(mass.centre);
        motion.store(job.motion + i);
        turn.store(job.turn + i);
    }
}

inline void accelerate(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const WVec3 gain{splat(job.gravity[0] * job.h), splat(job.gravity[1] * job.h), splat(job.gravity[2] * job.h)};
    const WFloat keep = splat(job.linear_keep), keep_spin = splat(job.angular_keep);
    for (std::uint32_t i = first * kBodyBlock; i < last * kBodyBlock; i += kWidth) {
        LaneMotion m = LaneMotion::load(SuccessiveRows<MotionRow>{job.motion + i});
        const WMask movable = m.inverse_mass > splat(0.0F);
        m.v = select(movable, (m.v + gain) * keep, m.v);
        m.w = select(movable, m.w * keep_spin, m.w);
        m.store(job.motion + i);
    }
}

// Positions and orientations of a substep. A body on which nothing acts keeps its angular momentum L = R I R^T w,
// whatever its inertia: it turns with the angular velocity that belongs to L in the middle of the substep (second
// order), and what it has afterwards is the one that belongs to L then. Energy is bounded by L, so nothing can spin
// itself up.
inline void move(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const WFloat h = splat(job.h);
    for (std::uint32_t i = first * kBodyBlock; i < last * kBodyBlock; i += kWidth) {
        LaneMotion m = LaneMotion::load(SuccessiveRows<MotionRow>{job.motion + i});
        LaneTurn t = LaneTurn::load(SuccessiveRows<TurnRow>{job.turn + i});
        const LaneMass mass = LaneMass::load(SuccessiveRows<MassRow>{job.mass + i});
        const WMask movable = m.inverse_mass > splat(0.0F);
        // The series of turn_of() ends at most_spin.
        const WFloat spin = sqrt(dot(m.w, m.w));
        const WFloat most = splat(job.most_spin);
        const WMask fast = spin > most;
        const WVec3 w = select(fast, m.w * (most / select(fast, spin, splat(1.0F))), m.w);

        const WQuat now = t.dq * t.q;
        const WRotation r = rotation(now);
        const WVec3 momentum = r.times(mass.inertia * r.transposed_times(w));
        const WRotation middle = rotation(turn_of(w, h * splat(0.5F)) * now);
        const WVec3 turning =
            select(movable, middle.times(mass.inverse_inertia * middle.transposed_times(momentum)), w);
        t.dq = normalized(turn_of(turning, h) * t.dq);
        const WSymmetric world = turned(rotation(t.dq * t.q), mass.inverse_inertia);

        t.dp = t.dp + m.v * h;
        m.w = select(movable, world * momentum, w);
        m.inverse_inertia = zero_unless(movable, world);
        m.store(job.motion + i);
        t.store(job.turn + i);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
