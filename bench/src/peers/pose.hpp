// SPDX-License-Identifier: MIT
//
// Poses of a frame in double precision. Each peer converts them to its own form.
#pragma once

#include <lanefold/pose.hpp>

#include "scenes/scene.hpp"

namespace lanefold::bench {

// World position of `offset` (input coordinates of the hull) and rotation of this body.
inline PoseD body_pose(const Body& body, const Vec3d& offset = {}) {
    Quat q;
    PoseD pose;
    if (normalize(body.orientation, q)) pose.rotation = rotation(q);
    const Vec3d position{body.position[0], body.position[1], body.position[2]};
    pose.position = position + pose.rotation * offset;
    return pose;
}

}  // namespace lanefold::bench
