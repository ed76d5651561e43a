// SPDX-License-Identifier: MIT
//
// The rows that a world keeps and the solver's kernels read and write: bodies by cache lines, links, their impulses.
// Contains no SIMD types.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/rigid_body.hpp>

namespace lanefold::detail {

// Bodies of an item of the stages over bodies: the widest vector's lanes.
inline constexpr std::uint32_t kBodyBlock = 16;

// A body's velocity, and the response to impulses that changes it: one cache line, read and written as a row of 16
// floats. While stages run, no velocity is -0, so that an impulse of 0 changes none to the last bit. Impulses do not
// make one: x - y and x + y are -0 only where x is. What else writes velocities adds 0.
struct alignas(64) MotionRow {
    float v[3];                // velocity of the centre of mass, world axes
    float w[3];                // angular velocity, radians per second, world axes
    float inverse_mass;        // 0: immovable, or asleep
    float struck;              // not 0: a strike changes its velocity (impacts.hpp); every other stage clears it
    float inverse_inertia[6];  // about the centre of mass, world axes: xx, xy, xz, yy, yz, zz
    float reserved2[2];
};
static_assert(sizeof(MotionRow) == 64);

// A body's displacement since the step began, and the orientation at which the step began.
struct alignas(64) TurnRow {
    float dp[3];     // displacement of the centre of mass
    float dq[4];     // rotation since the step began: x, y, z, w
    float arm_turn;  // factor of dq's vector for contact arms, below 1 once the body has turned by kArmTurn (turns.hpp)
    float q[4];      // orientation when the step began
    float centre[3];  // from the body's position to its centre of mass when the step began, world axes
    float reserved2;
};
static_assert(sizeof(TurnRow) == 64);

// A body's constants: its own axes are those of its hull's input coordinates.
struct alignas(64) MassRow {
    float inertia[6];  // about the centre of mass: xx, xy, xz, yy, yz, zz
    float inverse_inertia[6];
    float centre[3];  // centre of mass, input coordinates
    float inverse_mass;
};
static_assert(sizeof(MassRow) == 64);

struct Material {
    float friction;
    float restitution;
    float size;   // smallest extent; nothing of a fixed or kinematic body depends on it
    float round;  // by which the hull is rounded
};

// The same of the children of compounds that meet.
struct PartMaterial {
    float size_a, size_b;
    float round_a, round_b;
};

static_assert(sizeof(ContactImpulse) == 32);  // read and written as a row of 8 floats

// A link's constants, as the kernel that prepares links reads them.
struct LinkRow {
    float end_a[3];    // from the centre of mass, in the body's own axes
    float end_b[3];    // the same of B; without a B unused
    double anchor[3];  // world; only without a B
    float length;
    float restitution;
    std::uint32_t cable;
    std::uint32_t fixed;  // not 0: there is no B
};

// A cable or a rod keeps it from step to step.
struct LinkImpulse {
    float along;
};

// Stands for a row that does not exist.
inline constexpr std::uint32_t kNoRow = 0xFFFFFFFFU;

}  // namespace lanefold::detail
