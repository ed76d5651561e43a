// SPDX-License-Identifier: MIT
//
// Makes the constraints of a step from its manifolds and from the impulses that they begin with.
#pragma once

#include "solve/tight.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// A unit vector perpendicular to n, and to the z axis where |n.x| is large, elsewhere to the x axis.
LANEFOLD_INLINE WVec3 across(const WVec3& n) {
    const WFloat zero = splat(0.0F);
    const WMask tall = abs(n.x) >= splat(0.57735F);
    const WVec3 t = select(tall, WVec3{n.y, negate(n.x), zero}, WVec3{zero, n.z, negate(n.y)});
    const WFloat length = sqrt(dot(t, t));
    return t * inverse_or_zero(length);
}

struct WMaterial {
    WFloat friction, restitution, size, round;
};

LANEFOLD_INLINE WMaterial load_material(const SolverJob& job, const std::uint32_t* index) {
    const float* rows[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) rows[l] = &job.material[index[l]].friction;
    WFloat c[4];
    load_quads<1>(rows, c);
    return {c[0], c[1], c[2], c[3]};
}

// Takes the numbers of the parts that meet instead of those of their bodies.
LANEFOLD_INLINE void load_parts(const SolverJob& job, const std::uint32_t* source, WMaterial& a, WMaterial& b) {
    static constexpr PartMaterial kNothing{};
    const float* rows[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l)
        rows[l] = source[l] != kNoRow ? &job.parts[source[l]].size_a : &kNothing.size_a;
    WFloat c[4];
    load_quads<1>(rows, c);
    a.size = c[0];
    b.size = c[1];
    a.round = c[2];
    b.round = c[3];
}

// From B's centre of mass to A's, subtracted in float64.
LANEFOLD_INLINE WVec3 centre_b_to_a(const SolverJob& job, const std::uint32_t* a, const std::uint32_t* b) {
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

// The lanes' manifolds and the impulses that they begin with; lanes without a manifold have zeros.
struct WRecord {
    LaneManifold manifold;
    LaneImpulse impulse;

    LANEFOLD_INLINE WRecord(const SolverJob& job, const std::uint32_t* source) {
        static constexpr Manifold4 kNothing{};
        static constexpr ContactImpulse kNoImpulse{};
        const float* rows[kWidth];
        const float* impulses[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const bool some = source[l] != kNoRow;
            rows[l] = reinterpret_cast<const float*>(some ? job.records + source[l] : &kNothing);
            impulses[l] = some ? job.impulses[source[l]].normal : kNoImpulse.normal;
        }
        manifold = LaneManifold::load(rows);
        impulse = LaneImpulse::load(impulses);
        const WFloat ratio = splat(job.impulse_ratio);
        for (WFloat& p : impulse.normal) p = p * ratio;
        impulse.tangent = impulse.tangent * ratio;
        impulse.twist = impulse.twist * ratio;
    }

    LANEFOLD_INLINE WMask has(std::uint32_t k) const { return splat(static_cast<float>(k)) < manifold.count; }
    LANEFOLD_INLINE WFloat separation(std::uint32_t k) const { return manifold.separation[k]; }
    // From A's centre of mass, which is at `centre` from A's position; zero where there is no such point.
    LANEFOLD_INLINE WVec3 arm(std::uint32_t k, const WVec3& centre) const {
        const WFloat zero = splat(0.0F);
        return select(has(k), manifold.position[k] - centre, WVec3{zero, zero, zero});
    }
};

// From A's position to its centre of mass.
LANEFOLD_INLINE WVec3 centre_of_mass(const SolverJob& job, const std::uint32_t* index) {
    return LaneTurn::load(RowsAt<const TurnRow>{job.turn, index}).centre;
}

struct WAnchor {
    WVec3 arm;  // from A's centre of mass
    WFloat separation;
};

// Friction acts at the mean of the points that bear the load now. Points that only may touch in this step do not count,
// or the tip of a fast top, whose margin reaches up to its rim, would be rubbed at half its height.
LANEFOLD_INLINE WAnchor friction_anchor(const SolverJob& job, const WRecord& record, std::uint32_t points,
                                        const WVec3& centre) {
    const WFloat zero = splat(0.0F);
    WFloat least = splat(kHighest);
    for (std::uint32_t k = 0; k < points; ++k) least = select(record.has(k), min(least, record.separation(k)), least);
    const WFloat most = max(least, zero) + splat(job.touching);
    WVec3 sum{zero, zero, zero};
    WFloat count = zero, gaps = zero;
    for (std::uint32_t k = 0; k < points; ++k) {
        const WMask bears = record.has(k) & (record.separation(k) <= most);
        sum = sum + select(bears, record.arm(k, centre), WVec3{zero, zero, zero});
        gaps = gaps + select(bears, record.separation(k), zero);
        count = count + select(bears, splat(1.0F), zero);
    }
    const WFloat share = inverse_or_zero(count);
    return {sum * share, gaps * share};
}

LANEFOLD_INLINE void prepare_points(const WContact& c, const WRecord& record, const WVec3& centre,
                                    const WVec3& anchor) {
    const WFloat zero = splat(0.0F), one = splat(1.0F);
    WFloat lever_a = zero, lever_b = zero;
    for (std::uint32_t k = 0; k < c.points; ++k) {
        const WMask there = record.has(k);
        const WVec3 arm = record.arm(k, centre), arm_b = arm + c.centres;
        const WVec3 off = arm - anchor;
        const WFloat separation = select(there, record.separation(k), zero);
        const WFloat half = abs(separation) * splat(0.5F);
        lever_a = max(lever_a, select(there, sqrt(dot(arm, arm)) + half, zero));
        lever_b = max(lever_b, select(there, sqrt(dot(arm_b, arm_b)) + half, zero));
        c.block.set3(point_field(k, kPointArm), arm);
        c.block.set(point_field(k, kPointSeparation), separation);
        c.block.set(point_field(k, kPointExists), select(there, one, zero));
        c.block.set(point_field(k, kPointImpulse), select(there, record.impulse.normal[k], zero));
        c.block.set(point_field(k, kPointReach), select(there, sqrt(dot(off, off)), zero));
    }
    // Only the core's end of a rounded body's arm turns.
    c.block.set(kLeverA, lever_a + (c.round_a + c.round_a));
    c.block.set(kLeverB, lever_b + (c.round_b + c.round_b));
}

inline void prepare_contact(const SolverJob& job, std::uint32_t i) {
    const WBlock block = contact_block(job, i);
    const std::uint32_t* ia = job.contact_blocks.a + std::size_t{i} * kWidth;
    const std::uint32_t* ib = job.contact_blocks.b + std::size_t{i} * kWidth;
    const WRecord record(job, job.contact_blocks.source + std::size_t{i} * kWidth);
    const WVec3 n = record.manifold.normal;
    block.set3(kNormal, n);
    block.set3(kCentres, centre_b_to_a(job, ia, ib));
    WMaterial ma = load_material(job, ia), mb = load_material(job, ib);
    if (job.parts != nullptr) load_parts(job, job.contact_blocks.source + std::size_t{i} * kWidth, ma, mb);
    block.set(kRoundA, ma.round);
    block.set(kRoundB, mb.round);
    const WContact c(job, i);
    const WVec3 centre = centre_of_mass(job, ia);
    const WAnchor anchor = friction_anchor(job, record, c.points, centre);
    block.set3(kAnchor, anchor.arm);
    block.set(kAnchorSeparation, anchor.separation);
    prepare_points(c, record, centre, anchor.arm);
    block.set3(kTangent, across(n));
    block.set(kFriction, sqrt(ma.friction * mb.friction));
    block.set(kRestitution, max(ma.restitution, mb.restitution));
    const WFloat zero = splat(0.0F), most = splat(kHighest);
    block.set(kSize,
              min(select(c.a.inverse_mass > zero, ma.size, most), select(c.b.inverse_mass > zero, mb.size, most)));
    const WVec3 t1 = block.get3(kTangent);
    const WVec3 old = record.impulse.tangent;
    block.set(kTangentImpulse, dot(old, t1));
    block.set(kTangentImpulse + 1, dot(old, cross(n, t1)));
    block.set(kTwistImpulse, record.impulse.twist);
    for (const std::uint32_t f : {kPushed, kPushedBefore, kPushedAfter}) block.set(f, zero);
    find_tight(job, c);
}

inline void prepare_contacts(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) prepare_contact(job, i);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
