// SPDX-License-Identifier: MIT
//
// A lane of a block of contacts is a manifold. A stage works on the block's fields together with the bodies of its
// lanes; no two lanes share a body that moves.
#pragma once

#include "solve/lane_bodies.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE WBlock contact_block(const SolverJob& job, std::uint32_t i) {
    return {job.contact_blocks.data + std::size_t{job.contact_blocks.first[i]} * kWidth};
}
LANEFOLD_INLINE std::uint32_t point_field(std::uint32_t k, std::uint32_t field) {
    return kContactHead + k * kPointFields + field;
}

// Calls f with a type whose `value` is the number of a block's points.
template <std::uint32_t kCount>
struct PointCount {
    static constexpr std::uint32_t value = kCount;
};
template <class F>
LANEFOLD_INLINE auto by_points(const SolverJob& job, std::uint32_t i, const F& f) {
    switch (job.contact_blocks.points[i]) {
        case 1:
            return f(PointCount<1>{});
        case 2:
            return f(PointCount<2>{});
        case 3:
            return f(PointCount<3>{});
        default:
            return f(PointCount<4>{});
    }
}

// The two ends of a point, each displaced with its body.
struct WArms {
    WVec3 a, b;   // from the centres of mass
    WVec3 apart;  // displacement of B's end from A's since the step began
};

// A block and its bodies in a stage.
struct WContact {
    WBlock block;
    const std::uint32_t* ia;
    const std::uint32_t* ib;
    std::uint32_t points;
    LaneMotion a, b;
    WMask turned_a, turned_b;  // by more than arms turn
    LaneMoved moved_a, moved_b;
    WMask turned;
    WVec3 n, centres;
    WFloat round_a, round_b;  // by which the hulls are rounded
    bool rounded;             // of any lane

    LANEFOLD_INLINE WContact(const SolverJob& job, std::uint32_t i)
        : block(contact_block(job, i)),
          ia(job.contact_blocks.a + std::size_t{i} * kWidth),
          ib(job.contact_blocks.b + std::size_t{i} * kWidth),
          points(job.contact_blocks.points[i]),
          a(load_motion(job, ia)),
          b(load_motion(job, ib)),
          moved_a(load_arms_moved(job, ia, turned_a)),
          moved_b(load_arms_moved(job, ib, turned_b)),
          turned(turned_a | turned_b),
          n(block.get3(kNormal)),
          centres(block.get3(kCentres)),
          round_a(block.get(kRoundA)),
          round_b(block.get(kRoundB)),
          rounded(any(round_a + round_b > splat(0.0F))) {}

    // The ends of a point that was at `arm` from A's centre of mass when the step began, midway in a gap or overlap of
    // `separation`: each on its own body. Arms that reach into the gap of a body that is fast for its size would make
    // levers many times as long as the body, and energy.
    LANEFOLD_INLINE WArms arms(const WVec3& arm, WFloat separation) const {
        const WVec3 half = n * (separation * splat(0.5F));
        const WVec3 arm_a = arm - half, arm_b = (arm + centres) + half;
        const WVec3 swing_a = swing_of_a(arm_a, splat(1.0F)), swing_b = swing_of_b(arm_b, splat(1.0F));
        WArms out{arm_a + swing_a, arm_b + swing_b, (moved_b.dp - moved_a.dp) + (swing_b - swing_a)};
        if (any(turned)) {
            out.a = select(swung(turned_a, swing_a, arm_a), n * dot(n, out.a), out.a);
            out.b = select(swung(turned_b, swing_b, arm_b), n * dot(n, out.b), out.b);
        }
        return out;
    }
    // The displacement of an arm's end on A, or of a sum of arms of so much weight. A rounded body that turns touches
    // with another point of its surface, so only the core's end swings.
    LANEFOLD_INLINE WVec3 swing_of_a(const WVec3& arm, WFloat weight) const {
        return moved_a.swing(rounded ? select(round_a > splat(0.0F), arm - n * (round_a * weight), arm) : arm);
    }
    LANEFOLD_INLINE WVec3 swing_of_b(const WVec3& arm, WFloat weight) const {
        return moved_b.swing(rounded ? select(round_b > splat(0.0F), arm + n * (round_b * weight), arm) : arm);
    }
    LANEFOLD_INLINE WArms point_arms(std::uint32_t k) const {
        return arms(block.get3(point_field(k, kPointArm)), block.get(point_field(k, kPointSeparation)));
    }
    LANEFOLD_INLINE WArms anchor_arms() const { return arms(block.get3(kAnchor), block.get(kAnchorSeparation)); }
    // The row of an impulse along the normal.
    LANEFOLD_INLINE WImpulseRow row(const WArms& arms) const {
        return WImpulseRow::of(a, b, cross(arms.a, n), cross(arms.b, n));
    }

    LANEFOLD_INLINE void store(const SolverJob& job, const WVelocities& velocities) {
        store_motions(job, ia, ib, a, b, velocities);
    }

private:
    // The arm acts as the radius of a ball (turns.hpp).
    LANEFOLD_INLINE static WMask swung(WMask has_turned, const WVec3& swing, const WVec3& arm) {
        return has_turned & (dot(swing, swing) > splat(kSwungSquare) * dot(arm, arm));
    }
};

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
