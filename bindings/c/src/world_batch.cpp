// SPDX-License-Identifier: MIT
//
// The worlds of lanefold_world_batch.h.
#include <lanefold_world_batch.h>

#include <limits>
#include <memory>
#include <vector>

#include <lanefold/world_batch.hpp>

#include "world_convert.hpp"

struct lanefold_world_batch {
    lanefold_world_batch(const lanefold::HullSet& hulls, std::size_t count) : own(hulls, count), steps(count) {}

    lanefold::WorldBatch own;
    std::vector<lanefold::StepResult> steps;
    // Handles of single worlds, made when they are asked for.
    std::vector<std::unique_ptr<lanefold_world>> worlds;
};

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

constexpr const char* kNullBatch = "batch is null";

std::span<const std::uint8_t> mask_of(const lanefold_world_batch& batch, const std::uint8_t* active) {
    return active != nullptr ? std::span(active, batch.own.size()) : std::span<const std::uint8_t>();
}

// False when struct_size of the caller's sums is not set.
bool has_sums(const lanefold_world_batch_result* sums) {
    lanefold_world_batch_result known = LANEFOLD_WORLD_BATCH_RESULT_INIT;
    return read_versioned(sums, known);
}
constexpr const char* kNoSums = "sums.struct_size is not set: begin with LANEFOLD_WORLD_BATCH_RESULT_INIT";

lanefold_status given(const WorldBatchResult& r, lanefold_world_batch_result* sums) {
    lanefold_world_batch_result out = LANEFOLD_WORLD_BATCH_RESULT_INIT;
    out.done = r.done;
    out.refused = r.refused;
    out.lost = r.lost;
    out.pairs = r.pairs;
    out.contacts = r.contacts;
    write_versioned(out, sums);
    return status_of(r.status);
}

// Adds `count` elements, converted by `convert`, by `add`.
template <class To, class From, class Convert, class Add>
lanefold_status added(lanefold_world_batch* batch, const From* from, std::uint64_t count, const Convert& convert,
                      const Add& add) {
    return guarded([&] {
        if (batch == nullptr) return refuse(kNullBatch);
        if (from == nullptr && count != 0) return refuse("an array is null with a count");
        std::vector<To> to(count);
        std::transform(from, from + count, to.begin(), convert);
        return status_of(add(std::span<const To>(to)));
    });
}

template <WorldBatchResult (WorldBatch::*Call)(std::span<const std::uint8_t>)>
lanefold_status called(lanefold_world_batch* batch, const std::uint8_t* active, lanefold_world_batch_result* sums) {
    return guarded([&] {
        if (batch == nullptr) return refuse(kNullBatch);
        if (!has_sums(sums)) return refuse(kNoSums);
        return given((batch->own.*Call)(mask_of(*batch, active)), sums);
    });
}

// Writes the results of the worlds that take part. Elements have the size that the first one says.
void write_results(const lanefold_world_batch& batch, const std::uint8_t* active, lanefold_status* statuses,
                   lanefold_step_result* results) {
    std::size_t size = 0;
    if (results != nullptr) std::memcpy(&size, results, sizeof size);
    for (std::size_t w = 0; w < batch.steps.size(); ++w) {
        if (active != nullptr && active[w] == 0) continue;
        if (statuses != nullptr) statuses[w] = status_of(batch.steps[w].status);
        if (results == nullptr) continue;
        lanefold_step_result own = result_of(batch.steps[w]);
        own.struct_size = size;
        std::memcpy(reinterpret_cast<std::byte*>(results) + w * size, &own, std::min(size, sizeof own));
    }
}

}  // namespace

extern "C" {

lanefold_status lanefold_world_batch_create(const lanefold_hulls* hulls, uint64_t worlds, lanefold_world_batch** out) {
    return guarded([&] {
        if (out == nullptr) return refuse("out is null");
        *out = nullptr;
        if (hulls == nullptr) return refuse("hulls is null");
        *out = new lanefold_world_batch(hulls->set, worlds);
        return status_of({});
    });
}

void lanefold_world_batch_free(lanefold_world_batch* batch) { delete batch; }

uint64_t lanefold_world_batch_count(const lanefold_world_batch* batch) {
    return batch != nullptr ? batch->own.size() : 0;
}

lanefold_world* lanefold_world_batch_world(lanefold_world_batch* batch, uint64_t world) {
    if (world >= lanefold_world_batch_count(batch)) return nullptr;
    try {
        if (batch->worlds.empty()) batch->worlds.resize(batch->own.size());
        std::unique_ptr<lanefold_world>& handle = batch->worlds[world];
        if (!handle) handle.reset(new lanefold_world{nullptr, batch->own.world(world), {}});
        return handle.get();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

lanefold_status lanefold_world_batch_add_bodies(lanefold_world_batch* batch, const lanefold_rigid_body* bodies,
                                                uint64_t count, const uint8_t* active) {
    return lanefold_world_batch_add_scaled_bodies(batch, bodies, nullptr, count, active);
}

lanefold_status lanefold_world_batch_add_scaled_bodies(lanefold_world_batch* batch, const lanefold_rigid_body* bodies,
                                                       const float* scales, uint64_t count, const uint8_t* active) {
    return added<RigidBody>(batch, bodies, count, ScaledBody{bodies, scales},
                            [&](auto all) { return batch->own.add_bodies(all, mask_of(*batch, active)); });
}

lanefold_status lanefold_world_batch_add_bodies_of_each(lanefold_world_batch* batch, const lanefold_rigid_body* bodies,
                                                        uint64_t count) {
    return lanefold_world_batch_add_scaled_bodies_of_each(batch, bodies, nullptr, count);
}

lanefold_status lanefold_world_batch_add_scaled_bodies_of_each(lanefold_world_batch* batch,
                                                               const lanefold_rigid_body* bodies, const float* scales,
                                                               uint64_t count) {
    const std::uint64_t worlds = lanefold_world_batch_count(batch);
    if (worlds != 0 && count > std::numeric_limits<std::uint64_t>::max() / worlds) return refuse("count is too large");
    return added<RigidBody>(batch, bodies, count * worlds, ScaledBody{bodies, scales},
                            [&](auto all) { return batch->own.add_bodies_of_each(all); });
}

lanefold_status lanefold_world_batch_add_shared(lanefold_world_batch* batch, const lanefold_rigid_body* bodies,
                                                uint64_t count) {
    return lanefold_world_batch_add_scaled_shared(batch, bodies, nullptr, count);
}

lanefold_status lanefold_world_batch_add_scaled_shared(lanefold_world_batch* batch, const lanefold_rigid_body* bodies,
                                                       const float* scales, uint64_t count) {
    return added<RigidBody>(batch, bodies, count, ScaledBody{bodies, scales},
                            [&](auto all) { return batch->own.add_shared(all); });
}

uint64_t lanefold_world_batch_shared(const lanefold_world_batch* batch) {
    return batch != nullptr ? batch->own.shared() : 0;
}

lanefold_status lanefold_world_batch_set_hulls(lanefold_world_batch* batch, const lanefold_hulls* hulls) {
    return guarded([&] {
        if (batch == nullptr || hulls == nullptr) return refuse("batch or hulls is null");
        return status_of(batch->own.set_hulls(hulls->set));
    });
}

lanefold_status lanefold_world_batch_add_links(lanefold_world_batch* batch, const lanefold_body_link* links,
                                               uint64_t count, const uint8_t* active) {
    return added<BodyLink>(batch, links, count, link_of,
                           [&](auto all) { return batch->own.add_links(all, mask_of(*batch, active)); });
}

lanefold_status lanefold_world_batch_set_settings(lanefold_world_batch* batch, const lanefold_world_settings* settings,
                                                  const uint8_t* active) {
    return guarded([&] {
        if (batch == nullptr || settings == nullptr) return refuse("batch or settings is null");
        lanefold_world_settings whole = settings_of(WorldSettings{});
        if (!read_versioned(settings, whole)) {
            return refuse("settings.struct_size is not set: begin with lanefold_world_get_settings()");
        }
        WorldSettings own;
        if (!take_settings(whole, own)) return refuse("settings.instruction_set is not a known name");
        return status_of(batch->own.set_settings(own, mask_of(*batch, active)));
    });
}

lanefold_status lanefold_world_batch_set_gravity(lanefold_world_batch* batch, const float* gravity) {
    return guarded([&] {
        if (batch == nullptr) return refuse(kNullBatch);
        if (gravity == nullptr && batch->own.size() != 0) return refuse("gravity is null");
        return status_of(batch->own.set_gravity({reinterpret_cast<const Vec3f*>(gravity), batch->own.size()}));
    });
}

lanefold_status lanefold_world_batch_set_threads(lanefold_world_batch* batch, uint32_t threads) {
    if (batch == nullptr) return refuse(kNullBatch);
    batch->own.set_threads(threads);
    return status_of({});
}

lanefold_status lanefold_world_batch_step(lanefold_world_batch* batch, double dt, const uint8_t* active,
                                          lanefold_status* statuses, lanefold_step_result* results,
                                          lanefold_world_batch_result* sums) {
    return guarded([&] {
        if (batch == nullptr) return refuse(kNullBatch);
        if (!has_sums(sums)) return refuse(kNoSums);
        lanefold_step_result known = LANEFOLD_STEP_RESULT_INIT;
        if (!read_versioned(results, known)) {
            return refuse("results[0].struct_size is not set: begin with LANEFOLD_STEP_RESULT_INIT");
        }
        for (StepResult& own : batch->steps) own = {};
        const WorldBatchResult r = batch->own.step(dt, batch->steps, mask_of(*batch, active));
        if (r.done + r.refused != 0) write_results(*batch, active, statuses, results);
        return given(r, sums);
    });
}

lanefold_status lanefold_world_batch_keep(lanefold_world_batch* batch, const uint8_t* active,
                                          lanefold_world_batch_result* sums) {
    return called<&WorldBatch::keep>(batch, active, sums);
}

lanefold_status lanefold_world_batch_reset(lanefold_world_batch* batch, const uint8_t* active,
                                           lanefold_world_batch_result* sums) {
    return called<&WorldBatch::reset>(batch, active, sums);
}

lanefold_status lanefold_world_batch_read(lanefold_world_batch* batch, const uint8_t* active,
                                          lanefold_world_batch_result* sums) {
    return called<&WorldBatch::read>(batch, active, sums);
}

lanefold_status lanefold_world_batch_write(lanefold_world_batch* batch, const uint8_t* active,
                                           lanefold_world_batch_result* sums) {
    return called<&WorldBatch::write>(batch, active, sums);
}

lanefold_status lanefold_world_batch_arrays(lanefold_world_batch* batch, lanefold_world_arrays* out) {
    return guarded([&] {
        if (batch == nullptr || out == nullptr) return refuse("batch or out is null");
        lanefold_world_arrays arrays = LANEFOLD_WORLD_ARRAYS_INIT;
        if (!read_versioned(out, arrays)) {
            return refuse("out.struct_size is not set: begin with LANEFOLD_WORLD_ARRAYS_INIT");
        }
        const WorldArrays a = batch->own.arrays();
        arrays.offsets = a.offsets.data();
        arrays.bodies = a.touches.size();
        arrays.positions = a.positions.data();
        arrays.orientations = a.orientations.data();
        arrays.velocities = a.velocities.data();
        arrays.spins = a.spins.data();
        arrays.forces = a.forces.data();
        arrays.torques = a.torques.data();
        arrays.contact_forces = a.contact_forces.data();
        arrays.touches = a.touches.data();
        arrays.impulses = a.impulses.data();
        arrays.present = a.present.data();
        arrays.target_positions = a.target_positions.data();
        arrays.target_orientations = a.target_orientations.data();
        arrays.targets = a.targets.data();
        arrays.asleep = a.asleep.data();
        write_versioned(arrays, out);
        return status_of({});
    });
}

}  // extern "C"
