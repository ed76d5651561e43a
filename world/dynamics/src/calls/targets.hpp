// SPDX-License-Identifier: MIT
//
// The motion that takes a kinematic body to a target, for calls of World and for arrays of a batch, which check the
// targets of all bodies before they move one.
#pragma once

#include <cstddef>

#include <lanefold/status.hpp>
#include <lanefold/vec.hpp>

#include "state/bodies.hpp"

namespace lanefold::detail {

struct TargetMotion {
    CallStatus status;
    Vec3f velocity{};
    Vec3f spin{};
};

// Over dt seconds, which check_duration() has accepted, in the default floating-point environment.
TargetMotion motion_to(const Bodies& bodies, std::size_t body, const double position[3], const float orientation[4],
                       double dt);

}  // namespace lanefold::detail
