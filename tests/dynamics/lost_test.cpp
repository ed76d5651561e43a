// SPDX-License-Identifier: MIT
//
// A body whose motion cannot go on is lost: told, frozen, out of the way. All others keep the bits that they have
// without it.
#include <cstddef>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include "support/isa_fixture.hpp"
#include "support/signed_state.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

constexpr std::size_t kPoisoned = 60;

// The state of a world in which the velocity of a body is another.
std::vector<std::byte> with_velocity(const World& world, std::size_t body, const Vec3f& velocity) {
    std::vector<std::byte> bytes;
    expect_good(world.save(bytes));
    std::memcpy(bytes.data() + saved_body(body) + kSavedVelocity, &velocity, sizeof velocity);
    sign(bytes);
    return bytes;
}

// Bodies and velocities of all but one, as bytes.
std::vector<std::byte> others(const World& world, std::size_t body) {
    std::vector<std::byte> out;
    const auto add = [&](const auto& x) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&x);
        out.insert(out.end(), bytes, bytes + sizeof x);
    };
    for (std::size_t i = 0; i < world.size(); ++i) {
        if (i == body) continue;
        add(world.bodies()[i].position);
        add(world.bodies()[i].orientation);
        add(world.velocity(i));
        add(world.spin(i));
    }
    return out;
}

// One step with the world's own pairs, but for those of a body.
StepResult step_without(World& world, std::size_t body) {
    std::vector<Pair> kept;
    for (const Pair& pair : world.find_pairs(kWorldStep).pairs) {
        if (pair.a != body && pair.b != body) kept.push_back(pair);
    }
    return world.step(kWorldStep, kept);
}

class DynamicsLost : public IsaTest {};

TEST_P(DynamicsLost, OthersKeepTheBitsThatTheyHaveWithoutIt) {
    for (const std::uint32_t threads : {1U, 2U}) {
        WorldSettings s;
        s.isa = GetParam();
        s.threads = threads;
        s.sleep = false;
        StandingScene scene = pile_scene(5, 120, Shape::debris);
        World world = make_world(scene, s);
        tbb::task_arena arena(static_cast<int>(threads));
        arena.execute([&] { run(world, 1.2); });
        std::size_t touching = 0;
        for (const Manifold4& m : world.contacts())
            touching += m.pair[0] == kPoisoned || m.pair[1] == kPoisoned ? 1U : 0U;
        ASSERT_GE(touching, 3U);
        World without = make_world(scene, s);
        std::vector<std::byte> state;
        expect_good(world.save(state));
        expect_good(without.restore(state));
        expect_good(world.restore(with_velocity(world, kPoisoned, {1, kNaN, 0})));
        const BodyD frozen = world.bodies()[kPoisoned];
        for (int k = 0; k < 60; ++k) {
            StepResult r;
            arena.execute([&] { r = world.step(kWorldStep); });
            ASSERT_TRUE(r.status) << r.status.what;
            ASSERT_EQ(r.lost, k == 0 ? 1U : 0U);
            ASSERT_TRUE(step_without(without, kPoisoned).status);
            ASSERT_TRUE(others(world, kPoisoned) == others(without, kPoisoned)) << "step " << k;
            for (const Manifold4& m : world.contacts()) ASSERT_TRUE(m.pair[0] != kPoisoned && m.pair[1] != kPoisoned);
        }
        EXPECT_EQ(std::memcmp(&frozen, &world.bodies()[kPoisoned], sizeof frozen), 0);
        EXPECT_EQ(speed_of(world, kPoisoned), 0);
        EXPECT_TRUE(world.lost(kPoisoned));
        ASSERT_EQ(world.lost().size(), 1U);
        EXPECT_EQ(world.lost()[0].body, kPoisoned);
        EXPECT_EQ(world.lost()[0].step, 73U);
    }
}

// A manifold that the caller has spoilt loses one of its two bodies in the middle of the step, when its neighbours have
// numbers of it already. The faster one was to blame.
TEST_P(DynamicsLost, InTheMiddleOfAStepOthersKeepTheirBits) {
    WorldSettings s;
    s.isa = GetParam();
    s.sleep = false;
    StandingScene scene = pile_scene(5, 120, Shape::debris);
    World world = make_world(scene, s);
    run(world, 1.2);
    expect_good(world.set_velocity(kPoisoned, {0, 5, 0}, {}));
    World without = make_world(scene, s);
    std::vector<std::byte> state;
    expect_good(world.save(state));
    expect_good(without.restore(state));
    World found = make_world(scene, s);
    expect_good(found.restore(state));
    ASSERT_TRUE(found.step(kWorldStep).status);
    std::vector<Manifold4> spoilt(found.contacts().begin(), found.contacts().end());
    std::vector<Manifold4> kept;
    std::size_t count = 0;
    for (Manifold4& m : spoilt) {
        if (m.pair[0] != kPoisoned && m.pair[1] != kPoisoned) {
            kept.push_back(m);
            continue;
        }
        if (m.count == 0 || count++ != 1) continue;
        for (float& x : m.normal) x = 1e30F;
    }
    ASSERT_GT(count, 2U);
    const StepResult r = world.advance(kWorldStep, spoilt);
    ASSERT_TRUE(r.status) << r.status.what;
    EXPECT_EQ(r.lost, 1U);
    ASSERT_TRUE(world.lost(kPoisoned));
    ASSERT_TRUE(without.advance(kWorldStep, kept).status);
    for (int k = 0; k < 20; ++k) {
        ASSERT_TRUE(others(world, kPoisoned) == others(without, kPoisoned)) << "step " << k;
        EXPECT_EQ(world.step(kWorldStep).lost, 0U);
        ASSERT_TRUE(step_without(without, kPoisoned).status);
    }
}
LANEFOLD_INSTANTIATE_ISA_TESTS(DynamicsLost);

// Beyond the speed and the place that can be stored a body is lost, too; at the limit it is not.
TEST(DynamicsLostBody, IsOneThatCannotBeStored) {
    StandingScene scene = tower_scene(1);
    World world = make_world(scene);
    const float upright[] = {0, 0, 0, 1};
    const double far[] = {1e39, 0, 0}, near[] = {1e37, 0, 0};
    expect_good(world.set_pose(1, near, upright));
    EXPECT_EQ(world.step(kWorldStep).lost, 0U);
    expect_good(world.set_pose(1, far, upright));
    EXPECT_EQ(world.step(kWorldStep).lost, 1U);
    EXPECT_EQ(world.bodies()[1].position[0], 1e39);
    // A fixed body is where it was put.
    RigidBody fixed = body_at(1e39, 0, 0);
    fixed.kind = BodyKind::fixed;
    expect_good(world.add_bodies({&fixed, 1}));
    EXPECT_EQ(world.step(kWorldStep).lost, 0U);

    World fast = make_world(scene);
    const double high[] = {0, 1e30, 0};
    expect_good(fast.set_pose(1, high, upright));
    expect_good(fast.set_velocity(1, {1e12F, 0, 0}, {0, 1e12F, 0}));
    EXPECT_EQ(fast.step(kWorldStep).lost, 0U);
    expect_good(fast.restore(with_velocity(fast, 1, {1.1e13F, 0, 0})));
    EXPECT_EQ(fast.step(kWorldStep).lost, 1U);
}

TEST(DynamicsLostBody, StaysLostThroughSaveAndRestoreUntilItIsPlaced) {
    StandingScene scene = tower_scene(3);
    World world = make_world(scene);
    run(world, 0.1);
    expect_good(world.restore(with_velocity(world, 2, {kNaN, 0, 0})));
    const StepResult r = world.step(kWorldStep);
    EXPECT_EQ(r.lost, 1U);
    EXPECT_EQ(r.awake, 2U);
    run(world, 0.5);
    // The upper cube falls through it.
    EXPECT_LT(world.centre(3).y, 2.0);
    WorldSettings changed = world.settings();
    changed.gravity = {0, -5, 0};
    expect_good(world.set_settings(changed));  // wakes all
    EXPECT_TRUE(world.lost(2));
    EXPECT_NEAR(world.centre(2).y, 1.5, 0.01);
    EXPECT_STREQ(world.set_velocity(2, {}, {}).what, "the body is lost; set_pose() brings it back");
    EXPECT_FALSE(world.apply_impulse(2, {}, {}));
    EXPECT_NEAR(world.motion().mass, 2000, 0.01);

    std::vector<std::byte> state;
    expect_good(world.save(state));
    World other = make_world(scene, world.settings());
    expect_good(other.restore(state));
    ASSERT_EQ(other.lost().size(), 1U);
    EXPECT_EQ(other.lost()[0].body, 2U);
    EXPECT_EQ(other.lost()[0].step, 7U);
    run(other, 0.5);
    run(world, 0.5);
    EXPECT_EQ(state_hash(other), state_hash(world));

    const double position[] = {0, 4.5, 0};
    const float upright[] = {0, 0, 0, 1};
    expect_good(other.set_pose(2, position, upright));
    expect_good(other.set_velocity(2, {}, {}));
    EXPECT_TRUE(other.lost().empty());
    run(other, 4);
    EXPECT_NEAR(other.centre(2).y, 2.5, 0.01);
}

TEST(DynamicsLostBody, LetsItsLinksGoAndWakesWhatSleptOnIt) {
    StandingScene scene = tower_scene(2);
    RigidBody hung = body_at(5, 3, 0), below = body_at(5, 1, 0);
    scene.bodies.push_back(hung);
    scene.bodies.push_back(below);
    World world = make_world(scene);
    BodyLink links[2];
    links[0].a = 3;
    links[0].end_b = {5, 5, 0};
    links[0].length = 2;
    links[1].a = 4;
    links[1].b = 3;
    links[1].length = 2;
    expect_good(world.add_links(links));
    run(world, 3);
    ASSERT_TRUE(world.asleep(2));
    EXPECT_LT(world.link_force(1), -5000);
    expect_good(world.restore(with_velocity(world, 1, {kNaN, 0, 0})));
    expect_good(world.restore(with_velocity(world, 3, {kNaN, 0, 0})));
    const StepResult r = world.step(kWorldStep);
    EXPECT_EQ(r.lost, 2U);
    EXPECT_FALSE(world.asleep(2));
    EXPECT_EQ(world.link_force(0), 0);
    EXPECT_EQ(world.link_force(1), 0);
    run(world, 0.3);
    EXPECT_LT(world.centre(4).y, 0.7);
    EXPECT_LT(world.centre(2).y, 1.3);
    EXPECT_NEAR(world.centre(3).y, 3, 0.01);
}

TEST(DynamicsLostBody, PosesThatAreNotFiniteAreRefused) {
    World world = make_world(tower_scene(2));
    std::vector<std::byte> bytes;
    expect_good(world.save(bytes));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::memcpy(bytes.data() + saved_body(1), &nan, sizeof nan);
    sign(bytes);
    EXPECT_STREQ(world.restore(bytes).what, "state: damaged");
}

}  // namespace
}  // namespace lanefold::test
