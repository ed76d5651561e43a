// SPDX-License-Identifier: MIT
//
// A lane is a constraint: its two bodies, and the algebra that all constraints share.
#pragma once

#include "solve/lane_rows.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE float* floats_of(void* row) { return static_cast<float*>(row); }
LANEFOLD_INLINE const float* floats_of(const void* row) { return static_cast<const float*>(row); }

// Row `index[l]` of lane l.
template <class Row>
struct RowsAt {
    Row* base;
    const std::uint32_t* index;

    LANEFOLD_INLINE auto* operator[](std::size_t l) const { return floats_of(base + index[l]); }
};

LANEFOLD_INLINE LaneMotion load_motion(const SolverJob& job, const std::uint32_t* index) {
    return LaneMotion::load(RowsAt<const MotionRow>{job.motion, index});
}
LANEFOLD_INLINE LaneMoved load_moved(const SolverJob& job, const std::uint32_t* index) {
    return LaneMoved::load(RowsAt<const TurnRow>{job.turn, index});
}

// The displacements that contact arms follow.
LANEFOLD_INLINE LaneMoved load_arms_moved(const SolverJob& job, const std::uint32_t* index, WMask& turned) {
    return LaneMoved::load_for_arms(RowsAt<const TurnRow>{job.turn, index}, turned);
}

// Velocities of immovable bodies are stored here, not in their rows, which several constraints may share. A row per
// lane, so that no store waits for another.
struct alignas(64) DummyRows {
    float row[kWidth][8];
};

LANEFOLD_INLINE void store_velocity(const SolverJob& job, const std::uint32_t* index, const LaneVelocity& m,
                                    const WVec3& v, const WVec3& w, WFloat struck, DummyRows& dummy) {
    const std::uint32_t movable = bits(m.inverse_mass > splat(0.0F));
    float* rows[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l)
        rows[l] = bit_at(movable, l) ? floats_of(job.motion + index[l]) : dummy.row[l];
    m.store_velocity(v, w, struck, rows);
}

// Turns -0 into 0 (MotionRow).
LANEFOLD_INLINE WVec3 without_minus_zero(const WVec3& v) {
    const WFloat zero = splat(0.0F);
    return v + WVec3{zero, zero, zero};
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

// A unit impulse along a direction at a point of both bodies: a row of the constraint's Jacobian. An impulse pushes B
// along the direction, and A against it.
struct WImpulseRow {
    WVec3 moment_a, moment_b;  // arm x direction
    WVec3 spin_a, spin_b;      // the angular velocity that it gives

    LANEFOLD_INLINE static WImpulseRow of(const LaneMotion& a, const LaneMotion& b, const WVec3& moment_a,
                                          const WVec3& moment_b) {
        return {moment_a, moment_b, a.inverse_inertia * moment_a, b.inverse_inertia * moment_b};
    }
    // The change of the velocity along the direction.
    LANEFOLD_INLINE WFloat gain(const LaneMotion& a, const LaneMotion& b) const {
        return (a.inverse_mass + b.inverse_mass) + (dot(moment_a, spin_a) + dot(moment_b, spin_b));
    }
};

// The velocities of a constraint's bodies while impulses change them.
struct WVelocities {
    WVec3 va, wa, vb, wb;

    LANEFOLD_INLINE WVelocities(const LaneVelocity& a, const LaneVelocity& b) : va(a.v), wa(a.w), vb(b.v), wb(b.w) {}

    // The velocity of the end of B's arm against that of A's.
    LANEFOLD_INLINE WVec3 relative(const WVec3& arm_a, const WVec3& arm_b) const {
        return (vb + cross(wb, arm_b)) - (va + cross(wa, arm_a));
    }
    LANEFOLD_INLINE WFloat along(const WVec3& direction, const WImpulseRow& row) const {
        return dot(direction, vb - va) + (dot(row.moment_b, wb) - dot(row.moment_a, wa));
    }
    // Applies an impulse p to B at arm b, and the opposite to A at arm a.
    LANEFOLD_INLINE void apply(const LaneMotion& a, const LaneMotion& b, const WVec3& arm_a, const WVec3& arm_b,
                               const WVec3& p) {
        apply_moments(a, b, p, cross(arm_a, p), cross(arm_b, p));
    }
    // The same by its moments.
    LANEFOLD_INLINE void apply_moments(const LaneMotion& a, const LaneMotion& b, const WVec3& p, const WVec3& moment_a,
                                       const WVec3& moment_b) {
        va = va - p * a.inverse_mass;
        wa = wa - a.inverse_inertia * moment_a;
        vb = vb + p * b.inverse_mass;
        wb = wb + b.inverse_inertia * moment_b;
    }
    LANEFOLD_INLINE void apply(const LaneVelocity& a, const LaneVelocity& b, const WVec3& direction,
                               const WImpulseRow& row, WFloat impulse) {
        va = va - direction * (impulse * a.inverse_mass);
        wa = wa - row.spin_a * impulse;
        vb = vb + direction * (impulse * b.inverse_mass);
        wb = wb + row.spin_b * impulse;
    }
    LANEFOLD_INLINE void apply_twist(const LaneMotion& a, const LaneMotion& b, const WVec3& turn) {
        wa = wa - a.inverse_inertia * turn;
        wb = wb + b.inverse_inertia * turn;
    }
    // Takes the lanes of m from o, and leaves the others to the last bit: adding an impulse of 0 would turn -0 into 0.
    LANEFOLD_INLINE void assign(WMask m, const WVelocities& o) {
        va = select(m, o.va, va);
        wa = select(m, o.wa, wa);
        vb = select(m, o.vb, vb);
        wb = select(m, o.wb, wb);
    }
};

// Stores the velocities of a pair's bodies into their rows.
LANEFOLD_INLINE void store_motions(const SolverJob& job, const std::uint32_t* ia, const std::uint32_t* ib,
                                   const LaneMotion& a, const LaneMotion& b, const WVelocities& velocities) {
    DummyRows dummy;
    const WFloat none = splat(0.0F);
    store_velocity(job, ia, a, velocities.va, velocities.wa, none, dummy);
    store_velocity(job, ib, b, velocities.vb, velocities.wb, none, dummy);
}

// The same within sweeps over what one problem reaches: bodies of the lanes `moved` get the mark, others keep theirs.
LANEFOLD_INLINE void store_marked_motions(const SolverJob& job, const std::uint32_t* ia, const std::uint32_t* ib,
                                          const LaneVelocity& a, const LaneVelocity& b, const WVelocities& velocities,
                                          WMask moved, float mark) {
    DummyRows dummy;
    store_velocity(job, ia, a, velocities.va, velocities.wa, select(moved, splat(mark), a.struck), dummy);
    store_velocity(job, ib, b, velocities.vb, velocities.wb, select(moved, splat(mark), b.struck), dummy);
}

// 1 / x where x > 0, 0 elsewhere.
LANEFOLD_INLINE WFloat inverse_or_zero(WFloat x) {
    const WMask positive = x > splat(0.0F);
    return select(positive, splat(1.0F) / select(positive, x, splat(1.0F)), splat(0.0F));
}

// The change of velocity along the direction with moment e by a unit impulse with moment d.
LANEFOLD_INLINE WFloat response(const LaneMotion& m, const WVec3& moment_d, const WVec3& moment_e) {
    return dot(moment_e, m.inverse_inertia * moment_d);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
