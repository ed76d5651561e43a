// SPDX-License-Identifier: MIT
//
// Batches of worlds, from C, have the bytes of C++: steps, targets, bodies that are removed or shared, resets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <lanefold_world_batch.h>
#include <lanefold/world_batch.hpp>

#include "support/c_hulls.hpp"
#include "support/standing_scenes.hpp"

namespace lanefold::test {
namespace {

struct Free {
    void operator()(lanefold_world_batch* p) const { lanefold_world_batch_free(p); }
};

// Eight worlds of a tower, through C++ and through C.
class CWorldBatch : public testing::Test {
protected:
    CWorldBatch() : scene_(tower_scene(4)), own_(scene_.hulls, 8), hulls_(c_hulls(scene_.hulls)) {
        lanefold_world_batch* made = nullptr;
        EXPECT_EQ(lanefold_world_batch_create(hulls_.get(), 8, &made).code, LANEFOLD_OK);
        batch_.reset(made);
        std::vector<lanefold_rigid_body> bodies;
        for (const RigidBody& b : scene_.bodies) {
            lanefold_rigid_body c = LANEFOLD_RIGID_BODY_INIT;
            c.hull = b.hull;
            c.kind = static_cast<std::uint8_t>(b.kind);
            std::memcpy(c.position, b.position, sizeof c.position);
            bodies.push_back(c);
        }
        for (RigidBody& b : scene_.bodies) {
            RigidBody plain;
            plain.hull = b.hull;
            plain.kind = b.kind;
            std::copy_n(b.position, 3, plain.position);
            b = plain;
        }
        EXPECT_TRUE(own_.add_bodies(scene_.bodies));
        EXPECT_EQ(lanefold_world_batch_add_bodies(made, bodies.data(), bodies.size(), nullptr).code, LANEFOLD_OK);
        WorldSettings settings;
        settings.gravity = {0, -9.81F, 0};
        EXPECT_TRUE(own_.set_settings(settings));
        lanefold_world_settings c = LANEFOLD_WORLD_SETTINGS_INIT;
        EXPECT_EQ(lanefold_world_get_settings(lanefold_world_batch_world(made, 0), &c).code, LANEFOLD_OK);
        c.gravity[0] = c.gravity[2] = 0;
        c.gravity[1] = -9.81F;
        EXPECT_EQ(lanefold_world_batch_set_settings(made, &c, nullptr).code, LANEFOLD_OK);
    }

    lanefold_world_arrays arrays() {
        lanefold_world_arrays a = LANEFOLD_WORLD_ARRAYS_INIT;
        EXPECT_EQ(lanefold_world_batch_arrays(batch_.get(), &a).code, LANEFOLD_OK);
        return a;
    }

    template <class T>
    static bool same(std::span<const T> own, const T* c) {
        return std::memcmp(own.data(), c, own.size_bytes()) == 0;
    }

    void expect_same() {
        const WorldArrays own = own_.arrays();
        const lanefold_world_arrays c = arrays();
        ASSERT_EQ(c.bodies, own.touches.size());
        EXPECT_TRUE(same<double>(own.positions, c.positions));
        EXPECT_TRUE(same<float>(own.orientations, c.orientations));
        EXPECT_TRUE(same<float>(own.velocities, c.velocities));
        EXPECT_TRUE(same<float>(own.spins, c.spins));
        EXPECT_TRUE(same(own.contact_forces, c.contact_forces));
        EXPECT_TRUE(same(own.touches, c.touches));
        EXPECT_TRUE(same(own.offsets, c.offsets));
        EXPECT_TRUE(same<std::uint8_t>(own.present, c.present));
        EXPECT_TRUE(same(own.asleep, c.asleep));
        EXPECT_TRUE(same<double>(own.target_positions, c.target_positions));
        EXPECT_TRUE(same<float>(own.target_orientations, c.target_orientations));
        EXPECT_TRUE(same<std::uint8_t>(own.targets, c.targets));
        EXPECT_TRUE(same<float>(own.impulses, c.impulses));
    }

    StandingScene scene_;
    WorldBatch own_;
    CHulls hulls_;
    std::unique_ptr<lanefold_world_batch, Free> batch_;
};

TEST_F(CWorldBatch, StepsResetsAndWritesAreTheBytesOfCpp) {
    ASSERT_TRUE(own_.keep().status);
    ASSERT_EQ(lanefold_world_batch_keep(batch_.get(), nullptr, nullptr).code, LANEFOLD_OK);
    const std::size_t per_world = scene_.bodies.size();
    std::vector<std::uint8_t> active = {1, 1, 0, 1, 1, 1, 1, 1};
    std::vector<StepResult> results(8);
    std::vector<lanefold_step_result> c_results(8);
    c_results[0] = LANEFOLD_STEP_RESULT_INIT;
    std::vector<lanefold_status> statuses(8);
    for (std::size_t step = 0; step < 60; ++step) {
        for (std::size_t w = 0; w < 8; ++w) {
            const auto push = static_cast<float>(300 * w);
            own_.arrays().forces[3 * (w * per_world + 4)] = push;
            arrays().forces[3 * (w * per_world + 4)] = push;
        }
        if (step == 30) {  // a force that is not finite refuses one world
            own_.arrays().torques[3 * (5 * per_world + 2)] = HUGE_VALF;
            arrays().torques[3 * (5 * per_world + 2)] = HUGE_VALF;
        }
        const WorldBatchResult r = own_.step(1.0 / 60, results, active);
        lanefold_world_batch_result sums = LANEFOLD_WORLD_BATCH_RESULT_INIT;
        const lanefold_status s =
            lanefold_world_batch_step(batch_.get(), 1.0 / 60, active.data(), statuses.data(), c_results.data(), &sums);
        ASSERT_EQ(s.code, static_cast<int>(r.status.code)) << s.what;
        EXPECT_EQ(s.where, r.status.where);
        EXPECT_EQ(sums.done, r.done);
        EXPECT_EQ(sums.contacts, r.contacts);
        EXPECT_EQ(statuses[5].code != LANEFOLD_OK, step >= 30);
        EXPECT_EQ(c_results[4].contacts, results[4].contacts);
    }
    expect_same();
    EXPECT_GT(arrays().touches[1], 0U);
    const std::vector<std::uint8_t> some = {0, 1, 0, 0, 0, 1, 0, 0};
    ASSERT_TRUE(own_.reset(some).status);
    lanefold_world_batch_result sums = LANEFOLD_WORLD_BATCH_RESULT_INIT;
    ASSERT_EQ(lanefold_world_batch_reset(batch_.get(), some.data(), &sums).code, LANEFOLD_OK);
    EXPECT_EQ(sums.done, 2U);
    expect_same();
    own_.arrays().positions[3 * 4 + 1] += 2;
    arrays().positions[3 * 4 + 1] += 2;
    ASSERT_TRUE(own_.write().status);
    ASSERT_EQ(lanefold_world_batch_write(batch_.get(), nullptr, nullptr).code, LANEFOLD_OK);
    lanefold_world* first = lanefold_world_batch_world(batch_.get(), 0);
    EXPECT_EQ(lanefold_world_bodies(first, nullptr)[4].position[1], own_.world(0).bodies()[4].position[1]);
    const double place[3] = {3, 9, 3};
    const float upright[4] = {0, 0, 0, 1};
    ASSERT_TRUE(own_.world(0).set_pose(4, place, upright));
    ASSERT_EQ(lanefold_world_set_pose(first, 4, place, upright).code, LANEFOLD_OK);
    ASSERT_TRUE(own_.read().status);
    ASSERT_EQ(lanefold_world_batch_read(batch_.get(), nullptr, nullptr).code, LANEFOLD_OK);
    expect_same();
}

// A lift that carries a cube, two stored cubes and a floor that all worlds share.
TEST_F(CWorldBatch, TargetsRemovalsAndSharedBodiesAreTheBytesOfCpp) {
    lanefold_world_batch* made = nullptr;
    ASSERT_EQ(lanefold_world_batch_create(hulls_.get(), 3, &made).code, LANEFOLD_OK);
    batch_.reset(made);
    own_ = WorldBatch(scene_.hulls, 3);
    std::vector<lanefold_rigid_body> bodies;
    std::vector<RigidBody> own;
    for (int i = 0; i < 9; ++i) {
        lanefold_rigid_body c = LANEFOLD_RIGID_BODY_INIT;
        RigidBody b;
        c.kind = i % 3 == 0 ? LANEFOLD_KINEMATIC : LANEFOLD_DYNAMIC;
        b.kind = static_cast<BodyKind>(c.kind);
        c.hull = b.hull = scene_.bodies[1].hull;
        c.position[1] = b.position[1] = 1.5 * (i % 3);
        c.position[0] = b.position[0] = i % 3 == 2 ? 5 : 0;
        c.friction = b.friction = 0.3F + 0.1F * static_cast<float>(i / 3);
        bodies.push_back(c);
        own.push_back(b);
    }
    bodies[4].mass = -1;
    const lanefold_status wrong = lanefold_world_batch_add_bodies_of_each(made, bodies.data(), 3);
    EXPECT_EQ(wrong.code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(wrong.where, 4U);
    bodies[4].mass = 0;
    ASSERT_EQ(lanefold_world_batch_add_bodies_of_each(made, bodies.data(), 3).code, LANEFOLD_OK);
    ASSERT_TRUE(own_.add_bodies_of_each(own));
    lanefold_rigid_body floor = LANEFOLD_RIGID_BODY_INIT;
    floor.hull = scene_.bodies[0].hull;
    floor.position[1] = -3;
    EXPECT_EQ(lanefold_world_batch_add_shared(made, &floor, 1).code, LANEFOLD_BAD_ARGUMENT);
    floor.kind = LANEFOLD_FIXED;
    ASSERT_EQ(lanefold_world_batch_add_shared(made, &floor, 1).code, LANEFOLD_OK);
    EXPECT_EQ(lanefold_world_batch_shared(made), 1U);
    RigidBody same_floor;
    same_floor.hull = floor.hull;
    same_floor.kind = BodyKind::fixed;
    same_floor.position[1] = -3;
    ASSERT_TRUE(own_.add_shared({&same_floor, 1}));
    const WorldArrays a = own_.arrays();
    const lanefold_world_arrays c = arrays();
    for (int step = 0; step < 60; ++step) {
        for (const std::size_t w : {std::size_t{0}, std::size_t{2}}) {
            a.targets[3 * w] = c.targets[3 * w] = 1;
            a.target_positions[9 * w + 1] = c.target_positions[9 * w + 1] = 0.02 * step;
        }
        if (step == 10) a.impulses[3] = c.impulses[3] = 500;
        if (step == 20 || step == 40) {
            a.present[5] = c.present[5] = step == 40 ? 1 : 0;
            ASSERT_TRUE(own_.write().status);
            ASSERT_EQ(lanefold_world_batch_write(made, nullptr, nullptr).code, LANEFOLD_OK);
            EXPECT_EQ(lanefold_world_removed(lanefold_world_batch_world(made, 1), 2), step == 20 ? 1 : 0);
        }
        ASSERT_TRUE(own_.step(1.0 / 60).status);
        ASSERT_EQ(lanefold_world_batch_step(made, 1.0 / 60, nullptr, nullptr, nullptr, nullptr).code, LANEFOLD_OK);
        expect_same();
    }
    EXPECT_NEAR(c.positions[1], 0.02 * 59, 1e-6);
    EXPECT_EQ(c.positions[9 + 1], 0) << "without a target it stands";
    EXPECT_GT(c.positions[18 + 4], 1.5) << "the lift carries the cube";
}

TEST_F(CWorldBatch, CallsOfOneWorldAreThoseOfCpp) {
    lanefold_world* c = lanefold_world_batch_world(batch_.get(), 0);
    World& own = own_.world(0);
    const float turn[3] = {30, 20, 10}, upright[4] = {0, 0, 0, 1};
    const double there[3] = {0, 1, 0};
    EXPECT_EQ(lanefold_world_apply_angular_impulse(c, 2, turn).code, LANEFOLD_OK);
    EXPECT_TRUE(own.apply_angular_impulse(2, {30, 20, 10}));
    EXPECT_EQ(lanefold_world_remove(c, 1).code, LANEFOLD_OK);
    EXPECT_TRUE(own.remove(1));
    EXPECT_EQ(lanefold_world_removed(c, 1), 1);
    EXPECT_EQ(lanefold_world_lost(c, 1), 0);
    EXPECT_EQ(lanefold_world_wake(c, 3).code, LANEFOLD_OK);
    const lanefold_status refused = lanefold_world_set_target(c, 2, there, upright, 0.1);
    EXPECT_EQ(refused.code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(refused.where, 2U);
    EXPECT_EQ(lanefold_world_set_target(c, 2, nullptr, upright, 0.1).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_world_remove(nullptr, 0).code, LANEFOLD_BAD_ARGUMENT);
    ASSERT_TRUE(own_.step(1.0 / 60).status);
    ASSERT_EQ(lanefold_world_batch_step(batch_.get(), 1.0 / 60, nullptr, nullptr, nullptr, nullptr).code, LANEFOLD_OK);
    expect_same();
    EXPECT_EQ(arrays().present[1], 0);
}

TEST_F(CWorldBatch, BadArgumentsAreRefused) {
    EXPECT_EQ(lanefold_world_batch_count(batch_.get()), 8U);
    EXPECT_EQ(lanefold_world_batch_world(batch_.get(), 8), nullptr);
    EXPECT_EQ(lanefold_world_batch_world(nullptr, 0), nullptr);
    EXPECT_EQ(lanefold_world_batch_reset(batch_.get(), nullptr, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_world_batch_step(batch_.get(), -1, nullptr, nullptr, nullptr, nullptr).code,
              LANEFOLD_BAD_ARGUMENT);
    lanefold_status statuses[8];
    for (lanefold_status& status : statuses) status = {LANEFOLD_CANCELLED, 0, 7, nullptr};
    EXPECT_EQ(lanefold_world_batch_step(batch_.get(), -1, nullptr, statuses, nullptr, nullptr).code,
              LANEFOLD_BAD_ARGUMENT);
    for (const lanefold_status& status : statuses) EXPECT_EQ(status.code, LANEFOLD_CANCELLED);
    EXPECT_EQ(lanefold_world_batch_step(nullptr, 0.1, nullptr, nullptr, nullptr, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    lanefold_step_result results[8] = {};
    EXPECT_EQ(lanefold_world_batch_step(batch_.get(), 0.1, nullptr, nullptr, results, nullptr).code,
              LANEFOLD_BAD_ARGUMENT);
    lanefold_world_batch_result sums{};
    EXPECT_EQ(lanefold_world_batch_keep(batch_.get(), nullptr, &sums).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_world_batch_set_gravity(batch_.get(), nullptr).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_world_batch_add_bodies(batch_.get(), nullptr, 2, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    lanefold_world_batch* made = batch_.get();
    EXPECT_EQ(lanefold_world_batch_create(nullptr, 3, &made).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(made, nullptr);
}

}  // namespace
}  // namespace lanefold::test
