// SPDX-License-Identifier: MIT
//
// How far the arms of contacts turn with a body. Contains no SIMD types.
#pragma once

namespace lanefold::detail {

// The ends of a contact are points of two bodies, found when the step began. Once a body has turned by so much, other
// points of it have come down in their place. The arms turn no further then, and those that have swung with the body
// act as the radius of a ball that touches there, until the next step finds the body's points. Without this a small
// body that tips over within a step goes through the floor, because the points that held it have turned up. 0.5
// radians; its half's sine and cosine.
inline constexpr float kArmTurn = 0.5F;
inline constexpr float kArmTurnSine = 0.247403959F;
inline constexpr float kArmTurnCosine = 0.968912422F;
// Half of the square of what 0.5 radians about an axis across an arm swing its end by, as a share of its length. An arm
// along the axis, as a top's tip has it, stays where it is however fast the top spins.
inline constexpr float kSwungSquare = 0.122417438F;
// The largest factor of an arm that turns no further.
inline constexpr float kBelowOne = 0.99999994F;
// Stands for the sine of a half angle that float32 rounds to 0.
inline constexpr float kLeastSine = 1e-20F;

}  // namespace lanefold::detail
