// SPDX-License-Identifier: MIT
//
// Speculative margins: how near two bodies may come to each other in a step, from their velocities. A solver that takes
// the manifolds of a call with these margins sees every pair that can meet in the step before it does.
//
// The margin bounds the approach of bodies that keep their velocities: no point of a body moves faster, relative to the
// other body, than the difference of the velocities and both spins times their reach. It cannot do more:
//   - a body that the solver speeds up in the step (gravity, other contacts) may come further: add speed * dt for it;
//   - a contact tells where the bodies are nearest now. Bodies that turn meet elsewhere, and a solver that stops them
//     at the contact's plane may stop bodies that would have passed each other (ghost contacts);
//   - it has no direction, so that bodies that part get it, too, and a large one costs time.
// Where a contact must be exact in time, sweep() finds it.
#pragma once

#include <cmath>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/status.hpp>
#include <lanefold/vec.hpp>

namespace lanefold {

// The most by which two bodies come nearer in a time. `turning`: the speed of the fastest point of each by its spin
// alone, which is the spin times the distance of the furthest point. The rule of World and of speculative_margins().
template <class T>
T approach_in(const Vec3<T>& velocity_a, const Vec3<T>& velocity_b, T turning_a, T turning_b, T time) {
    return (length(velocity_a - velocity_b) + (turning_a + turning_b)) * time;
}

// The velocities of bodies, in world axes: of their positions, and spins in radians per unit of time.
struct BodyVelocities {
    std::span<const Vec3f> linear;
    std::span<const Vec3f> angular;
};

// Writes the margin of each pair: `margin`, and by how much the bodies may come nearer in a time, rounded up. Give them
// to a call as CallInputs::pair_margins. Pairs with a bad index or hull get `margin`; the call gives them their status.
// Refused with bad_argument before anything is written: arrays of different lengths, null with a length, a velocity
// that is not finite (where: the body), a margin or time that is negative or not finite. A margin beyond float32 is the
// largest float32 number.
LANEFOLD_EXPORT CallStatus speculative_margins(const HullSet& hulls, const BodyView& bodies,
                                               const BodyVelocities& velocities, std::span<const Pair> pairs,
                                               float time, float margin, std::span<float> out);

}  // namespace lanefold
