// SPDX-License-Identifier: MIT
//
// Bodies in lanes: rows of two constraints' ends into columns and back, and the little algebra that all constraints
// share.
#pragma once

#include "solve/solver_job.hpp"

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Symmetric 3 x 3 matrices.
struct WSymmetric {
    WFloat xx, xy, xz, yy, yz, zz;
};

LANEFOLD_INLINE WVec3 operator*(const WSymmetric& m, const WVec3& v) {
    return {(m.xx * v.x + m.xy * v.y) + m.xz * v.z, (m.xy * v.x + m.yy * v.y) + m.yz * v.z,
            (m.xz * v.x + m.yz * v.y) + m.zz * v.z};
}

LANEFOLD_INLINE WVec3 column3(const WFloat* c) { return {c[0], c[1], c[2]}; }

// One end of kWidth constraints.
struct WMotion {
    WFloat column[16];  // of MotionRow

    LANEFOLD_INLINE WVec3 v() const { return column3(column); }
    LANEFOLD_INLINE WVec3 w() const { return column3(column + 3); }
    LANEFOLD_INLINE WFloat inverse_mass() const { return column[6]; }
    LANEFOLD_INLINE WSymmetric inverse_inertia() const {
        return {column[8], column[9], column[10], column[11], column[12], column[13]};
    }
    LANEFOLD_INLINE void set(const WVec3& v, const WVec3& w) {
        column[0] = v.x;
        column[1] = v.y;
        column[2] = v.z;
        column[3] = w.x;
        column[4] = w.y;
        column[5] = w.z;
    }
};

LANEFOLD_INLINE WMotion load_motion(const SolverJob& job, const std::uint32_t* index) {
    const float* rows[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) rows[l] = job.motion[index[l]].v;
    WMotion m;
    load_rows16(rows, m.column);
    return m;
}

// Where rows of immovable bodies go, which several constraints may share: nowhere. A row per lane, so that no store
// waits for another.
struct alignas(64) Waste {
    float row[kWidth][16];
};

LANEFOLD_INLINE void store_motion(const SolverJob& job, const std::uint32_t* index, const WMotion& m, Waste& waste) {
    const std::uint32_t movable = bits(m.inverse_mass() > splat(0.0F));
    float* rows[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l)
        rows[l] = ((movable >> l) & 1U) != 0 ? job.motion[index[l]].v : waste.row[l];
    scatter_rows16(m.column, rows);
}

// What a body has moved since the step began.
struct WTurn {
    WVec3 dp;
    WVec3 u;   // vector part of the rotation
    WFloat s;  // scalar part

    // By how much the end of an arm has moved against the centre of mass: small, and exact where the rotation is small.
    LANEFOLD_INLINE WVec3 swing(const WVec3& arm) const {
        const WVec3 c = cross(u, arm);
        const WVec3 t = c + c;
        return t * s + cross(u, t);
    }
};

LANEFOLD_INLINE WTurn load_turn(const SolverJob& job, const std::uint32_t* index) {
    const float* rows[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) rows[l] = job.turn[index[l]].dp;
    WFloat c[8];
    load_quads<2>(rows, c);
    return {{c[0], c[1], c[2]}, {c[3], c[4], c[5]}, c[6]};
}

// A block's fields.
struct WBlock {
    float* data;

    LANEFOLD_INLINE WFloat get(std::uint32_t field) const { return WFloat::load(data + field * kWidth); }
    LANEFOLD_INLINE WVec3 get3(std::uint32_t field) const { return {get(field), get(field + 1), get(field + 2)}; }
    LANEFOLD_INLINE void set(std::uint32_t field, WFloat x) const { x.store(data + field * kWidth); }
    LANEFOLD_INLINE void set3(std::uint32_t field, const WVec3& x) const {
        set(field, x.x);
        set(field + 1, x.y);
        set(field + 2, x.z);
    }
};

// An impulse p on B at arm b, and the opposite on A at arm a.
struct WPush {
    WVec3 va, wa, vb, wb;

    LANEFOLD_INLINE WPush(const WMotion& a, const WMotion& b) : va(a.v()), wa(a.w()), vb(b.v()), wb(b.w()) {}

    LANEFOLD_INLINE WVec3 relative(const WVec3& arm_a, const WVec3& arm_b) const {
        return (vb + cross(wb, arm_b)) - (va + cross(wa, arm_a));
    }
    LANEFOLD_INLINE void apply(const WMotion& a, const WMotion& b, const WVec3& arm_a, const WVec3& arm_b,
                               const WVec3& p) {
        va = va - p * a.inverse_mass();
        wa = wa - a.inverse_inertia() * cross(arm_a, p);
        vb = vb + p * b.inverse_mass();
        wb = wb + b.inverse_inertia() * cross(arm_b, p);
    }
    // Lanes of m as they are in o, to the last bit; adding an impulse of 0 would turn -0 into 0 elsewhere.
    LANEFOLD_INLINE void keep(WMask m, const WPush& o) {
        va = select(m, o.va, va);
        wa = select(m, o.wa, wa);
        vb = select(m, o.vb, vb);
        wb = select(m, o.wb, wb);
    }
    LANEFOLD_INLINE void apply_twist(const WMotion& a, const WMotion& b, const WVec3& turn) {
        wa = wa - a.inverse_inertia() * turn;
        wb = wb + b.inverse_inertia() * turn;
    }
};

// Stores the velocities of a pair's bodies after `push` into their rows.
LANEFOLD_INLINE void store_motions(const SolverJob& job, const std::uint32_t* ia, const std::uint32_t* ib, WMotion& a,
                                   WMotion& b, const WPush& push) {
    Waste waste;
    a.set(push.va, push.wa);
    b.set(push.vb, push.wb);
    store_motion(job, ia, a, waste);
    store_motion(job, ib, b, waste);
}

// 1 / x where x > 0, 0 elsewhere.
LANEFOLD_INLINE WFloat inverse_or_zero(WFloat x) {
    const WMask positive = x > splat(0.0F);
    return select(positive, splat(1.0F) / select(positive, x, splat(1.0F)), splat(0.0F));
}

// How much a unit impulse along d at the arms changes the relative velocity along e.
LANEFOLD_INLINE WFloat response(const WMotion& m, const WVec3& arm_d, const WVec3& arm_e) {
    return dot(arm_e, m.inverse_inertia() * arm_d);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
