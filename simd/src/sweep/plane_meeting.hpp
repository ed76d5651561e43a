// SPDX-License-Identifier: MIT
//
// When a hull comes down to a half-space: the height of its lowest vertex over the plane is the distance, in float64
// without a kernel. Its normal, which may turn, is followed as any axis is (clearance.hpp).
#pragma once

#include "sweep/clearance.hpp"

namespace lanefold::detail {

// Part of the tolerance that the rounding of separations may take. With more the axes could not prove that a pair at
// the tolerance is above the target.
inline constexpr double kSlackInTolerance = 0.125;

struct PlaneMeeting {
    SweepState state = SweepState::failed;
    SweepFailure failure = SweepFailure::none;
    std::uint16_t rounds = 0;
    Moment moment;        // clear up to here
    double distance = 0;  // there
};
PlaneMeeting meet_plane(const PairMotion& pair, ClearanceScratch& scratch);

}  // namespace lanefold::detail
