// SPDX-License-Identifier: MIT
//
// Bodies in lanes: what a step begins with, acceleration, motion. An item is a block of 16 bodies, whatever the width.
#pragma once

#include "solve/lane_bodies.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct WQuat {
    WVec3 u;
    WFloat s;
};

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

// Of a quaternion that is unit to rounding only: what its length is off is divided out, or the matrix would stretch the
// same way in every substep.
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

template <class Row>
LANEFOLD_INLINE void load_bodies(const Row* rows, WFloat* column) {
    const float* from[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) from[l] = reinterpret_cast<const float*>(rows + l);
    load_rows16(from, column);
}

// Columns 0 to 3 of TurnRow's quaternions begin at `at`.
LANEFOLD_INLINE WQuat quat(const WFloat* column) { return {column3(column), column[3]}; }

LANEFOLD_INLINE WSymmetric symmetric(const WFloat* c) { return {c[0], c[1], c[2], c[3], c[4], c[5]}; }

LANEFOLD_INLINE void set_inverse_inertia(WFloat* motion, const WSymmetric& s, WMask movable) {
    const WFloat zero = splat(0.0F);
    motion[8] = select(movable, s.xx, zero);
    motion[9] = select(movable, s.xy, zero);
    motion[10] = select(movable, s.xz, zero);
    motion[11] = select(movable, s.yy, zero);
    motion[12] = select(movable, s.yz, zero);
    motion[13] = select(movable, s.zz, zero);
}

// Nothing has moved yet; inertia and centre of mass in world axes.
inline void begin_bodies(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first * 16; i < last * 16; i += kWidth) {
        WFloat motion[16], turn[16], mass[16];
        load_bodies(job.motion + i, motion);
        load_bodies(job.turn + i, turn);
        load_bodies(job.mass + i, mass);
        const WRotation r = rotation(quat(turn + 8));
        set_inverse_inertia(motion, turned(r, symmetric(mass + 6)), motion[6] > splat(0.0F));
        const WVec3 centre = r.times(column3(mass + 12));
        for (int k = 0; k < 6; ++k) turn[k] = splat(0.0F);
        turn[6] = splat(1.0F);
        turn[12] = centre.x;
        turn[13] = centre.y;
        turn[14] = centre.z;
        store_rows16(motion, job.motion[i].v);
        store_rows16(turn, job.turn[i].dp);
    }
}

inline void accelerate(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const WVec3 gain{splat(job.gravity[0] * job.h), splat(job.gravity[1] * job.h), splat(job.gravity[2] * job.h)};
    const WFloat keep = splat(job.linear_keep), keep_spin = splat(job.angular_keep);
    for (std::uint32_t i = first * 16; i < last * 16; i += kWidth) {
        WFloat m[16];
        load_bodies(job.motion + i, m);
        const WMask movable = m[6] > splat(0.0F);
        const WVec3 v = select(movable, (column3(m) + gain) * keep, column3(m));
        const WVec3 w = select(movable, column3(m + 3) * keep_spin, column3(m + 3));
        m[0] = v.x;
        m[1] = v.y;
        m[2] = v.z;
        m[3] = w.x;
        m[4] = w.y;
        m[5] = w.z;
        store_rows16(m, job.motion[i].v);
    }
}

// Positions and orientations of a substep. A body on which nothing acts keeps its angular momentum L = R I R^T w,
// whatever its inertia: it turns with the angular velocity that belongs to L in the middle of the substep (second
// order), and what it has afterwards is the one that belongs to L then. Energy is bounded by L, so nothing can spin
// itself up.
inline void move(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const WFloat h = splat(job.h);
    for (std::uint32_t i = first * 16; i < last * 16; i += kWidth) {
        WFloat m[16], t[16], mass[16];
        load_bodies(job.motion + i, m);
        load_bodies(job.turn + i, t);
        load_bodies(job.mass + i, mass);
        const WMask movable = m[6] > splat(0.0F);
        const WVec3 v = column3(m);
        WVec3 w = column3(m + 3);
        // Faster than the series reaches: cut.
        const WFloat spin = sqrt(dot(w, w));
        const WFloat most = splat(job.most_spin);
        const WMask fast = spin > most;
        w = select(fast, w * (most / select(fast, spin, splat(1.0F))), w);

        const WQuat dq = quat(t + 3);
        const WQuat start = quat(t + 8);
        const WQuat now = dq * start;
        const WRotation r = rotation(now);
        const WSymmetric inverse = symmetric(mass + 6);
        const WVec3 momentum = r.times(symmetric(mass) * r.transposed_times(w));
        const WRotation middle = rotation(turn_of(w, h * splat(0.5F)) * now);
        const WVec3 turning = select(movable, middle.times(inverse * middle.transposed_times(momentum)), w);
        const WQuat next = normalized(turn_of(turning, h) * dq);
        const WSymmetric world = turned(rotation(next * start), inverse);
        w = select(movable, world * momentum, w);

        const WVec3 dp = column3(t) + v * h;
        m[3] = w.x;
        m[4] = w.y;
        m[5] = w.z;
        set_inverse_inertia(m, world, movable);
        t[0] = dp.x;
        t[1] = dp.y;
        t[2] = dp.z;
        t[3] = next.u.x;
        t[4] = next.u.y;
        t[5] = next.u.z;
        t[6] = next.s;
        store_rows16(m, job.motion[i].v);
        store_rows16(t, job.turn[i].dp);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
