// SPDX-License-Identifier: MIT
//
// The way of a body in a step, from where it was to where the solver's stages have brought it: legs on which its centre
// of mass moves on a line and its orientation turns about a fixed axis, both at a constant rate. A body that turns fast
// has a leg for each substep, others have one. In world axes, float64; the step lasts from fraction 0 to 1.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

#include "state/bodies.hpp"
#include "state/quaternions.hpp"
#include "step/solver.hpp"

namespace lanefold::detail {

struct CentrePose {
    Vec3d centre;  // of mass
    Quat turn;     // orientation
};

// A leg turns by half a turn at most.
struct Leg {
    double begin = 0;
    double end = 1;
    CentrePose first;
    Vec3d shift;       // of the centre of mass, from begin to end
    Vec3d axis;        // unit; zero without a turn
    double angle = 0;  // radians
};

struct Legs {
    std::array<Leg, kMostMoments + 1> leg;
    std::uint32_t count = 0;

    std::span<const Leg> span() const { return {leg.data(), count}; }
};

// Between the stages and Bodies::end_step().
void find_legs(const Bodies& bodies, const BodyPaths& paths, std::uint32_t body, Legs& out);
// The leg under way; at its end the next one is.
const Leg& leg_at(std::span<const Leg> legs, double fraction);
CentrePose place_at(std::span<const Leg> legs, double fraction);
// The place of something that moves with a body, which goes from one place to another.
CentrePose carried(const CentrePose& from, const CentrePose& to, const CentrePose& with);

Quat unit(const Quat& q);
Quat opposite(const Quat& q);

}  // namespace lanefold::detail
