// SPDX-License-Identifier: MIT
//
// An interval between two frames, as far as it is known.
#pragma once

#include <optional>
#include <span>

#include <lanefold/body.hpp>

#include "events/body_motion.hpp"

namespace lanefold::tools {

// A contact as its solver has it, over the whole interval.
struct SolvedContact {
    Pair pair;
    float impulse = 0;     // along the normal
    float distance = 0;    // at the begin
    float normal[3] = {};  // unit, from a to b
    float point[3] = {};   // the deepest one, from a's position
};

// All spans have one element a body. A body that is not there all the time has no pose at the begin.
struct IntervalInput {
    BodyView begin;
    BodyView end;
    std::span<const BodyMotion> before;  // from the frame before; where it is not there, `during` counts
    std::span<const BodyMotion> during;
    std::span<const BodyMotion> after;                     // to the frame that follows
    std::optional<std::span<const SolvedContact>> solved;  // ascending by pair; absent: impulses are estimated
};

}  // namespace lanefold::tools
