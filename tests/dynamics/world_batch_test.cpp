// SPDX-License-Identifier: MIT
//
// Many worlds in a batch beside the same worlds alone: equal bytes after every step, with masks, resets, forces,
// targets, states that are written, bodies that are removed, worlds that are refused and bodies that are lost.
// LANEFOLD_LONG=1: 1,000 worlds, 1,000 steps. LANEFOLD_WORLDS=N: so many worlds for 1,000 steps (./dev sweep --worlds);
// LANEFOLD_SEED: other ones.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <tbb/task_arena.h>

#include <lanefold/world_batch.hpp>

#include "support/batch_threads.hpp"
#include "support/small_worlds.hpp"
#include "support/sweep.hpp"

namespace lanefold::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// The same worlds alone and in a batch.
struct Both {
    std::vector<World> alone;
    WorldBatch batch;
    std::vector<std::vector<std::byte>> kept;

    explicit Both(std::size_t worlds) {
        const HullSet hulls = small_hulls();
        batch = WorldBatch(hulls, worlds);
        BatchRandom random(sweep_seed(17));
        for (std::size_t w = 0; w < worlds; ++w) {
            alone.emplace_back(hulls);
            WorldSettings settings;
            settings.gravity.y = random.uniform(-15, -5);
            settings.sleep_time = 0.1F;
            settings.sleep_speed = 0.2F;
            settings.reuse = w % 3 == 1 ? 0.02F : 0.0F;
            const std::vector<RigidBody> bodies = random_bodies(random);
            BodyLink link;
            link.a = 1;
            link.b = 2;
            link.length = 0.8;
            for (World* world : {&alone[w], &batch.world(w)}) {
                EXPECT_TRUE(world->set_settings(settings));
                EXPECT_TRUE(world->add_bodies(bodies));
                // A link of two bodies that impulses do not move is refused.
                const bool moves = bodies[1].kind == BodyKind::dynamic || bodies[2].kind == BodyKind::dynamic;
                const std::size_t links = w % 3 == 0 && moves ? 1 : 0;
                EXPECT_TRUE(world->add_links({&link, links}));
            }
        }
        kept.resize(worlds);
    }
};

// Targets of kinematic bodies of active worlds, in the arrays and by calls of the worlds alone. Most stay for some
// steps, so that bodies arrive.
std::uint64_t aim(Both& both, const std::vector<std::uint8_t>& active, BatchRandom& random) {
    const WorldArrays arrays = both.batch.arrays();
    std::uint64_t aimed = 0;
    for (std::size_t w = 0; w < both.alone.size(); ++w) {
        World& world = both.alone[w];
        for (std::size_t i = 0; active[w] != 0 && i < world.size(); ++i) {
            const std::size_t at = arrays.offsets[w] + i;
            if (world.mass(i) != 0 || i == 0 || world.lost(i) || world.removed(i)) continue;
            double* const p = &arrays.target_positions[3 * at];
            float* const q = &arrays.target_orientations[4 * at];
            if (random.below(6) == 0) {
                arrays.targets[at] = random.below(4) != 0 ? 1 : 0;
                for (std::size_t k = 0; k < 3; ++k)
                    p[k] = arrays.positions[3 * at + k] + static_cast<double>(random.uniform(-0.2F, 0.2F));
                random.rotation(q);
            }
            if (arrays.targets[at] == 0) continue;
            const CallStatus set = world.set_target(i, p, q, kWorldStep);
            if (!set) {  // move() has put it where float32 does not reach
                EXPECT_STREQ(set.what, "target: velocity or spin would be beyond 1e12");
                arrays.targets[at] = 0;
            }
            aimed += set ? 1U : 0U;
        }
    }
    return aimed;
}

// Random forces on dynamic bodies of active worlds, in the arrays and as impulses of the worlds alone.
void push(Both& both, const std::vector<std::uint8_t>& active, BatchRandom& random) {
    const WorldArrays arrays = both.batch.arrays();
    std::fill(arrays.forces.begin(), arrays.forces.end(), 0.0F);
    std::fill(arrays.torques.begin(), arrays.torques.end(), 0.0F);
    for (std::size_t w = 0; w < both.alone.size(); ++w) {
        World& world = both.alone[w];
        // Every fourth world is left alone, and may sleep.
        for (std::size_t i = 0; active[w] != 0 && w % 4 != 0 && i < world.size(); ++i) {
            if (world.mass(i) == 0 || world.lost(i) || world.removed(i) || random.below(6) != 0) continue;
            const std::size_t at = 3 * (arrays.offsets[w] + i);
            float f[3];
            float t[3];
            for (std::size_t k = 0; k < 3; ++k) {
                arrays.forces[at + k] = f[k] = random.uniform(-300, 300);
                arrays.torques[at + k] = t[k] = random.uniform(-20, 20);
            }
            const auto over = [](float x) { return static_cast<float>(static_cast<double>(x) * kWorldStep); };
            EXPECT_TRUE(world.apply_impulse(i, {over(f[0]), over(f[1]), over(f[2])}, world.centre(i)));
            EXPECT_TRUE(world.apply_angular_impulse(i, {over(t[0]), over(t[1]), over(t[2])}));
        }
    }
}

// Puts some bodies elsewhere, by arrays and by calls; now and then so far that the body is lost.
std::uint64_t move(Both& both, const std::vector<std::uint8_t>& active, BatchRandom& random) {
    const WorldArrays arrays = both.batch.arrays();
    std::uint64_t moved = 0;
    for (std::size_t w = 0; w < both.alone.size(); ++w) {
        World& world = both.alone[w];
        if (active[w] == 0 || random.below(8) != 0) continue;
        const std::size_t i = 1 + random.below(static_cast<std::uint32_t>(world.size() - 1));
        const std::size_t at = arrays.offsets[w] + i;
        arrays.positions[3 * at + 1] += 0.4;
        arrays.velocities[3 * at] = 1.5F;
        if (random.below(10) == 0) arrays.positions[3 * at] = 1e39;  // float32 does not reach there
        const double p[3] = {arrays.positions[3 * at], arrays.positions[3 * at + 1], arrays.positions[3 * at + 2]};
        const Vec3f v{arrays.velocities[3 * at], arrays.velocities[3 * at + 1], arrays.velocities[3 * at + 2]};
        const Vec3f s{arrays.spins[3 * at], arrays.spins[3 * at + 1], arrays.spins[3 * at + 2]};
        EXPECT_TRUE(world.set_pose(i, p, &arrays.orientations[4 * at]));
        EXPECT_TRUE(world.set_velocity(i, v, s));
        ++moved;
    }
    EXPECT_TRUE(both.batch.write(active).status);
    return moved;
}

// Takes bodies out of their worlds and puts them in again, by the array and by calls.
std::uint64_t remove(Both& both, const std::vector<std::uint8_t>& active, BatchRandom& random) {
    const WorldArrays arrays = both.batch.arrays();
    std::uint64_t removed = 0;
    for (std::size_t w = 0; w < both.alone.size(); ++w) {
        World& world = both.alone[w];
        if (active[w] == 0 || random.below(6) != 0) continue;
        const std::size_t i = random.below(static_cast<std::uint32_t>(world.size()));
        const std::size_t at = arrays.offsets[w] + i;
        if (arrays.present[at] != 0) {
            EXPECT_TRUE(world.remove(i));
            ++removed;
        } else {
            EXPECT_TRUE(world.set_pose(i, &arrays.positions[3 * at], &arrays.orientations[4 * at]));
        }
        arrays.present[at] ^= 1;
    }
    EXPECT_TRUE(both.batch.write(active).status);
    return removed;
}

void expect_arrays(const Both& both, const WorldArrays& arrays, std::size_t w) {
    const World& world = both.alone[w];
    for (std::size_t i = 0; i < world.size(); ++i) {
        const std::size_t at = arrays.offsets[w] + i;
        const BodyD& body = world.bodies()[i];
        const Vec3f v = world.velocity(i);
        const Vec3f s = world.spin(i);
        ASSERT_EQ(std::memcmp(&arrays.positions[3 * at], body.position, sizeof body.position), 0) << w << " " << i;
        ASSERT_EQ(std::memcmp(&arrays.orientations[4 * at], body.orientation, sizeof body.orientation), 0) << w;
        ASSERT_EQ(std::memcmp(&arrays.velocities[3 * at], &v, sizeof v), 0) << w << " " << i;
        ASSERT_EQ(std::memcmp(&arrays.spins[3 * at], &s, sizeof s), 0) << w << " " << i;
        ASSERT_EQ(arrays.present[at], world.lost(i) || world.removed(i) ? 0 : 1) << w << " " << i;
        ASSERT_EQ(arrays.asleep[at], world.asleep(i) ? 1 : 0) << w << " " << i;
    }
}

struct Counts {
    std::uint64_t lost = 0, asleep = 0, resets = 0, moved = 0, contacts = 0, refused = 0, aimed = 0, removed = 0;
};

// Steps the worlds alone after a step of the batch, in which `poisoned` was refused: its bytes were `before`.
void step_alone(Both& both, const std::vector<std::uint8_t>& active, const std::vector<StepResult>& results,
                std::size_t poisoned, const std::vector<std::byte>& before, Counts& counts) {
    for (std::size_t w = 0; w < both.alone.size(); ++w) {
        if (active[w] == 0) continue;
        if (w == poisoned) {
            EXPECT_EQ(bytes_of(both.batch.world(w)), before) << "a refused world has changed";
            // It has the pushes of this step already.
            EXPECT_TRUE(both.alone[w].restore(before));
            ++counts.refused;
            continue;
        }
        const StepResult own = both.alone[w].step(kWorldStep);
        ASSERT_TRUE(own.status) << own.status.what;
        ASSERT_EQ(results[w].contacts, own.contacts) << w;
        counts.lost += own.lost;
        counts.asleep += own.asleep;
        counts.contacts += own.contacts;
    }
}

// One step of both with forces, now and then one that is no number, which poisons its world.
void step_both(Both& both, int step, BatchRandom& random, tbb::task_arena& arena, Counts& counts) {
    const std::size_t worlds = both.alone.size();
    std::vector<std::uint8_t> active(worlds);
    std::vector<StepResult> results(worlds);
    for (std::uint8_t& a : active) a = random.below(5) != 0 ? 1 : 0;
    if (step % 10 == 5) counts.moved += move(both, active, random);
    if (step % 10 == 8) counts.removed += remove(both, active, random);
    push(both, active, random);
    counts.aimed += aim(both, active, random);
    const std::size_t chosen = random.below(static_cast<std::uint32_t>(worlds));
    const bool poison = step % 7 == 3 && active[chosen] != 0;
    if (poison) both.batch.arrays().forces[3 * both.batch.arrays().offsets[chosen] + 4] = kNan;
    const std::vector<std::byte> before = bytes_of(both.batch.world(chosen));
    both.batch.set_threads(step % 3 == 0 ? 1 : 4);
    WorldBatchResult r;
    arena.execute([&] { r = both.batch.step(kWorldStep, results, active); });
    EXPECT_EQ(r.status.code, poison ? Status::bad_argument : Status::ok) << r.status.what;
    EXPECT_EQ(r.refused, poison ? 1U : 0U);
    EXPECT_EQ(r.status.where, poison ? chosen : 0);
    step_alone(both, active, results, poison ? chosen : worlds, before, counts);
    if (step % 30 != 20) return;
    EXPECT_TRUE(both.batch.keep(active).status);
    for (std::size_t w = 0; w < worlds; ++w) {
        if (active[w] != 0) both.kept[w] = bytes_of(both.alone[w]);
    }
}

void reset_both(Both& both, BatchRandom& random, Counts& counts) {
    std::vector<std::uint8_t> active(both.alone.size());
    for (std::size_t w = 0; w < active.size(); ++w) active[w] = !both.kept[w].empty() && random.below(3) == 0 ? 1 : 0;
    EXPECT_TRUE(both.batch.reset(active).status);
    for (std::size_t w = 0; w < active.size(); ++w) {
        if (active[w] == 0) continue;
        EXPECT_TRUE(both.alone[w].restore(both.kept[w]));
        ASSERT_EQ(bytes_of(both.batch.world(w)), bytes_of(both.alone[w])) << w;
        ++counts.resets;
    }
}

TEST(WorldBatch, EveryWorldIsThatOfAWorldAlone) {
    const auto [worlds, steps] = campaign_size(40, 90);
    Both both(worlds);
    BatchRandom random(sweep_seed(29));
    tbb::task_arena arena(4);
    Counts n;
    for (int step = 0; step < steps; ++step) {
        step_both(both, step, random, arena, n);
        // Bytes of all worlds cost more than their steps.
        for (std::size_t w = static_cast<std::size_t>(step % 5); w < worlds; w += 5) {
            ASSERT_EQ(bytes_of(both.batch.world(w)), bytes_of(both.alone[w])) << "world " << w << ", step " << step;
            expect_arrays(both, both.batch.arrays(), w);
        }
        if (step % 10 == 9) reset_both(both, random, n);
    }
    const auto number = [](std::uint64_t x) { return static_cast<unsigned long long>(x); };
    std::printf(
        "%zu worlds, %d steps: %llu contacts, %llu resets, %llu lost, %llu asleep, %llu refused, %llu moved, "
        "%llu removed, %llu targets\n",
        worlds, steps, number(n.contacts), number(n.resets), number(n.lost), number(n.asleep), number(n.refused),
        number(n.moved), number(n.removed), number(n.aimed));
    if (!stored_seed()) return;
    EXPECT_GT(n.contacts, 5000U);
    EXPECT_GT(n.resets, 20U);
    EXPECT_GT(n.refused, 5U);
    EXPECT_GT(n.moved, 10U);
    EXPECT_GT(n.lost, 0U);
    EXPECT_GT(n.asleep, 100U);
    EXPECT_GT(n.removed, 20U);
    EXPECT_GT(n.aimed, 500U);
}

// A body that rests on the floor presses on it with its weight.
TEST(WorldBatch, ContactForcesCarryTheWeight) {
    WorldBatch batch(small_hulls(), 3);
    std::vector<RigidBody> bodies(2);
    bodies[0].kind = BodyKind::fixed;
    bodies[0].position[1] = -0.5;
    bodies[1].hull = 1;
    bodies[1].position[1] = 0.25;
    bodies[1].mass = 4;
    ASSERT_TRUE(batch.add_bodies(bodies));
    const Vec3f gravity[3] = {{0, -10, 0}, {0, -5, 0}, {0, 0, 0}};
    ASSERT_TRUE(batch.set_gravity(gravity));
    for (int step = 0; step < 20; ++step) ASSERT_TRUE(batch.step(kWorldStep).status);
    const WorldArrays arrays = batch.arrays();
    for (std::size_t w = 0; w < 3; ++w) {
        const std::size_t at = arrays.offsets[w] + 1;
        const float weight = -4 * gravity[w].y;
        EXPECT_NEAR(arrays.contact_forces[3 * at + 1], weight, 0.02F * weight + 1e-4F) << w;
        EXPECT_NEAR(arrays.contact_forces[3 * (at - 1) + 1], -weight, 0.02F * weight + 1e-4F) << w;
        EXPECT_EQ(arrays.touches[at], weight > 0 ? 1U : 0U);
    }
}

void expect_refused(const CallStatus& status, const char* what, std::uint64_t where) {
    EXPECT_EQ(status.code, Status::bad_argument);
    EXPECT_STREQ(status.what, what);
    EXPECT_EQ(status.where, where);
}

TEST(WorldBatch, BadInputIsRefused) {
    WorldBatch batch(small_hulls(), 4);
    std::vector<RigidBody> bodies(2);
    bodies[0].kind = BodyKind::fixed;
    bodies[1].position[1] = 3;
    ASSERT_TRUE(batch.add_bodies(bodies));
    const std::vector<std::uint8_t> mask(3, 1);
    const char* const wrong_mask = "active needs one byte for each world, or none";
    expect_refused(batch.step(kWorldStep, {}, mask).status, wrong_mask, 3);
    expect_refused(batch.reset(mask).status, wrong_mask, 3);
    expect_refused(batch.keep(mask).status, wrong_mask, 3);
    expect_refused(batch.write(mask).status, wrong_mask, 3);
    expect_refused(batch.add_bodies(bodies, mask), wrong_mask, 3);
    std::vector<StepResult> results(5);
    expect_refused(batch.step(kWorldStep, results).status, "results needs one element for each world, or none", 5);
    expect_refused(batch.step(0).status, "dt must be 1e-9 to 10 seconds", 0);
    expect_refused(batch.set_gravity({}), "gravity needs one vector for each world", 0);
    std::vector<Vec3f> gravity(4, Vec3f{0, 1, 0});
    gravity[2].y = std::nanf("");
    expect_refused(batch.set_gravity(gravity), "settings.gravity is not finite; 0, -9.81, 0 would do", 2);
    EXPECT_EQ(batch.world(0).settings().gravity.y, -9.81F);
    expect_refused(batch.reset().status, "no state was kept", 0);
    const std::vector<std::uint8_t> last{0, 0, 0, 1};
    ASSERT_TRUE(batch.keep().status);
    ASSERT_TRUE(batch.add_bodies(bodies, last));
    const WorldBatchResult reset = batch.reset();
    expect_refused(reset.status, "bodies or links were added since the state was kept", 3);
    EXPECT_EQ(reset.done, 3U);
    batch.arrays().forces[3 * batch.arrays().offsets[2]] = 1;
    const WorldBatchResult pushed = batch.step(kWorldStep);
    expect_refused(pushed.status, "forces act on a body that is not dynamic", 2);
    EXPECT_EQ(pushed.refused, 1U);
    batch.arrays().forces[3 * batch.arrays().offsets[2]] = 0;
    batch.arrays().targets[batch.arrays().offsets[1] + 1] = 1;
    const WorldBatchResult aimed = batch.step(kWorldStep);
    expect_refused(aimed.status, "target: the body is not kinematic", 1);
    EXPECT_EQ(aimed.refused, 1U);
    batch.arrays().targets[batch.arrays().offsets[1] + 1] = 0;
    batch.arrays().positions[3 * batch.arrays().offsets[1]] = std::nan("");
    expect_refused(batch.write().status, "position is not finite", 1);
    WorldBatch other = std::move(batch);
    expect_refused(batch.step(kWorldStep).status, "the batch was moved from", 0);  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(other.step(kWorldStep).status);
}

}  // namespace
}  // namespace lanefold::test
