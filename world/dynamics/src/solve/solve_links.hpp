// SPDX-License-Identifier: MIT
//
// A lane is a cable or a rod: the distance between two points, at most or exactly a length. Direction, arms and
// effective mass follow the bodies in every substep, because a short link turns far in one. Links that can be solved
// together (link_groups.hpp) are not here.
#pragma once

#include "solve/solve_contacts.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE WBlock link_block(const SolverJob& job, std::uint32_t i) {
    return {job.link_blocks.data + std::size_t{job.link_blocks.first[i]} * kWidth};
}

// A block and its bodies in a stage: how the links lie now.
struct WLink {
    WBlock block;
    const std::uint32_t* ia;
    const std::uint32_t* ib;
    LaneMotion a, b;
    WVec3 arm_a, arm_b;
    WVec3 direction;  // from A to B; 0 where the ends coincide
    WFloat excess;    // over the length
    WFloat mass;

    LANEFOLD_INLINE WLink(const SolverJob& job, std::uint32_t i)
        : block(link_block(job, i)),
          ia(job.link_blocks.a + std::size_t{i} * kWidth),
          ib(job.link_blocks.b + std::size_t{i} * kWidth),
          a(load_motion(job, ia)),
          b(load_motion(job, ib)) {
        const LaneMoved moved_a = load_moved(job, ia);
        const LaneMoved moved_b = load_moved(job, ib);
        const WVec3 from = block.get3(kLinkArmA), to = block.get3(kLinkArmB);
        const WVec3 swing_a = moved_a.swing(from), swing_b = moved_b.swing(to);
        arm_a = from + swing_a;
        arm_b = to + swing_b;
        const WVec3 d = block.get3(kLinkVector) + ((moved_b.dp - moved_a.dp) + (swing_b - swing_a));
        const WFloat length = sqrt(dot(d, d));
        direction = d * inverse_or_zero(length);
        excess = length - block.get(kLinkLength);
        const WVec3 ca = cross(arm_a, direction), cb = cross(arm_b, direction);
        const WFloat gain = (a.inverse_mass + b.inverse_mass) + (response(a, ca, ca) + response(b, cb, cb));
        mass = select(length > splat(0.0F), inverse_or_zero(gain), splat(0.0F));
    }

    // A positive impulse pushes the ends apart.
    LANEFOLD_INLINE void apply(WVelocities& velocities, WFloat impulse) const {
        velocities.apply(a, b, arm_a, arm_b, direction * impulse);
    }
    LANEFOLD_INLINE WFloat velocity(const WVelocities& velocities) const {
        return dot(velocities.relative(arm_a, arm_b), direction);
    }
    LANEFOLD_INLINE void store(const SolverJob& job, const WVelocities& velocities) {
        store_motions(job, ia, ib, a, b, velocities);
    }
};

// Prepares one lane's link: arms in world axes, and the vector between the ends, in float64.
inline void prepare_link(const SolverJob& job, std::uint32_t i, std::uint32_t l) {
    const std::size_t at = std::size_t{i} * kWidth + l;
    float* data = link_block(job, i).data + l;
    for (std::uint32_t f = 0; f < kLinkFields; ++f) data[f * kWidth] = 0.0F;
    const std::uint32_t source = job.link_blocks.source[at];
    if (source == kNoRow) return;
    const LinkRow& link = job.links[source];
    const std::uint32_t body[2] = {job.link_blocks.a[at], job.link_blocks.b[at]};
    double end[2][3];
    for (int side = 0; side < 2; ++side) {
        float arm[3] = {0, 0, 0};
        const bool fixed = side == 1 && link.fixed != 0;
        if (!fixed) {
            const float* q = job.turn[body[side]].q;
            const float* e = side == 0 ? link.end_a : link.end_b;
            // e + 2 s (u x e) + 2 u x (u x e)
            const float cx = q[1] * e[2] - q[2] * e[1], cy = q[2] * e[0] - q[0] * e[2], cz = q[0] * e[1] - q[1] * e[0];
            const float dx = q[1] * cz - q[2] * cy, dy = q[2] * cx - q[0] * cz, dz = q[0] * cy - q[1] * cx;
            arm[0] = e[0] + 2 * (q[3] * cx + dx);
            arm[1] = e[1] + 2 * (q[3] * cy + dy);
            arm[2] = e[2] + 2 * (q[3] * cz + dz);
        }
        const Vec3d centre = job.centre[body[side]];
        const double from[3] = {centre.x, centre.y, centre.z};
        for (std::uint32_t k = 0; k < 3; ++k) {
            end[side][k] = fixed ? link.anchor[k] : from[k] + static_cast<double>(arm[k]);
            data[((side == 0 ? kLinkArmA : kLinkArmB) + k) * kWidth] = arm[k];
        }
    }
    for (std::uint32_t k = 0; k < 3; ++k) data[(kLinkVector + k) * kWidth] = static_cast<float>(end[1][k] - end[0][k]);
    data[kLinkLength * kWidth] = link.length;
    data[kLinkCable * kWidth] = link.cable != 0 ? 1.0F : 0.0F;
    data[kLinkRestitution * kWidth] = link.restitution;
    data[kLinkImpulse * kWidth] = job.link_impulses[source].along * job.impulse_ratio;
}

inline void prepare_links(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
        for (std::uint32_t l = 0; l < kWidth; ++l) prepare_link(job, i, l);
        const WLink link(job, i);
        link.block.set(kLinkVelocity, link.velocity(WVelocities(link.a, link.b)));
    }
}

inline void warm_links(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
        WLink link(job, i);
        WVelocities velocities(link.a, link.b);
        link.apply(velocities, link.block.get(kLinkImpulse));
        link.store(job, velocities);
    }
}

template <bool kBias>
LANEFOLD_INLINE void iterate_links(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const WFloat zero = splat(0.0F), one = splat(1.0F);
    for (std::uint32_t i = first; i < last; ++i) {
        WLink link(job, i);
        WVelocities velocities(link.a, link.b);
        const WMask cable = link.block.get(kLinkCable) > zero;
        // A slack cable may come taut in this substep and no further.
        const WMask slack = cable & (link.excess < zero);
        WFloat bias = select(slack, link.excess * splat(job.inverse_h), zero);
        WFloat scale = one, impulse_scale = zero;
        if constexpr (kBias) {
            const WFloat most = splat(job.push_speed);
            const WFloat pull = max(min(splat(job.soft_link.bias_rate) * link.excess, most), negate(most));
            bias = select(slack, bias, pull);
            scale = select(slack, one, splat(job.soft_link.mass_scale));
            impulse_scale = select(slack, zero, splat(job.soft_link.impulse_scale));
        }
        const WFloat before = link.block.get(kLinkImpulse);
        const WFloat wanted =
            before - (link.mass * scale * (link.velocity(velocities) + bias) + impulse_scale * before);
        const WFloat after = select(cable, min(wanted, zero), wanted);
        link.block.set(kLinkImpulse, after);
        link.block.set(kLinkPeak, min(link.block.get(kLinkPeak), after));
        link.apply(velocities, after - before);
        link.store(job, velocities);
    }
}

inline void solve_links(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    iterate_links<true>(job, first, last);
}
inline void relax_links(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    iterate_links<false>(job, first, last);
}

// Restitution of cables that came taut faster than the threshold, once, after the last substep.
inline void bounce_links(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const WFloat zero = splat(0.0F);
    for (std::uint32_t i = first; i < last; ++i) {
        WLink link(job, i);
        WVelocities velocities(link.a, link.b);
        const WFloat restitution = link.block.get(kLinkRestitution);
        const WFloat parting = link.block.get(kLinkVelocity);
        const WMask bounces = (link.block.get(kLinkCable) > zero) & (restitution > zero) &
                              (parting > splat(job.restitution_threshold)) & (link.block.get(kLinkPeak) < zero);
        const WFloat before = link.block.get(kLinkImpulse);
        const WFloat wanted = before - link.mass * (link.velocity(velocities) + restitution * parting);
        WVelocities back = velocities;
        link.apply(back, min(wanted, zero) - before);
        velocities.assign(bounces, back);
        link.store(job, velocities);
    }
}

inline void store_links(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
        const std::uint32_t* source = job.link_blocks.source + std::size_t{i} * kWidth;
        const float* impulse = link_block(job, i).data + kLinkImpulse * kWidth;
        for (std::uint32_t l = 0; l < kWidth; ++l)
            if (source[l] != kNoRow) job.link_impulses[source[l]].along = impulse[l];
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
