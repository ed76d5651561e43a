// SPDX-License-Identifier: MIT
//
// See the header. These are the numbers of a body that World::save() saves, because impulses and targets change several
// of them: velocities, what sleeps, and whether a body has stayed where its manifolds were made.
#include "calls/kept_motion.hpp"

namespace lanefold::detail {

void KeptMotion::keep(const WorldState& world) {
    bodies_.resize(world.bodies.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        bodies_[i] = {world.bodies.state(i), world.sleep.slow_time(i), world.sleep.label(i), world.bodies.lost_step(i),
                      world.bodies.unmoved()[i] != 0};
    }
}

void KeptMotion::take_back(WorldState& world) const {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const Body& body = bodies_[i];
        world.bodies.set_state(i, body.state, body.unmoved, body.lost);
        world.sleep.set_state(world.bodies, i, body.label, body.slow_time);
    }
}

}  // namespace lanefold::detail
