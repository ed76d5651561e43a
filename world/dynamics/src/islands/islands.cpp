// SPDX-License-Identifier: MIT
//
// Union-find over bodies; waking by touch, falling asleep by slowness.
#include "islands/islands.hpp"

#include <algorithm>
#include <atomic>

#include <lanefold/detail/disjoint_sets.hpp>

namespace lanefold::detail {
namespace {

bool bears_load(const Manifold4& manifold, const ContactImpulse& impulse) {
    if (manifold.count == 0) return false;
    return manifold.distance <= 0 ||
           (impulse.normal[0] + impulse.normal[1]) + (impulse.normal[2] + impulse.normal[3]) > 0;
}

// Whether the manifold says that an awake body touches a sleeping one, or would in a step of dt seconds.
bool wakes(const WorldState& world, const Manifold4& contact, float dt) {
    if (contact.count == 0) return false;
    const Bodies& bodies = world.bodies;
    const std::uint32_t a = contact.pair[0];
    const std::uint32_t b = contact.pair[1];
    if (world.sleep.asleep(a) == world.sleep.asleep(b)) return false;
    const std::uint32_t awake = world.sleep.asleep(a) ? b : a;
    const float speed = bodies.speed(awake);
    const float spin = bodies.spin(awake);
    const bool moves = speed > 0 || spin > 0;
    const bool placed = bodies.kind(awake) != BodyKind::dynamic && bodies.unmoved()[awake] == 0;
    if (!moves && !placed) return false;
    const float reach = speed * dt + spin * bodies.radius(awake) * dt;
    return !(contact.distance > reach);
}

// Adds to the body's slow time, or ends it. True: it has been slow for long enough to sleep.
bool count_slow_time(WorldState& world, std::size_t i, float dt) {
    const Bodies& bodies = world.bodies;
    const float slow = world.settings.sleep_speed * world.settings.unit;
    // Overlaps and links are taken back without velocity, so the displacement of the step counts, too.
    const TurnRow& t = bodies.turn(i);
    const float moved = length(t.dp) + 2 * length(t.dq) * bodies.radius(i);
    const bool is_slow = bodies.speed(i) + bodies.spin(i) * bodies.radius(i) < slow && moved < slow * dt;
    world.sleep.add_slow_time(i, is_slow, dt);
    return world.sleep.slow_time(i) >= world.settings.sleep_time;
}

// True: some body has been slow for long enough.
bool count_slow_times(WorldState& world, float dt, Loops& loops) {
    std::atomic<bool> found = false;
    loops.over(world.bodies.size(), [&](std::size_t first, std::size_t last) {
        bool some = false;
        for (std::size_t i = first; i < last; ++i) {
            if (world.bodies.movable(i)) some = count_slow_time(world, i, dt) || some;
        }
        if (some) found.store(true, std::memory_order_relaxed);
    });
    return found.load(std::memory_order_relaxed);
}

}  // namespace

void wake_neighbours(WorldState& world, std::size_t body) {
    for (const Manifold4& contact : world.contacts.manifolds()) {
        if (contact.pair[0] == body) world.sleep.wake(world.bodies, contact.pair[1]);
        if (contact.pair[1] == body) world.sleep.wake(world.bodies, contact.pair[0]);
    }
    for (const BodyLink& link : world.links.links()) {
        if (link.a == body && link.b != kWorldAnchor) world.sleep.wake(world.bodies, link.b);
        if (link.b == body) world.sleep.wake(world.bodies, link.a);
    }
}

void Islands::reserve(std::size_t bodies, std::size_t manifolds) {
    loaded_.reserve_grown(manifolds);
    parent_.resize(bodies);
    marked_.resize(bodies);
}

bool Islands::wake_touched(WorldState& world, float dt, Loops& loops) {
    // Labels are woken together at the end: each alone would look at all bodies.
    marked_.assign(world.bodies.size(), 0);
    std::atomic<bool> some = false;
    const std::span<const Manifold4> found = world.contacts.found();
    loops.over(found.size(), [&](std::size_t first, std::size_t last) {
        for (const Manifold4& contact : found.subspan(first, last - first)) {
            if (!wakes(world, contact, dt)) continue;
            const std::uint32_t asleep = contact.pair[world.sleep.asleep(contact.pair[0]) ? 0 : 1];
            // Several tasks may mark a label.
            __atomic_store_n(&marked_[world.sleep.label(asleep)], std::uint8_t{1}, __ATOMIC_RELAXED);
            some.store(true, std::memory_order_relaxed);
        }
    });
    if (!some.load(std::memory_order_relaxed)) return false;
    world.sleep.wake_labels(world.bodies, marked_);
    return true;
}

// Unites bodies that are awake and that contacts under load or links connect.
void Islands::find(const WorldState& world, std::span<const ConstraintEnds> ends, Loops& loops) {
    const std::span<const Manifold4> contacts = world.contacts.manifolds();
    const std::span<const ContactImpulse> impulses = world.contacts.impulses();
    loops.over(contacts.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r) loaded_[r] = bears_load(contacts[r], impulses[r]) ? 1 : 0;
    });
    for (std::uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
    for (std::size_t r = 0; r < ends.size(); ++r) {
        const ConstraintEnds& e = ends[r];
        if (e.movable_a != 0 && e.movable_b != 0 && loaded_[r] != 0) unite(parent_, e.a, e.b);
    }
    const Bodies& bodies = world.bodies;
    for (const BodyLink& link : world.links.links()) {
        if (link.b != kWorldAnchor && bodies.movable(link.a) && bodies.movable(link.b)) unite(parent_, link.a, link.b);
    }
}

// Marks the islands that stay awake: one of their bodies is not slow, or a kinematic body that moves carries them.
void Islands::mark_awake(const WorldState& world, std::span<const ConstraintEnds> ends) {
    const Bodies& bodies = world.bodies;
    marked_.assign(bodies.size(), 0);
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (bodies.movable(i) && world.sleep.slow_time(i) < world.settings.sleep_time)
            marked_[find_root(parent_, i)] = 1;
    }
    const auto carries = [&](std::uint32_t i) {
        return bodies.kind(i) == BodyKind::kinematic && (bodies.speed(i) > 0 || bodies.spin(i) > 0);
    };
    for (std::size_t r = 0; r < ends.size(); ++r) {
        const ConstraintEnds& e = ends[r];
        if (loaded_[r] == 0) continue;
        if (carries(e.a)) marked_[find_root(parent_, e.b)] = 1;
        if (carries(e.b)) marked_[find_root(parent_, e.a)] = 1;
    }
    for (const BodyLink& link : world.links.links()) {
        if (link.b == kWorldAnchor) continue;
        if (carries(link.a)) marked_[find_root(parent_, link.b)] = 1;
        if (carries(link.b)) marked_[find_root(parent_, link.a)] = 1;
    }
}

void Islands::fall_asleep(WorldState& world, std::span<const ConstraintEnds> ends, float dt, Loops& loops) {
    if (!count_slow_times(world, dt, loops) || !world.settings.sleep) return;
    find(world, ends, loops);
    mark_awake(world, ends);
    for (std::uint32_t i = 0; i < parent_.size(); ++i) {
        if (world.bodies.movable(i) && marked_[find_root(parent_, i)] == 0)
            world.sleep.fall_asleep(world.bodies, i, find_root(parent_, i));
    }
}

}  // namespace lanefold::detail
