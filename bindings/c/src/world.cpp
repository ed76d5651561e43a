// SPDX-License-Identifier: MIT
//
// Worlds of rigid bodies.
#include <memory>
#include <vector>

#include <lanefold_world.h>
#include <lanefold/world.hpp>

#include "world_convert.hpp"

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

static_assert(sizeof(lanefold_contact_impulse) == sizeof(ContactImpulse));
static_assert(sizeof(lanefold_contact_push) == sizeof(ContactPush));

constexpr const char* kNullWorld = "world is null";
constexpr const char* kNullCount = "an array is null with a count";

// Calls f(world) and converts its result.
template <class F>
lanefold_status stepped(lanefold_world* world, lanefold_step_result* result, const F& f) {
    return guarded([&] {
        if (world == nullptr) return refuse(kNullWorld);
        lanefold_step_result known = LANEFOLD_STEP_RESULT_INIT;
        if (!read_versioned(result, known)) {
            return refuse("result.struct_size is not set: begin with LANEFOLD_STEP_RESULT_INIT");
        }
        const StepResult r = f(world->own);
        write_versioned(result_of(r), result);
        return status_of(r.status);
    });
}

// Adds `count` elements, converted by `convert`, by `add`.
template <class To, class From, class Convert, class Add>
lanefold_status added(lanefold_world* world, const From* from, std::uint64_t count, const Convert& convert,
                      const Add& add) {
    return guarded([&] {
        if (world == nullptr) return refuse(kNullWorld);
        if (from == nullptr && count != 0) return refuse(kNullCount);
        std::vector<To> to(count);
        std::transform(from, from + count, to.begin(), convert);
        return status_of(add(world->own, std::span<const To>(to)));
    });
}

template <class To, class Get>
const To* elements(const lanefold_world* world, std::uint64_t* count, const Get& get) {
    if (count != nullptr) *count = world != nullptr ? get(world->own).size() : 0;
    return world != nullptr ? reinterpret_cast<const To*>(get(world->own).data()) : nullptr;
}

bool has(const lanefold_world* world, std::uint64_t body) { return world != nullptr && body < world->own.size(); }

Vec3f vector(const float v[3]) { return {v[0], v[1], v[2]}; }

}  // namespace

extern "C" {

lanefold_status lanefold_world_create(const lanefold_hulls* hulls, lanefold_world** out) {
    return guarded([&] {
        if (out == nullptr) return refuse("out is null");
        *out = nullptr;
        if (hulls == nullptr) return refuse("hulls is null");
        auto mine = std::make_unique<World>(hulls->set);
        World& own = *mine;
        *out = new lanefold_world{std::move(mine), own, {}};
        return status_of({});
    });
}

void lanefold_world_free(lanefold_world* world) { delete world; }

lanefold_status lanefold_world_get_settings(const lanefold_world* world, lanefold_world_settings* settings) {
    if (world == nullptr || settings == nullptr) return refuse("world or settings is null");
    if (!write_versioned(settings_of(world->own.settings()), settings)) {
        return refuse("settings.struct_size is not set: begin with LANEFOLD_WORLD_SETTINGS_INIT");
    }
    return status_of({});
}

lanefold_status lanefold_world_set_settings(lanefold_world* world, const lanefold_world_settings* settings) {
    return guarded([&] {
        if (world == nullptr || settings == nullptr) return refuse("world or settings is null");
        lanefold_world_settings whole = settings_of(world->own.settings());
        if (!read_versioned(settings, whole)) {
            return refuse("settings.struct_size is not set: begin with lanefold_world_get_settings()");
        }
        WorldSettings own;
        if (!take_settings(whole, own)) return refuse("settings.instruction_set is not a known name");
        return status_of(world->own.set_settings(own));
    });
}

lanefold_status lanefold_world_add_bodies(lanefold_world* world, const lanefold_rigid_body* bodies, uint64_t count) {
    return lanefold_world_add_scaled_bodies(world, bodies, nullptr, count);
}

lanefold_status lanefold_world_add_scaled_bodies(lanefold_world* world, const lanefold_rigid_body* bodies,
                                                 const float* scales, uint64_t count) {
    return added<RigidBody>(world, bodies, count, ScaledBody{bodies, scales},
                            [](World& own, std::span<const RigidBody> all) { return own.add_bodies(all); });
}

lanefold_status lanefold_world_add_links(lanefold_world* world, const lanefold_body_link* links, uint64_t count) {
    return added<BodyLink>(world, links, count, link_of,
                           [](World& own, std::span<const BodyLink> all) { return own.add_links(all); });
}

lanefold_status lanefold_world_step(lanefold_world* world, double dt, lanefold_step_result* result) {
    return stepped(world, result, [&](World& own) { return own.step(dt); });
}

lanefold_status lanefold_world_step_pairs(lanefold_world* world, double dt, const lanefold_pair* pairs,
                                          uint64_t pair_count, lanefold_step_result* result) {
    if (pairs == nullptr && pair_count != 0) return refuse(kNullCount);
    return stepped(world, result, [&](World& own) {
        return own.step(dt, std::span(reinterpret_cast<const Pair*>(pairs), pair_count));
    });
}

lanefold_status lanefold_world_advance(lanefold_world* world, double dt, const lanefold_manifold4* manifolds,
                                       uint64_t count, lanefold_step_result* result) {
    if (manifolds == nullptr && count != 0) return refuse(kNullCount);
    return stepped(world, result, [&](World& own) {
        return own.advance(dt, std::span(reinterpret_cast<const Manifold4*>(manifolds), count));
    });
}

const lanefold_body_d* lanefold_world_bodies(const lanefold_world* world, uint64_t* count) {
    return elements<lanefold_body_d>(world, count, [](const World& own) { return own.bodies(); });
}

const lanefold_manifold4* lanefold_world_contacts(const lanefold_world* world, uint64_t* count) {
    return elements<lanefold_manifold4>(world, count, [](const World& own) { return own.contacts(); });
}

const lanefold_contact_impulse* lanefold_world_impulses(const lanefold_world* world, uint64_t* count) {
    return elements<lanefold_contact_impulse>(world, count, [](const World& own) { return own.impulses(); });
}

const lanefold_contact_push* lanefold_world_pushes(const lanefold_world* world, uint64_t* count) {
    return elements<lanefold_contact_push>(world, count, [](const World& own) { return own.pushes(); });
}

lanefold_status lanefold_world_get_motion(const lanefold_world* world, uint64_t body, float velocity[3], float spin[3],
                                          double centre[3]) {
    if (!has(world, body)) return refuse("no such body", body);
    const Vec3f v = world->own.velocity(body);
    const Vec3f w = world->own.spin(body);
    const Vec3d c = world->own.centre(body);
    if (velocity != nullptr) std::memcpy(velocity, &v, sizeof v);
    if (spin != nullptr) std::memcpy(spin, &w, sizeof w);
    if (centre != nullptr) std::memcpy(centre, &c, sizeof c);
    return status_of({});
}

int32_t lanefold_world_asleep(const lanefold_world* world, uint64_t body) {
    return has(world, body) && world->own.asleep(body) ? 1 : 0;
}

int32_t lanefold_world_lost(const lanefold_world* world, uint64_t body) {
    return has(world, body) && world->own.lost(body) ? 1 : 0;
}

int32_t lanefold_world_removed(const lanefold_world* world, uint64_t body) {
    return has(world, body) && world->own.removed(body) ? 1 : 0;
}

lanefold_status lanefold_world_set_velocity(lanefold_world* world, uint64_t body, const float velocity[3],
                                            const float spin[3]) {
    if (world == nullptr || velocity == nullptr || spin == nullptr) return refuse("world, velocity or spin is null");
    return guarded([&] { return status_of(world->own.set_velocity(body, vector(velocity), vector(spin))); });
}

lanefold_status lanefold_world_apply_impulse(lanefold_world* world, uint64_t body, const float impulse[3],
                                             const double point[3]) {
    if (world == nullptr || impulse == nullptr || point == nullptr) return refuse("world, impulse or point is null");
    return guarded([&] {
        return status_of(world->own.apply_impulse(body, vector(impulse), {point[0], point[1], point[2]}));
    });
}

lanefold_status lanefold_world_apply_angular_impulse(lanefold_world* world, uint64_t body, const float impulse[3]) {
    if (world == nullptr || impulse == nullptr) return refuse("world or impulse is null");
    return guarded([&] { return status_of(world->own.apply_angular_impulse(body, vector(impulse))); });
}

lanefold_status lanefold_world_set_pose(lanefold_world* world, uint64_t body, const double position[3],
                                        const float orientation[4]) {
    if (world == nullptr || position == nullptr || orientation == nullptr) {
        return refuse("world, position or orientation is null");
    }
    return guarded([&] { return status_of(world->own.set_pose(body, position, orientation)); });
}

lanefold_status lanefold_world_set_target(lanefold_world* world, uint64_t body, const double position[3],
                                          const float orientation[4], double dt) {
    if (world == nullptr || position == nullptr || orientation == nullptr) {
        return refuse("world, position or orientation is null");
    }
    return guarded([&] { return status_of(world->own.set_target(body, position, orientation, dt)); });
}

lanefold_status lanefold_world_remove(lanefold_world* world, uint64_t body) {
    if (world == nullptr) return refuse(kNullWorld);
    return guarded([&] { return status_of(world->own.remove(body)); });
}

lanefold_status lanefold_world_wake(lanefold_world* world, uint64_t body) {
    if (world == nullptr) return refuse(kNullWorld);
    return guarded([&] { return status_of(world->own.wake(body)); });
}

lanefold_status lanefold_world_save(lanefold_world* world, const void** bytes, uint64_t* size) {
    return guarded([&] {
        if (world == nullptr || bytes == nullptr || size == nullptr) return refuse("world, bytes or size is null");
        const CallStatus status = world->own.save(world->saved);
        *bytes = world->saved.data();
        *size = world->saved.size();
        return status_of(status);
    });
}

lanefold_status lanefold_world_restore(lanefold_world* world, const void* bytes, uint64_t size) {
    if (world == nullptr) return refuse(kNullWorld);
    if (bytes == nullptr && size != 0) return refuse("bytes is null with a size");
    return guarded([&] { return status_of(world->own.restore({static_cast<const std::byte*>(bytes), size})); });
}

}  // extern "C"
