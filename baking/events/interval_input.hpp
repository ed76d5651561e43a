// SPDX-License-Identifier: MIT
//
// An interval between two frames, as far as it is known.
#pragma once

#include <span>

#include <lanefold/body.hpp>

#include "events/body_motion.hpp"

namespace lanefold::tools {

// All spans have one element a body. A body that is not there all the time has no pose at the begin.
struct IntervalInput {
    BodyView begin;
    BodyView end;
    std::span<const BodyMotion> before;  // from the frame before; where it is not there, `during` counts
    std::span<const BodyMotion> during;
    std::span<const BodyMotion> after;  // to the frame that follows
};

}  // namespace lanefold::tools
