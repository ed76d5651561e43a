// SPDX-License-Identifier: MIT
//
// Lane mirrors: the rows of kWidth bodies, records or impulses as lanes, with the names of the members in memory.
#pragma once

#include <cstddef>

#include "solve/solver_job.hpp"
#include "solve/turns.hpp"

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

LANEFOLD_INLINE WSymmetric select(WMask m, const WSymmetric& a, const WSymmetric& b) {
    return {select(m, a.xx, b.xx), select(m, a.xy, b.xy), select(m, a.xz, b.xz),
            select(m, a.yy, b.yy), select(m, a.yz, b.yz), select(m, a.zz, b.zz)};
}

// A rotation: vector and scalar part of a unit quaternion.
struct WQuat {
    WVec3 u;
    WFloat s;
};

// The columns of a row's three, four or six successive floats, and back.
LANEFOLD_INLINE WVec3 vector_of(const WFloat* q) { return {q[0], q[1], q[2]}; }
LANEFOLD_INLINE WQuat quat_of(const WFloat* q) { return {vector_of(q), q[3]}; }
LANEFOLD_INLINE WSymmetric symmetric_of(const WFloat* q) { return {q[0], q[1], q[2], q[3], q[4], q[5]}; }
LANEFOLD_INLINE void put(const WVec3& v, WFloat* q) {
    q[0] = v.x;
    q[1] = v.y;
    q[2] = v.z;
}
LANEFOLD_INLINE void put(const WQuat& r, WFloat* q) {
    put(r.u, q);
    q[3] = r.s;
}
LANEFOLD_INLINE void put(const WSymmetric& m, WFloat* q) {
    q[0] = m.xx;
    q[1] = m.xy;
    q[2] = m.xz;
    q[3] = m.yy;
    q[4] = m.yz;
    q[5] = m.zz;
}

// The first column of a member in its row.
#define LANEFOLD_COLUMN(row, member) (offsetof(row, member) / sizeof(float))

// The first half of MotionRow: what impulses change, and what says by how much.
struct LaneVelocity {
    WVec3 v, w;
    WFloat inverse_mass, struck;

    template <class Rows>
    LANEFOLD_INLINE static LaneVelocity load(const Rows& rows) {
        static_assert(LANEFOLD_COLUMN(MotionRow, inverse_inertia) == 8);
        WFloat q[8];
        load_quads<2>(rows, q);
        return of(q);
    }
    LANEFOLD_INLINE static LaneVelocity of(const WFloat* q) {
        return {vector_of(q + LANEFOLD_COLUMN(MotionRow, v)), vector_of(q + LANEFOLD_COLUMN(MotionRow, w)),
                q[LANEFOLD_COLUMN(MotionRow, inverse_mass)], q[LANEFOLD_COLUMN(MotionRow, struck)]};
    }
    // Stores other velocities and marks.
    template <class Rows>
    LANEFOLD_INLINE void store_velocity(const WVec3& new_v, const WVec3& new_w, WFloat new_struck,
                                        const Rows& rows) const {
        WFloat q[8];
        put_velocity(new_v, new_w, new_struck, q);
        scatter_quads<2>(q, rows);
    }

protected:
    LANEFOLD_INLINE void put_velocity(const WVec3& new_v, const WVec3& new_w, WFloat new_struck, WFloat* q) const {
        put(new_v, q + LANEFOLD_COLUMN(MotionRow, v));
        put(new_w, q + LANEFOLD_COLUMN(MotionRow, w));
        q[LANEFOLD_COLUMN(MotionRow, inverse_mass)] = inverse_mass;
        q[LANEFOLD_COLUMN(MotionRow, struck)] = new_struck;
    }
};

// MotionRow.
struct LaneMotion : LaneVelocity {
    WSymmetric inverse_inertia;

    template <class Rows>
    LANEFOLD_INLINE static LaneMotion load(const Rows& rows) {
        WFloat q[16];
        load_rows16(rows, q);
        return {LaneVelocity::of(q), symmetric_of(q + LANEFOLD_COLUMN(MotionRow, inverse_inertia))};
    }
    LANEFOLD_INLINE void store(MotionRow* rows) const {
        WFloat q[16];
        for (WFloat& x : q) x = splat(0.0F);
        put_velocity(v, w, splat(0.0F), q);
        put(inverse_inertia, q + LANEFOLD_COLUMN(MotionRow, inverse_inertia));
        store_rows16(q, rows->v);
    }
};

// TurnRow.
struct LaneTurn {
    WVec3 dp;
    WQuat dq;
    WFloat arm_turn;
    WQuat q;
    WVec3 centre;

    template <class Rows>
    LANEFOLD_INLINE static LaneTurn load(const Rows& rows) {
        WFloat c[16];
        load_rows16(rows, c);
        return {vector_of(c + LANEFOLD_COLUMN(TurnRow, dp)), quat_of(c + LANEFOLD_COLUMN(TurnRow, dq)),
                c[LANEFOLD_COLUMN(TurnRow, arm_turn)], quat_of(c + LANEFOLD_COLUMN(TurnRow, q)),
                vector_of(c + LANEFOLD_COLUMN(TurnRow, centre))};
    }
    LANEFOLD_INLINE void store(TurnRow* rows) const {
        WFloat c[16];
        for (WFloat& x : c) x = splat(0.0F);
        put(dp, c + LANEFOLD_COLUMN(TurnRow, dp));
        put(dq, c + LANEFOLD_COLUMN(TurnRow, dq));
        c[LANEFOLD_COLUMN(TurnRow, arm_turn)] = arm_turn;
        put(q, c + LANEFOLD_COLUMN(TurnRow, q));
        put(centre, c + LANEFOLD_COLUMN(TurnRow, centre));
        store_rows16(c, rows->dp);
    }
};

// The first half of TurnRow: a body's displacement since the step began.
struct LaneMoved {
    WVec3 dp;
    WQuat dq;

    template <class Rows>
    LANEFOLD_INLINE static LaneMoved load(const Rows& rows) {
        static_assert(LANEFOLD_COLUMN(TurnRow, q) == 8);
        WFloat c[8];
        load_quads<2>(rows, c);
        return {vector_of(c + LANEFOLD_COLUMN(TurnRow, dp)), quat_of(c + LANEFOLD_COLUMN(TurnRow, dq))};
    }
    // The same with the rotation of contact arms.
    template <class Rows>
    LANEFOLD_INLINE static LaneMoved load_for_arms(const Rows& rows, WMask& turned) {
        WFloat c[8];
        load_quads<2>(rows, c);
        const WQuat dq = quat_of(c + LANEFOLD_COLUMN(TurnRow, dq));
        const WFloat turn = c[LANEFOLD_COLUMN(TurnRow, arm_turn)];
        turned = turn < splat(1.0F);
        return {vector_of(c + LANEFOLD_COLUMN(TurnRow, dp)),
                {dq.u * turn, select(turned, splat(kArmTurnCosine), dq.s)}};
    }
    // The displacement of an arm's end against the centre of mass: small, and exact where the rotation is small.
    LANEFOLD_INLINE WVec3 swing(const WVec3& arm) const {
        const WVec3 c = cross(dq.u, arm);
        const WVec3 t = c + c;
        return t * dq.s + cross(dq.u, t);
    }
};

// MassRow.
struct LaneMass {
    WSymmetric inertia, inverse_inertia;
    WVec3 centre;

    template <class Rows>
    LANEFOLD_INLINE static LaneMass load(const Rows& rows) {
        WFloat q[16];
        load_rows16(rows, q);
        return {symmetric_of(q + LANEFOLD_COLUMN(MassRow, inertia)),
                symmetric_of(q + LANEFOLD_COLUMN(MassRow, inverse_inertia)),
                vector_of(q + LANEFOLD_COLUMN(MassRow, centre))};
    }
};

// ContactImpulse.
struct LaneImpulse {
    WFloat normal[4];
    WVec3 tangent;
    WFloat twist;

    template <class Rows>
    LANEFOLD_INLINE static LaneImpulse load(const Rows& rows) {
        WFloat q[8];
        load_quads<2>(rows, q);
        LaneImpulse out{
            {}, vector_of(q + LANEFOLD_COLUMN(ContactImpulse, tangent)), q[LANEFOLD_COLUMN(ContactImpulse, twist)]};
        for (std::size_t k = 0; k < 4; ++k) out.normal[k] = q[LANEFOLD_COLUMN(ContactImpulse, normal) + k];
        return out;
    }
    template <class Rows>
    LANEFOLD_INLINE void store(const Rows& rows) const {
        WFloat q[8];
        for (std::size_t k = 0; k < 4; ++k) q[LANEFOLD_COLUMN(ContactImpulse, normal) + k] = normal[k];
        put(tangent, q + LANEFOLD_COLUMN(ContactImpulse, tangent));
        q[LANEFOLD_COLUMN(ContactImpulse, twist)] = twist;
        scatter_quads<2>(q, rows);
    }
};

// Manifold4, without its ids.
struct LaneManifold {
    WVec3 normal;
    WFloat count;  // number of points
    WVec3 position[4];
    WFloat separation[4];

    // The bytes of a manifold that hold its number of points.
    static_assert(offsetof(Manifold4, total) % sizeof(float) == 0 &&
                  offsetof(Manifold4, count) == offsetof(Manifold4, total) + 2);
    static constexpr int kCountShift = 16;
    static constexpr int kCountMask = 0xFF;

    template <class Rows>
    LANEFOLD_INLINE static LaneManifold load(const Rows& rows) {
        WFloat q[32];
        const float* half[kWidth];
        load_rows16(rows, q);
        for (std::uint32_t l = 0; l < kWidth; ++l) half[l] = rows[l] + 16;
        load_rows16(half, q + 16);
        const WInt counts = bit_cast_int(q[LANEFOLD_COLUMN(Manifold4, total)]);
        LaneManifold out{vector_of(q + LANEFOLD_COLUMN(Manifold4, normal)),
                         to_float(shift_right_logical(counts, kCountShift) & WInt(kCountMask)),
                         {},
                         {}};
        for (std::size_t k = 0; k < 4; ++k) {
            const WFloat* point = q + LANEFOLD_COLUMN(Manifold4, points) + k * (sizeof(ContactPoint) / sizeof(float));
            out.position[k] = vector_of(point + LANEFOLD_COLUMN(ContactPoint, position));
            out.separation[k] = point[LANEFOLD_COLUMN(ContactPoint, separation)];
        }
        return out;
    }
};

#undef LANEFOLD_COLUMN

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
