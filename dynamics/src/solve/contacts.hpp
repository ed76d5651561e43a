// SPDX-License-Identifier: MIT
//
// Contacts in lanes, lane by lane one manifold: the constraints of a step from its records, warm start, the iteration over
// friction and normals, restitution, and the way back to the records. No two lanes of a block share a body that moves.
//
// Method: soft constraints with substeps ("TGS soft" of E. Catto's Solver2D study, 2024): each substep accelerates, starts
// from the impulses of the one before, solves once with a bias that takes overlap back like an overdamped spring and lets
// a gap close exactly, moves the bodies, and solves once more without the bias, which takes out the velocity it had put in.
// Arms stay; the separation follows the bodies. Friction acts on the manifold as a whole: a force in the plane of contact at
// the mean of the points within Coulomb's circle, and a moment about the normal.
#pragma once

#include "solve/lane_bodies.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE WBlock contact_block(const SolverJob& job, std::uint32_t i) {
    return {job.contact_blocks.data + std::size_t{i} * (kContactFields * kWidth)};
}
LANEFOLD_INLINE std::uint32_t point_field(std::uint32_t k, std::uint32_t field) {
    return kContactHead + k * kPointFields + field;
}

// A unit vector across n, the same for the same n: along the axes, of those across the two smaller components of n.
LANEFOLD_INLINE WVec3 across(const WVec3& n) {
    const WFloat zero = splat(0.0F);
    const WMask tall = abs(n.x) >= splat(0.57735F);
    const WVec3 t = select(tall, WVec3{n.y, negate(n.x), zero}, WVec3{zero, n.z, negate(n.y)});
    const WFloat length = sqrt(dot(t, t));
    return t * inverse_or_zero(length);
}

struct WMaterial {
    WFloat friction, restitution;
};

LANEFOLD_INLINE WMaterial load_material(const SolverJob& job, const std::uint32_t* index) {
    const float* rows[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) rows[l] = &job.material[index[l]].friction;
    WFloat c[2];
    load_rows2(rows, c);
    return {c[0], c[1]};
}

// From B's centre of mass to A's, subtracted in float64.
LANEFOLD_INLINE WVec3 between_centres(const SolverJob& job, const std::uint32_t* a, const std::uint32_t* b) {
    alignas(64) float d[3][kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const Vec3d& p = job.centre[a[l]];
        const Vec3d& q = job.centre[b[l]];
        d[0][l] = static_cast<float>(p.x - q.x);
        d[1][l] = static_cast<float>(p.y - q.y);
        d[2][l] = static_cast<float>(p.z - q.z);
    }
    return {WFloat::load(d[0]), WFloat::load(d[1]), WFloat::load(d[2])};
}

// What friction needs: tangents, the mean of the points, and what a unit impulse does there.
LANEFOLD_INLINE void prepare_friction(const WBlock& block, const WMotion& a, const WMotion& b, const WVec3& n,
                                      const WVec3& anchor, const WVec3& centres) {
    const WVec3 t1 = across(n);
    const WVec3 t2 = cross(n, t1);
    const WVec3 anchor_b = anchor + centres;
    const WVec3 a1 = cross(anchor, t1), a2 = cross(anchor, t2);
    const WVec3 b1 = cross(anchor_b, t1), b2 = cross(anchor_b, t2);
    const WFloat linear = a.inverse_mass() + b.inverse_mass();
    const WFloat k11 = linear + (response(a, a1, a1) + response(b, b1, b1));
    const WFloat k22 = linear + (response(a, a2, a2) + response(b, b2, b2));
    const WFloat k12 = response(a, a1, a2) + response(b, b1, b2);
    const WFloat inverse = inverse_or_zero(k11 * k22 - k12 * k12);
    block.set3(kTangent, t1);
    block.set(kTangentMass, k22 * inverse);
    block.set(kTangentMass + 1, negate(k12) * inverse);
    block.set(kTangentMass + 2, k11 * inverse);
    block.set(kTwistMass, inverse_or_zero(response(a, n, n) + response(b, n, n)));
}

inline void prepare_contact(const SolverJob& job, std::uint32_t i) {
    const WBlock block = contact_block(job, i);
    const std::uint32_t* ia = job.contact_blocks.a + std::size_t{i} * kWidth;
    const std::uint32_t* ib = job.contact_blocks.b + std::size_t{i} * kWidth;
    const std::uint32_t* source = job.contact_blocks.source + std::size_t{i} * kWidth;

    static constexpr Manifold4 kNoRecord{};
    static constexpr ContactImpulse kNoImpulse{};
    const float* rows[kWidth];
    const float* impulses[kWidth];
    const float* turns[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const bool some = source[l] != kNoRow;
        rows[l] = reinterpret_cast<const float*>(some ? job.records + source[l] : &kNoRecord);
        impulses[l] = some ? job.impulses[source[l]].normal : kNoImpulse.normal;
        turns[l] = job.turn[ia[l]].dp;
    }
    WFloat record[32];
    load_rows16(rows, record);
    for (std::uint32_t l = 0; l < kWidth; ++l) rows[l] += 16;
    load_rows16(rows, record + 16);
    WFloat impulse[8];
    load_quads<2>(impulses, impulse);
    WFloat turn[16];
    load_rows16(turns, turn);

    const WMotion a = load_motion(job, ia);
    const WMotion b = load_motion(job, ib);
    const WPush motion(a, b);
    const WVec3 n = column3(record + 2);
    const WFloat count = to_float(shift_right_logical(bit_cast_int(record[8]), 16) & WInt(0xFF));
    const WVec3 centres = between_centres(job, ia, ib);
    const WVec3 centre = column3(turn + 12);
    const WFloat zero = splat(0.0F);

    WVec3 sum{zero, zero, zero};
    for (std::uint32_t k = 0; k < 4; ++k) {
        const WMask there = splat(static_cast<float>(k)) < count;
        const WVec3 arm = column3(record + 12 + 5 * k) - centre;
        sum = sum + select(there, arm, WVec3{zero, zero, zero});
    }
    const WVec3 anchor = sum * inverse_or_zero(count);

    for (std::uint32_t k = 0; k < 4; ++k) {
        const WMask there = splat(static_cast<float>(k)) < count;
        const WVec3 arm = select(there, column3(record + 12 + 5 * k) - centre, WVec3{zero, zero, zero});
        const WVec3 arm_b = arm + centres;
        const WVec3 an = cross(arm, n), bn = cross(arm_b, n);
        const WFloat gain = (a.inverse_mass() + b.inverse_mass()) + (response(a, an, an) + response(b, bn, bn));
        const WVec3 off = arm - anchor;
        block.set3(point_field(k, kPointArm), arm);
        block.set(point_field(k, kPointSeparation), record[15 + 5 * k]);
        block.set(point_field(k, kPointMass), select(there, inverse_or_zero(gain), zero));
        block.set(point_field(k, kPointImpulse), select(there, impulse[k] * splat(job.impulse_ratio), zero));
        block.set(point_field(k, kPointPeak), zero);
        block.set(point_field(k, kPointVelocity), dot(motion.relative(arm, arm_b), n));
        block.set(point_field(k, kPointReach), select(there, sqrt(dot(off, off)), zero));
    }
    block.set3(kNormal, n);
    block.set3(kAnchor, anchor);
    block.set3(kCentres, centres);
    prepare_friction(block, a, b, n, anchor, centres);
    const WMaterial ma = load_material(job, ia);
    const WMaterial mb = load_material(job, ib);
    block.set(kFriction, sqrt(ma.friction * mb.friction));
    block.set(kRestitution, max(ma.restitution, mb.restitution));
    const WMask immovable = (a.inverse_mass() <= zero) | (b.inverse_mass() <= zero);
    block.set(kImmovable, select(immovable, splat(1.0F), zero));
    const WVec3 t1 = block.get3(kTangent);
    const WVec3 old = column3(impulse + 4) * splat(job.impulse_ratio);
    block.set(kTangentImpulse, dot(old, t1));
    block.set(kTangentImpulse + 1, dot(old, cross(n, t1)));
    block.set(kTwistImpulse, impulse[7] * splat(job.impulse_ratio));
}

inline void prepare_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) prepare_contact(job, i);
}

// A block while it is worked on.
struct WContact {
    WBlock block;
    const std::uint32_t* ia;
    const std::uint32_t* ib;
    std::uint32_t points;
    WMotion a, b;
    WVec3 n, centres;

    LANEFOLD_INLINE WContact(const SolverJob& job, std::uint32_t i)
        : block(contact_block(job, i)),
          ia(job.contact_blocks.a + std::size_t{i} * kWidth),
          ib(job.contact_blocks.b + std::size_t{i} * kWidth),
          points(job.contact_blocks.points[i]),
          a(load_motion(job, ia)),
          b(load_motion(job, ib)),
          n(block.get3(kNormal)),
          centres(block.get3(kCentres)) {}

    LANEFOLD_INLINE void store(const SolverJob& job, const WPush& push) {
        Waste waste;
        a.set(push.va, push.wa);
        b.set(push.vb, push.wb);
        store_motion(job, ia, a, waste);
        store_motion(job, ib, b, waste);
    }
};

inline void warm_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
        WContact c(job, i);
        WPush push(c.a, c.b);
        for (std::uint32_t k = 0; k < c.points; ++k) {
            const WVec3 arm = c.block.get3(point_field(k, kPointArm));
            push.apply(c.a, c.b, arm, arm + c.centres, c.n * c.block.get(point_field(k, kPointImpulse)));
        }
        const WVec3 t1 = c.block.get3(kTangent);
        const WVec3 anchor = c.block.get3(kAnchor);
        const WVec3 p = t1 * c.block.get(kTangentImpulse) + cross(c.n, t1) * c.block.get(kTangentImpulse + 1);
        push.apply(c.a, c.b, anchor, anchor + c.centres, p);
        push.apply_twist(c.a, c.b, c.n * c.block.get(kTwistImpulse));
        c.store(job, push);
    }
}

// Friction against the normal impulses as they are: about the normal, then in the plane.
LANEFOLD_INLINE void solve_friction(const WContact& c, WPush& push) {
    WFloat normal = splat(0.0F), moment = splat(0.0F);
    for (std::uint32_t k = 0; k < c.points; ++k) {
        const WFloat p = c.block.get(point_field(k, kPointImpulse));
        normal = normal + p;
        moment = moment + p * c.block.get(point_field(k, kPointReach));
    }
    const WFloat friction = c.block.get(kFriction);
    {
        const WFloat most = friction * moment;
        const WFloat before = c.block.get(kTwistImpulse);
        const WFloat wanted = before - c.block.get(kTwistMass) * dot(push.wb - push.wa, c.n);
        const WFloat after = max(min(wanted, most), negate(most));
        c.block.set(kTwistImpulse, after);
        push.apply_twist(c.a, c.b, c.n * (after - before));
    }
    const WVec3 t1 = c.block.get3(kTangent);
    const WVec3 t2 = cross(c.n, t1);
    const WVec3 anchor = c.block.get3(kAnchor);
    const WVec3 anchor_b = anchor + c.centres;
    const WVec3 v = push.relative(anchor, anchor_b);
    const WFloat v1 = dot(v, t1), v2 = dot(v, t2);
    const WFloat m11 = c.block.get(kTangentMass), m12 = c.block.get(kTangentMass + 1),
                 m22 = c.block.get(kTangentMass + 2);
    const WFloat before1 = c.block.get(kTangentImpulse), before2 = c.block.get(kTangentImpulse + 1);
    WFloat after1 = before1 - (m11 * v1 + m12 * v2);
    WFloat after2 = before2 - (m12 * v1 + m22 * v2);
    const WFloat most = friction * normal;
    const WFloat length2 = after1 * after1 + after2 * after2;
    const WMask slides = length2 > most * most;
    const WFloat cut = select(slides, most / sqrt(select(slides, length2, splat(1.0F))), splat(1.0F));
    after1 = after1 * cut;
    after2 = after2 * cut;
    c.block.set(kTangentImpulse, after1);
    c.block.set(kTangentImpulse + 1, after2);
    push.apply(c.a, c.b, anchor, anchor_b, t1 * (after1 - before1) + t2 * (after2 - before2));
}

// What the normals of a manifold are solved for: per point the velocity that is wanted, and how softly.
struct WNormals {
    WFloat bias[4], scale[4], give[4];
    WMask closed[4];  // touches, pushed last time, or will touch
};

// A gap may close in this substep and no further; an overlap is taken back softly, or left alone. Notes how fast points
// close before they are pushed: what restitution gives back.
template <bool kBias>
LANEFOLD_INLINE WNormals find_normals(const SolverJob& job, const WContact& c, const WPush& push) {
    const WFloat zero = splat(0.0F), one = splat(1.0F);
    const WTurn ta = load_turn(job, c.ia);
    const WTurn tb = load_turn(job, c.ib);
    const WMask immovable = c.block.get(kImmovable) > zero;
    const WFloat bias_rate = select(immovable, splat(job.soft_immovable.bias_rate), splat(job.soft.bias_rate));
    const WFloat mass_scale = select(immovable, splat(job.soft_immovable.mass_scale), splat(job.soft.mass_scale));
    const WFloat impulse_scale =
        select(immovable, splat(job.soft_immovable.impulse_scale), splat(job.soft.impulse_scale));
    WNormals out;
    for (std::uint32_t k = 0; k < c.points; ++k) {
        const WVec3 arm = c.block.get3(point_field(k, kPointArm));
        const WVec3 arm_b = arm + c.centres;
        const WVec3 moved = (tb.dp - ta.dp) + (tb.swing(arm_b) - ta.swing(arm));
        const WFloat s = dot(moved, c.n) + c.block.get(point_field(k, kPointSeparation));
        const WMask gap = s > zero;
        out.bias[k] = select(gap, s * splat(job.inverse_h), zero);
        out.scale[k] = one;
        out.give[k] = zero;
        if constexpr (kBias) {
            out.bias[k] = select(gap, out.bias[k], max(bias_rate * s, splat(-job.push_speed)));
            out.scale[k] = select(gap, one, mass_scale);
            out.give[k] = select(gap, zero, impulse_scale);
        }
        const WFloat vn = dot(push.relative(arm, arm_b), c.n);
        const WMask pushed = c.block.get(point_field(k, kPointImpulse)) > zero;
        out.closed[k] =
            (c.block.get(point_field(k, kPointMass)) > zero) & ((~gap | pushed) | (vn + out.bias[k] < zero));
        if constexpr (kBias)
            c.block.set(point_field(k, kPointVelocity), min(c.block.get(point_field(k, kPointVelocity)), vn));
    }
    return out;
}

// All closed points together, by the same impulse each: what stops the manifold as a whole does not turn it. Without this
// the points of a level face, solved one after the other, would tilt what falls on it, and a straight tower would sway.
// It minimises the same as the points do, softness included, or the two would shake what they hold.
LANEFOLD_INLINE void solve_mean(const WContact& c, const WNormals& normals, WPush& push) {
    const WFloat zero = splat(0.0F), one = splat(1.0F);
    WVec3 sum{zero, zero, zero};
    WFloat count = zero, wanted = zero, compliance = zero, least = splat(kHighest);
    for (std::uint32_t k = 0; k < c.points; ++k) {
        const WMask m = normals.closed[k];
        const WFloat p = c.block.get(point_field(k, kPointImpulse));
        // (1 / mass + soft) dp = -(v + bias) - soft p is what a point alone solves.
        const WFloat soft =
            normals.give[k] * inverse_or_zero(normals.scale[k] * c.block.get(point_field(k, kPointMass)));
        sum = sum + select(m, c.block.get3(point_field(k, kPointArm)), WVec3{zero, zero, zero});
        count = count + select(m, one, zero);
        wanted = wanted + select(m, normals.bias[k] + soft * p, zero);
        compliance = compliance + select(m, soft, zero);
        least = select(m, min(least, p), least);
    }
    // A single one is solved by itself.
    const WMask several = count > one;
    const WFloat share = inverse_or_zero(count);
    const WVec3 arm = sum * share;
    const WVec3 arm_b = arm + c.centres;
    const WVec3 an = cross(arm, c.n), bn = cross(arm_b, c.n);
    const WFloat gain = (c.a.inverse_mass() + c.b.inverse_mass()) + (response(c.a, an, an) + response(c.b, bn, bn));
    const WFloat vn = dot(push.relative(arm, arm_b), c.n);
    // No point may pull.
    const WFloat each =
        max(negate((count * vn + wanted) * inverse_or_zero(count * count * gain + compliance)), negate(least));
    for (std::uint32_t k = 0; k < c.points; ++k) {
        const std::uint32_t field = point_field(k, kPointImpulse);
        const WFloat p = c.block.get(field);
        c.block.set(field, select(normals.closed[k] & several, max(p + each, zero), p));
    }
    WPush together = push;
    together.apply(c.a, c.b, arm, arm_b, c.n * (each * count));
    push.keep(several, together);
}

LANEFOLD_INLINE void solve_point(const WContact& c, const WNormals& normals, std::uint32_t k, WPush& push) {
    const WVec3 arm = c.block.get3(point_field(k, kPointArm));
    const WVec3 arm_b = arm + c.centres;
    const WFloat vn = dot(push.relative(arm, arm_b), c.n);
    const WFloat before = c.block.get(point_field(k, kPointImpulse));
    const WFloat mass = c.block.get(point_field(k, kPointMass));
    const WFloat wanted = before - (mass * normals.scale[k] * (vn + normals.bias[k]) + normals.give[k] * before);
    const WFloat after = max(wanted, splat(0.0F));
    c.block.set(point_field(k, kPointImpulse), after);
    c.block.set(point_field(k, kPointPeak), max(c.block.get(point_field(k, kPointPeak)), after));
    push.apply(c.a, c.b, arm, arm_b, c.n * (after - before));
}

template <bool kBias>
LANEFOLD_INLINE void solve_normals(const SolverJob& job, const WContact& c, WPush& push) {
    const WNormals normals = find_normals<kBias>(job, c, push);
    if (c.points > 1) solve_mean(c, normals, push);
    for (std::uint32_t k = 0; k < c.points; ++k) solve_point(c, normals, k, push);
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
// constraint it is one without softness whose bias is the velocity to give back. The impulses kept for the next step are
// those without it.
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
