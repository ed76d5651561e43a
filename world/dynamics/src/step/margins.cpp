// SPDX-License-Identifier: MIT
//
// Margins from velocities, spins and gravity.
#include "step/margins.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/speculative.hpp>

namespace lanefold::detail {

float fall_in(const WorldSettings& settings, float dt) {
    const Vec3f& g = settings.gravity;
    const float fall = std::sqrt((g.x * g.x + g.y * g.y) + g.z * g.z) * dt * dt;
    return std::max(0.0F, fall - 0.5F * settings.margin * settings.unit);
}

float margin_of(const WorldState& world, const Pair& pair, float dt) {
    const Bodies& bodies = world.bodies;
    const float* va = bodies.motion(pair.a).v;
    const float* vb = bodies.motion(pair.b).v;
    const float nearer =
        approach_in(Vec3f{va[0], va[1], va[2]}, Vec3f{vb[0], vb[1], vb[2]}, bodies.spin(pair.a) * bodies.radius(pair.a),
                    bodies.spin(pair.b) * bodies.radius(pair.b), dt);
    const float fall = bodies.movable(pair.a) || bodies.movable(pair.b) ? fall_in(world.settings, dt) : 0;
    return world.settings.margin * world.settings.unit + (nearer + fall);
}

}  // namespace lanefold::detail
