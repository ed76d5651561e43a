// SPDX-License-Identifier: MIT
//
// Bodies that the caller takes out of a world and puts in again: all others keep the bits that they have without them.
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr float kUpright[] = {0, 0, 0, 1};

// Bodies and velocities of all but the last, as bytes.
std::vector<std::byte> all_but_last(const World& world, std::size_t count) {
    std::vector<std::byte> out;
    const auto add = [&](const auto& x) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&x);
        out.insert(out.end(), bytes, bytes + sizeof x);
    };
    for (std::size_t i = 0; i < count; ++i) {
        add(world.bodies()[i].position);
        add(world.bodies()[i].orientation);
        add(world.velocity(i));
        add(world.spin(i));
    }
    return out;
}

// Removed before the first step, it is as if it had never been added.
TEST(DynamicsRemoved, OneOutOfTheWorldChangesNoBitOfTheOthers) {
    StandingScene scene = pile_scene(5, 60, Shape::debris);
    const std::size_t count = scene.bodies.size();
    WorldSettings settings;
    World without = make_world(scene, settings);
    RigidBody more = body_at(0, 1, 0);
    scene.bodies.push_back(more);
    World world = make_world(scene, settings);
    expect_good(world.remove(count));
    EXPECT_TRUE(world.removed(count));
    EXPECT_FALSE(world.lost(count));
    for (int k = 0; k < 90; ++k) {
        const StepResult r = world.step(kWorldStep);
        ASSERT_TRUE(r.status && without.step(kWorldStep).status);
        ASSERT_EQ(r.lost, 0U);
        ASSERT_TRUE(all_but_last(world, count) == all_but_last(without, count)) << "step " << k;
    }
    EXPECT_GT(world.contacts().size(), 50U);
    EXPECT_EQ(world.centre(count).y, 1) << "it stays where it was";
    EXPECT_TRUE(world.lost().empty());
}

// A body that stands on it falls, though it slept.
TEST(DynamicsRemoved, WakesWhatSleptOnItAndComesBackByItsPose) {
    World world = make_world(tower_scene(3));
    run(world, 3);
    ASSERT_TRUE(world.asleep(3));
    const Vec3d at = world.centre(2);
    expect_good(world.remove(2));
    expect_good(world.remove(2));
    EXPECT_FALSE(world.asleep(3));
    EXPECT_STREQ(world.set_velocity(2, {}, {}).what, "the body was removed; set_pose() brings it back");
    EXPECT_STREQ(world.apply_impulse(2, {}, {}).what, "the body was removed; set_pose() brings it back");
    EXPECT_STREQ(world.remove(9).what, "there is no such body");
    StepResult r = world.step(kWorldStep);
    EXPECT_EQ(r.awake + r.asleep, 2U);
    for (const Manifold4& m : world.contacts()) EXPECT_TRUE(m.pair[0] != 2 && m.pair[1] != 2);
    run(world, 1);
    EXPECT_NEAR(world.centre(3).y, 1.5, 0.01) << "it has fallen on the lowest";
    EXPECT_EQ(world.centre(2).y, at.y);

    std::vector<std::byte> state;
    expect_good(world.save(state));
    World other = make_world(tower_scene(3));
    expect_good(other.restore(state));
    EXPECT_TRUE(other.removed(2));
    EXPECT_TRUE(other.lost().empty());
    for (World* each : {&world, &other}) {
        const double high[3] = {0, 2.6, 0};
        expect_good(each->set_pose(2, high, kUpright));
        EXPECT_FALSE(each->removed(2));
        run(*each, 2);
        EXPECT_NEAR(each->centre(2).y, 2.5, 0.01);
    }
    EXPECT_EQ(state_hash(world), state_hash(other));
}

// A floor that rests under sleepers is a trap door; a lost body is no longer lost when it is removed.
TEST(DynamicsRemoved, FixedAndLostBodiesToo) {
    World world = make_world(tower_scene(2));
    run(world, 3);
    ASSERT_TRUE(world.asleep(1));
    expect_good(world.remove(0));
    run(world, 0.5);
    EXPECT_LT(world.centre(1).y, 0);
    const double far[3] = {1e39, 0, 0};
    expect_good(world.set_pose(2, far, kUpright));
    ASSERT_EQ(world.step(kWorldStep).lost, 1U);
    ASSERT_EQ(world.lost().size(), 1U);
    expect_good(world.remove(2));
    EXPECT_TRUE(world.lost().empty());
    EXPECT_TRUE(world.removed(2));
    EXPECT_EQ(world.step(kWorldStep).lost, 0U);
}

TEST(DynamicsRemoved, ItsLinksHoldNothing) {
    const RigidBody bodies[] = {body_at(0, 5, 0), body_at(0, 2, 0)};
    World world = make_world(world_hulls(), bodies);
    BodyLink links[2];
    links[0].a = 0;
    links[0].end_b = {0, 8, 0};
    links[0].length = 3;
    links[1].a = 1;
    links[1].b = 0;
    links[1].length = 3;
    expect_good(world.add_links(links));
    run(world, 1);
    EXPECT_LT(world.link_force(1), -5000);
    expect_good(world.remove(0));
    EXPECT_EQ(world.link_force(1), 0);
    run(world, 0.5);
    EXPECT_LT(world.centre(1).y, 1);
    EXPECT_NEAR(world.centre(0).y, 5, 0.01);
}

}  // namespace
}  // namespace lanefold::test
