// SPDX-License-Identifier: MIT
//
// Many worlds of one hull set, stepped together: environments of a learner, variants of a plan.
//
// Each world is a World. A step of the batch gives each of them the bits that World::step() gives it alone, with any
// number of threads, any mask and any other worlds: tasks take whole worlds, and a task's working memory serves one
// after the other. What spoils one world is the status of that world only.
//
//     WorldBatch batch(hulls, 4096);
//     batch.add_bodies(bodies);                  // the same to every world; batch.world(w) has all other calls
//     batch.keep();                              // what reset() goes back to
//     for (...) {
//         WorldArrays arrays = batch.arrays();   // write arrays.forces, ...
//         batch.step(1.0 / 60, results);
//         ...                                    // read arrays.positions, arrays.contact_forces, ...
//         batch.reset(done);                     // worlds w with done[w] != 0
//     }
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/rigid_body.hpp>
#include <lanefold/status.hpp>
#include <lanefold/world.hpp>

namespace lanefold {

// Bodies of all worlds as arrays in the batch's memory, world after world, without those that all worlds share. They
// stay where they are until bodies are added. step(), reset() and read() write what they say of the worlds that take
// part.
struct WorldArrays {
    std::span<const std::uint64_t> offsets;  // world w has bodies offsets[w] to offsets[w + 1] - 1 of the arrays
    // The state; write() takes what the caller changed.
    std::span<double> positions;    // 3 for each body, of the hull's origin
    std::span<float> orientations;  // 4, (x, y, z, w)
    std::span<float> velocities;    // 3, of the centre of mass
    std::span<float> spins;         // 3, radians a second
    // 1: the body takes part in its world; 0: it is lost or was removed. write() removes one whose 1 became 0, and
    // brings one back whose 0 became 1, or whose pose was changed, at its place in the arrays.
    std::span<std::uint8_t> present;
    // The caller's: each step acts with them on dynamic bodies, until they are changed. 0 at first; reset() clears
    // those of its worlds. They wake a body where they are not 0.
    std::span<float> forces;   // 3, newtons, at the centre of mass, world axes
    std::span<float> torques;  // 3, newton metres
    // The caller's, too, but they act once: a step that is not refused sets them back to 0.
    std::span<float> impulses;  // 3, kilogram metres a second, at the centre of mass
    // The caller's, too: where kinematic bodies go (World::set_target()). While `targets` is 1, each step takes the
    // body there, and one that has arrived stands still. At first, and after reset(), `targets` is 0 and the target is
    // where the body is.
    std::span<double> target_positions;    // 3, of the hull's origin
    std::span<float> target_orientations;  // 4
    std::span<std::uint8_t> targets;
    // The work of contacts in the last substep.
    std::span<const float> contact_forces;   // 3, their sum on the body, newtons
    std::span<const std::uint32_t> touches;  // manifolds that press on the body
    std::span<const std::uint8_t> asleep;    // 1: the body sleeps
};

// The result of a step, a reset or a write of many worlds.
struct [[nodiscard]] WorldBatchResult {
    // ok, or why the first world that was refused was; `where` is that world. All others are done.
    CallStatus status;
    std::uint64_t done = 0;  // worlds
    std::uint64_t refused = 0;
    std::uint64_t lost = 0;  // bodies that were lost in this step
    // The sums over all worlds of a step.
    std::uint64_t pairs = 0;
    std::uint64_t contacts = 0;
};

// Worlds of one hull set. Masks have one byte for each world or none: 0 means that the world takes no part. A mask of
// another length is refused, and nothing is done. One caller at a time.
class LANEFOLD_EXPORT WorldBatch {
public:
    WorldBatch();
    // So many worlds without bodies. Throws std::bad_alloc.
    WorldBatch(const HullSet& hulls, std::size_t worlds);
    WorldBatch(WorldBatch&&) noexcept;
    WorldBatch& operator=(WorldBatch&&) noexcept;
    ~WorldBatch();

    // Number of worlds.
    std::size_t size() const;
    // A world, for every call that a World has: bodies and links, settings, contacts, save() and restore(). It must
    // exist. Its settings' `threads` does not count in the batch. Arrays show changes after read().
    World& world(std::size_t w);
    const World& world(std::size_t w) const;

    // More hulls, as World::set_hulls() takes them, for all worlds or, with the status of the first that refuses, none.
    CallStatus set_hulls(const HullSet& hulls);
    // Adds bodies to every world that takes part, in their order, until one refuses them as World does: the status is
    // that of this world, and the worlds before it have the bodies.
    CallStatus add_bodies(std::span<const RigidBody> bodies, std::span<const std::uint8_t> active = {});
    // Adds as many bodies to each world, with numbers of its own: world w gets those from bodies[w * n] on, n of them.
    // All or none; `where` is a place in `bodies`.
    CallStatus add_bodies_of_each(std::span<const RigidBody> bodies);
    // Adds fixed bodies that all worlds share, behind their own: a floor, a terrain. The arrays leave them out. All or
    // none. Refused: what World refuses, and a body that is not fixed; `where` is its place in `bodies`. Worlds get no
    // other bodies afterwards. A step of a world where one of them has moved, or was not the last any more, is refused;
    // `where` is then its place among the shared bodies.
    CallStatus add_shared(std::span<const RigidBody> bodies);
    // How many bodies all worlds share.
    std::size_t shared() const;
    // The same of links.
    CallStatus add_links(std::span<const BodyLink> links, std::span<const std::uint8_t> active = {});
    // The same of settings.
    CallStatus set_settings(const WorldSettings& settings, std::span<const std::uint8_t> active = {});
    // The gravity of each world, to all or none: `where` is the first world whose gravity is refused. Wakes every body.
    CallStatus set_gravity(std::span<const Vec3f> gravity);
    // Tasks at most, in the caller's arena; 0: all. Never changes a bit.
    void set_threads(std::uint32_t threads);

    // One step of dt seconds of every world that takes part, with its forces. results: one for each world, or none;
    // those of worlds that take no part are left as they are. A world is refused where World::step() refuses it, or
    // its forces or torques are not finite or act on bodies that are not dynamic, or a target is one that set_target()
    // refuses; its state is then what it was, and its orders stay.
    WorldBatchResult step(double dt, std::span<StepResult> results = {}, std::span<const std::uint8_t> active = {});

    // Keeps the state of these worlds, for reset().
    WorldBatchResult keep(std::span<const std::uint8_t> active = {});
    // Sets these worlds back to what keep() kept: all that World::save() saves. Refused of a world: nothing was kept,
    // or bodies or links were added since.
    WorldBatchResult reset(std::span<const std::uint8_t> active = {});

    // Null spans before the first body. The first call after bodies were added makes the arrays anew.
    WorldArrays arrays();
    // Writes the state of these worlds into the arrays.
    WorldBatchResult read(std::span<const std::uint8_t> active = {});
    // Takes the state from the arrays: set_pose() of each body whose position or orientation differs from that of its
    // world, set_velocity() of each with another velocity or spin; bodies are removed and brought back as `present`
    // says. A world is refused at its first body that is; the bodies before it have changed. Otherwise the arrays have
    // the state of the world then: orientations of unit length, bodies that were removed at rest.
    WorldBatchResult write(std::span<const std::uint8_t> active = {});

    struct Impl;  // world/dynamics/src/calls/world_batch.cpp

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanefold
