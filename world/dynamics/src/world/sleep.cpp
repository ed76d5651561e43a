// SPDX-License-Identifier: MIT
//
// Islands and sleep. An island is what contacts that push and links connect, not across immovable bodies; it sleeps
// when all of its bodies have been slow for long enough, and wakes as a whole.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "world/impl.hpp"

namespace lanefold {
namespace {

float speed(const float* v) { return std::sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]); }

bool pushes(const Manifold4& record, const ContactImpulse& impulse) {
    if (record.count == 0) return false;
    return record.distance <= 0 ||
           (impulse.normal[0] + impulse.normal[1]) + (impulse.normal[2] + impulse.normal[3]) > 0;
}

}  // namespace

void World::Impl::get_up(std::size_t i) {
    bed[i] = kAwake;
    still[i] = 0;
    motion[i].inverse_mass = mass[i].inverse_mass;
}

void World::Impl::wake_bed(std::uint32_t label) {
    for (std::size_t i = 0; i < bodies(); ++i) {
        if (bed[i] == label) get_up(i);
    }
}

void World::Impl::wake_body(std::size_t i) {
    if (bed[i] != kAwake) wake_bed(bed[i]);
    still[i] = 0;
}

void World::Impl::wake_around(std::size_t i) {
    for (const Manifold4& contact : contacts()) {
        if (contact.pair[0] == i) wake_body(contact.pair[1]);
        if (contact.pair[1] == i) wake_body(contact.pair[0]);
    }
    for (const BodyLink& l : link) {
        if (l.a == i && l.b != kWorldAnchor) wake_body(l.b);
        if (l.b == i) wake_body(l.a);
    }
}

void World::Impl::wake_all() {
    for (std::size_t i = 0; i < bodies(); ++i) get_up(i);
}

// A sleeping body wakes when one that is awake touches it, or would in this step, or was put where it is. True if one
// did; the beds before are kept for put_back_to_bed(). Memory runs out, if it does, before anybody wakes.
bool World::Impl::wake_touched(std::span<const Manifold4> found, float dt) {
    // Beds are woken together at the end: each alone would look at all bodies.
    restless.assign(bodies(), 0);
    std::atomic<bool> anyone = false;
    const auto wakes = [&](const Manifold4& contact) {
        if (contact.count == 0) return false;
        const std::uint32_t a = contact.pair[0];
        const std::uint32_t b = contact.pair[1];
        if ((bed[a] == kAwake) == (bed[b] == kAwake)) return false;
        const std::uint32_t awake = bed[a] == kAwake ? a : b;
        const detail::MotionRow& m = motion[awake];
        const bool moves = speed(m.v) > 0 || speed(m.w) > 0;
        const bool placed = kind[awake] != BodyKind::dynamic && unmoved[awake] == 0;
        if (!moves && !placed) return false;
        const float reach = speed(m.v) * dt + speed(m.w) * radius[awake] * dt;
        return !(contact.distance > reach);
    };
    loops.over(found.size(), [&](std::size_t first, std::size_t last) {
        for (const Manifold4& contact : found.subspan(first, last - first)) {
            if (!wakes(contact)) continue;
            const std::uint32_t a = bed[contact.pair[0]];
            // Several tasks may wake a bed.
            __atomic_store_n(&restless[a == kAwake ? bed[contact.pair[1]] : a], std::uint8_t{1}, __ATOMIC_RELAXED);
            anyone.store(true, std::memory_order_relaxed);
        }
    });
    if (!anyone.load(std::memory_order_relaxed)) return false;
    bed_before = bed;
    still_before = still;
    for (std::size_t i = 0; i < bodies(); ++i) {
        if (bed[i] != kAwake && restless[bed[i]] != 0) get_up(i);
    }
    return true;
}

// What wake_touched() did, undone.
void World::Impl::put_back_to_bed() {
    for (std::size_t i = 0; i < bodies(); ++i) {
        if (bed_before[i] != bed[i]) motion[i].inverse_mass = 0;
    }
    std::swap(bed, bed_before);
    std::swap(still, still_before);
}

std::uint32_t World::Impl::root(std::uint32_t i) {
    while (island[i] != i) {
        island[i] = island[island[i]];
        i = island[i];
    }
    return i;
}

// The lower body is the root, so that an island's name does not depend on the order of its contacts.
void World::Impl::unite(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    island[std::max(a, b)] = std::min(a, b);
}

// How long each body has been slow. True if one has been so for long enough.
bool World::Impl::count_stillness(float dt) {
    const float slow = settings.sleep_speed * settings.unit;
    std::atomic<bool> anyone = false;
    loops.over(bodies(), [&](std::size_t first, std::size_t last) {
        bool some = false;
        for (std::size_t i = first; i < last; ++i) {
            const detail::MotionRow& m = motion[i];
            if (!(m.inverse_mass > 0)) continue;
            // Overlaps and links are taken back without velocity, so what the body moved in the step counts, too.
            const detail::TurnRow& t = turn[i];
            const float moved = speed(t.dp) + 2 * speed(t.dq) * radius[i];
            const bool is_slow = speed(m.v) + speed(m.w) * radius[i] < slow && moved < slow * dt;
            still[i] = is_slow ? still[i] + dt : 0;
            some = some || still[i] >= settings.sleep_time;
        }
        if (some) anyone.store(true, std::memory_order_relaxed);
    });
    return anyone.load(std::memory_order_relaxed);
}

// Room for what is counted after a step with so many manifolds: when bodies have moved, memory must not run out.
void World::Impl::make_room_to_sleep(std::size_t manifolds) {
    pushing.reserve_grown(manifolds);
    island.resize(bodies());
    restless.resize(bodies());
}

// What pushes or is linked, across bodies that are awake.
void World::Impl::find_islands() {
    const auto is_awake = [&](std::uint32_t i) { return motion[i].inverse_mass > 0; };
    loops.over(records, [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r) pushing[r] = pushes(record[r], impulse[r]) ? 1 : 0;
    });
    for (std::uint32_t i = 0; i < bodies(); ++i) island[i] = i;
    for (std::size_t r = 0; r < records; ++r) {
        const detail::ConstraintEnds& e = ends[r];
        if (e.movable_a != 0 && e.movable_b != 0 && pushing[r] != 0) unite(e.a, e.b);
    }
    for (const BodyLink& l : link) {
        if (l.b != kWorldAnchor && is_awake(l.a) && is_awake(l.b)) unite(l.a, l.b);
    }
}

void World::Impl::fall_asleep(float dt) {
    const std::size_t n = bodies();
    if (!count_stillness(dt) || !settings.sleep) return;
    find_islands();
    const auto is_awake = [&](std::uint32_t i) { return motion[i].inverse_mass > 0; };
    restless.assign(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
        if (is_awake(i) && still[i] < settings.sleep_time) restless[root(i)] = 1;
    }
    // On what moves by itself nobody sleeps.
    const auto carries = [&](std::uint32_t i) {
        return kind[i] == BodyKind::kinematic && (speed(motion[i].v) > 0 || speed(motion[i].w) > 0);
    };
    for (std::size_t r = 0; r < records; ++r) {
        const detail::ConstraintEnds& e = ends[r];
        if (pushing[r] == 0) continue;
        if (carries(e.a)) restless[root(e.b)] = 1;
        if (carries(e.b)) restless[root(e.a)] = 1;
    }
    for (const BodyLink& l : link) {
        if (l.b == kWorldAnchor) continue;
        if (carries(l.a)) restless[root(l.b)] = 1;
        if (carries(l.b)) restless[root(l.a)] = 1;
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        if (!is_awake(i) || restless[root(i)] != 0) continue;
        bed[i] = root(i);
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        if (bed[i] == kAwake || !is_awake(i)) continue;
        detail::MotionRow& m = motion[i];
        m.inverse_mass = 0;
        std::fill_n(m.v, 3, 0.0F);
        std::fill_n(m.w, 3, 0.0F);
    }
}

}  // namespace lanefold
