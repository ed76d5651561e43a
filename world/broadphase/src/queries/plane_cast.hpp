// SPDX-License-Identifier: MIT
//
// A shape on its way to a half-space, which sweeps do not take. One that does not turn has a closed form: its lowest
// vertex comes down at a constant rate.
#pragma once

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/scene_queries.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

struct MovingShape {
    BodyD body;  // at its first pose
    Vec3d shift;
    bool turns = false;
    double lever = 0;  // from its position to its furthest point
};

// The record of the shape and a half-space's body, both with good poses, without its body. One that turns and may come
// to the plane has failed there.
ShapeHit cast_on_plane(const HullSet& hulls, const MovingShape& shape, const BodyD& plane, double target);

}  // namespace lanefold::detail
