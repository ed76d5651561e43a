// SPDX-License-Identifier: MIT
//
// A body that is not finite spoils all that it touches within a step. So the step is run again, stage by stage, up to
// the first stage that leaves a body unsound.
#include "step/losses.hpp"

#include <algorithm>
#include <atomic>

namespace lanefold::detail {
namespace {

// Searches of a step. Each costs some steps; where more bodies fail one after the other, all unsound ones are lost.
constexpr std::uint32_t kMostSearches = 16;

template <class Sound>
bool all_sound(const Bodies& bodies, Loops& loops, const Sound& sound) {
    std::atomic<bool> all = true;
    loops.over(bodies.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            if (!sound(i)) return all.store(false, std::memory_order_relaxed);
        }
    });
    return all.load(std::memory_order_relaxed);
}

void find_unsound(const Bodies& bodies, std::vector<std::uint32_t>& found) {
    found.clear();
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.sound_after(i)) found.push_back(i);
    }
}

// Adds the bodies that sleep and that the last step's manifolds or links connect with the body, or that sleep with it.
void add_sleepers(const WorldState& world, std::uint32_t body, std::vector<std::uint32_t>& out) {
    const auto add = [&](std::uint32_t i) {
        if (world.sleep.asleep(i)) out.push_back(i);
    };
    add(body);
    for (const Manifold4& contact : world.contacts.manifolds()) {
        if (contact.pair[0] == body) add(contact.pair[1]);
        if (contact.pair[1] == body) add(contact.pair[0]);
    }
    for (const BodyLink& link : world.links.links()) {
        if (link.b == kWorldAnchor) continue;
        if (link.a == body) add(link.b);
        if (link.b == body) add(link.a);
    }
}

}  // namespace

void Losses::begin(WorldState& world, Loops& loops) {
    lost_.clear();
    wakes_.clear();
    searches_ = 0;
    world.bodies.keep_velocities();
    world.links.keep_impulses();
    if (all_sound(world.bodies, loops, [&](std::size_t i) { return world.bodies.sound(i); })) return;
    found_.clear();
    for (std::uint32_t i = 0; i < world.bodies.size(); ++i) {
        if (!world.bodies.sound(i)) found_.push_back(i);
    }
    lose_found(world);
}

bool Losses::sound(const WorldState& world, Loops& loops) const {
    return all_sound(world.bodies, loops, [&](std::size_t i) { return world.bodies.sound_after(i); });
}

void Losses::take_back(WorldState& world) {
    world.bodies.set_velocities_back();
    world.links.set_impulses_back();
    // A body that was lost as the step began has no velocity to go back to.
    for (const std::uint32_t i : lost_) world.bodies.stop(i);
}

void Losses::look_for(WorldState& world, Constraints& constraints, Solver& solver, double dt, Loops& loops) {
    try {
        find_unsound(world.bodies, found_);
        if (++searches_ <= kMostSearches) {
            take_back(world);
            // The stages have overwritten the impulses that they began with.
            world.contacts.swap_found();
            world.contacts.carry_impulses(loops);
            world.contacts.swap_found();
            solver.run_until_unsound(world, constraints, dt, found_);
        }
    } catch (...) {
        take_back(world);
        throw;
    }
    take_back(world);
}

void Losses::lose(WorldState& world, std::uint32_t body) {
    add_sleepers(world, body, wakes_);
    lost_.push_back(body);
    world.bodies.lose(body, world.steps + 1);
}

void Losses::lose_found(WorldState& world) {
    lost_.reserve(lost_.size() + found_.size());
    world.lost.reserve(world.lost.size() + lost_.size() + found_.size());
    for (const std::uint32_t body : found_) lose(world, body);
}

void Losses::undo(WorldState& world) {
    for (const std::uint32_t body : lost_) {
        world.bodies.bring_back(body);
        if (world.sleep.asleep(body)) world.bodies.hold(body);
        world.bodies.set_velocity_back(body);
    }
    lost_.clear();
}

std::uint64_t Losses::end(WorldState& world) {
    std::sort(lost_.begin(), lost_.end());
    for (const std::uint32_t body : lost_) world.lost.push_back({body, world.bodies.lost_step(body)});
    for (std::size_t i = 0; i < world.links.size() && !lost_.empty(); ++i) {
        const BodyLink& link = world.links.links()[i];
        if (world.bodies.lost(link.a) || (link.b != kWorldAnchor && world.bodies.lost(link.b)))
            world.links.impulses()[i] = {};
    }
    for (const std::uint32_t body : wakes_) {
        if (world.sleep.asleep(body)) world.sleep.wake(world.bodies, body);
    }
    return lost_.size();
}

}  // namespace lanefold::detail
