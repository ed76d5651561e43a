// SPDX-License-Identifier: MIT
//
// Scales of bodies from C: the bytes of C++, and views without scales as before.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include <lanefold_scale.h>
#include <lanefold_world.h>
#include <lanefold_world_batch.h>
#include <lanefold/world.hpp>
#include <lanefold/world_batch.hpp>

#include "support/c_hulls.hpp"
#include "support/scaled_scene.hpp"
#include "support/standing_scenes.hpp"

namespace lanefold::test {
namespace {

struct Free {
    void operator()(lanefold_workspace* p) const { lanefold_workspace_free(p); }
    void operator()(lanefold_world* p) const { lanefold_world_free(p); }
    void operator()(lanefold_world_batch* p) const { lanefold_world_batch_free(p); }
};

TEST(CScale, CallsGiveTheBytesOfCpp) {
    ScaledScene s = make_scaled_scene(51, 120, 4000);
    s.scene.hulls = batch_hulls();
    for (Body& body : s.scene.bodies) body.hull = body.hull == 0xFFFFFFFFU ? body.hull : body.hull % 16;
    s.bake();
    const CHulls hulls = c_hulls(s.scene.hulls);
    std::vector<Manifold4> own(s.scene.pairs.size());
    Workspace workspace;
    const Options options = s.scene.options();
    ASSERT_TRUE(collide(s.scene.hulls, s.view(), s.scene.pairs, options, own, workspace).status);
    const std::unique_ptr<lanefold_workspace, Free> memory(lanefold_workspace_create());
    lanefold_options c_options = LANEFOLD_OPTIONS_INIT;
    c_options.margin = options.margin;
    const lanefold_body_view plain =
        lanefold_view_bodies(reinterpret_cast<const lanefold_body*>(s.scene.bodies.data()), s.scene.bodies.size());
    const auto* const pairs = reinterpret_cast<const lanefold_pair*>(s.scene.pairs.data());
    std::vector<lanefold_manifold4> out(s.scene.pairs.size());
    const auto call = [&](const lanefold_body_view& view) {
        return lanefold_collide4(hulls.get(), &view, pairs, out.size(), &c_options, out.data(), memory.get(), nullptr);
    };
    const auto same = [&] { return std::memcmp(out.data(), own.data(), own.size() * sizeof(Manifold4)) == 0; };
    const lanefold_scaled_view scaled = lanefold_view_scaled(plain, s.scales.data(), sizeof(float));
    ASSERT_EQ(call(scaled.bodies).code, LANEFOLD_OK);
    EXPECT_TRUE(same());
    ASSERT_EQ(call(plain).code, LANEFOLD_OK);
    EXPECT_FALSE(same());
    ASSERT_TRUE(collide(s.scene.hulls, s.scene.view(), s.scene.pairs, options, own, workspace).status);
    EXPECT_TRUE(same());
    const lanefold_scaled_view none = lanefold_view_scaled(plain, nullptr, 0);
    ASSERT_EQ(call(none.bodies).code, LANEFOLD_OK);
    EXPECT_TRUE(same());
    EXPECT_EQ(call(lanefold_view_scaled(plain, s.scales.data(), 3).bodies).code, LANEFOLD_BAD_ARGUMENT);
}

TEST(CScale, WorldsMoveAsInCpp) {
    StandingScene scene = pile_scene(3, 30);
    World own(scene.hulls);
    std::vector<lanefold_rigid_body> bodies;
    std::vector<float> scales;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        RigidBody& b = scene.bodies[i];
        b.scale = i > 0 && i % 2 == 0 ? 1.25F : 1.0F;
        lanefold_rigid_body c = LANEFOLD_RIGID_BODY_INIT;
        c.hull = b.hull;
        c.kind = static_cast<std::uint8_t>(b.kind);
        std::memcpy(c.position, b.position, sizeof c.position);
        std::memcpy(c.orientation, b.orientation, sizeof c.orientation);
        c.density = b.density;
        c.friction = b.friction;
        c.restitution = b.restitution;
        bodies.push_back(c);
        scales.push_back(b.scale);
    }
    ASSERT_TRUE(own.add_bodies(scene.bodies));
    const CHulls hulls = c_hulls(scene.hulls);
    lanefold_world* made = nullptr;
    ASSERT_EQ(lanefold_world_create(hulls.get(), &made).code, LANEFOLD_OK);
    const std::unique_ptr<lanefold_world, Free> world(made);
    scales[1] = -1;
    const lanefold_status refused = lanefold_world_add_scaled_bodies(made, bodies.data(), scales.data(), bodies.size());
    EXPECT_EQ(refused.code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(refused.where, 1U);
    scales[1] = scene.bodies[1].scale;
    ASSERT_EQ(lanefold_world_add_scaled_bodies(made, bodies.data(), scales.data(), bodies.size()).code, LANEFOLD_OK);
    for (int step = 0; step < 30; ++step) {
        ASSERT_TRUE(own.step(1.0 / 60).status);
        ASSERT_EQ(lanefold_world_step(made, 1.0 / 60, nullptr).code, LANEFOLD_OK);
    }
    std::uint64_t n = 0;
    const lanefold_body_d* placed = lanefold_world_bodies(made, &n);
    ASSERT_EQ(n, own.size());
    EXPECT_EQ(std::memcmp(placed, own.bodies().data(), own.bodies().size_bytes()), 0);
}

struct Sizes {
    std::vector<lanefold_rigid_body> bodies;
    std::vector<RigidBody> scaled;
    std::vector<float> scales;
};

Sizes cubes_of_sizes(std::uint32_t hull, std::size_t count) {
    Sizes out;
    for (std::size_t i = 0; i < count; ++i) {
        lanefold_rigid_body c = LANEFOLD_RIGID_BODY_INIT;
        RigidBody b;
        c.hull = b.hull = hull;
        c.position[0] = b.position[0] = 4.0 * static_cast<double>(i);
        c.position[1] = b.position[1] = 3;
        b.scale = 0.5F + 0.25F * static_cast<float>(i);
        out.bodies.push_back(c);
        out.scaled.push_back(b);
        out.scales.push_back(b.scale);
    }
    return out;
}

// Cubes of many sizes on a shared floor, added to all worlds, then to each with sizes of its own.
TEST(CScale, BatchesOfWorldsMoveAsInCpp) {
    constexpr std::size_t kWorlds = 3, kOfEach = 2;
    const StandingScene scene = tower_scene(4);
    const CHulls hulls = c_hulls(scene.hulls);
    lanefold_world_batch* made = nullptr;
    ASSERT_EQ(lanefold_world_batch_create(hulls.get(), kWorlds, &made).code, LANEFOLD_OK);
    const std::unique_ptr<lanefold_world_batch, Free> batch(made);
    WorldBatch own(scene.hulls, kWorlds);
    auto [bodies, scaled, scales] = cubes_of_sizes(scene.bodies[1].hull, kWorlds * kOfEach);
    scales[1] = -1;
    lanefold_status refused = lanefold_world_batch_add_scaled_bodies(made, bodies.data(), scales.data(), 2, nullptr);
    EXPECT_EQ(refused.code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(refused.where, 1U);
    refused = lanefold_world_batch_add_scaled_bodies_of_each(made, bodies.data(), scales.data(), kOfEach);
    EXPECT_EQ(refused.code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(refused.where, 1U);
    scales[1] = scaled[1].scale;
    ASSERT_EQ(lanefold_world_batch_add_scaled_bodies(made, bodies.data(), scales.data(), 3, nullptr).code, LANEFOLD_OK);
    ASSERT_TRUE(own.add_bodies(std::span(scaled).first(3)));
    for (RigidBody& b : scaled) b.position[1] = 9;
    for (lanefold_rigid_body& b : bodies) b.position[1] = 9;
    ASSERT_EQ(lanefold_world_batch_add_scaled_bodies_of_each(made, bodies.data(), scales.data(), kOfEach).code,
              LANEFOLD_OK);
    ASSERT_TRUE(own.add_bodies_of_each(scaled));
    lanefold_rigid_body c_floor = LANEFOLD_RIGID_BODY_INIT;
    RigidBody floor;
    c_floor.hull = floor.hull = scene.bodies[0].hull;
    c_floor.kind = LANEFOLD_FIXED;
    floor.kind = BodyKind::fixed;
    floor.scale = 2;
    const float size = 2;
    ASSERT_EQ(lanefold_world_batch_add_scaled_shared(made, &c_floor, &size, 1).code, LANEFOLD_OK);
    ASSERT_TRUE(own.add_shared({&floor, 1}));
    std::uint64_t contacts = 0;
    for (int step = 0; step < 60; ++step) {
        const WorldBatchResult r = own.step(1.0 / 60);
        ASSERT_TRUE(r.status) << r.status.what;
        ASSERT_EQ(lanefold_world_batch_step(made, 1.0 / 60, nullptr, nullptr, nullptr, nullptr).code, LANEFOLD_OK);
        contacts += r.contacts;
    }
    EXPECT_GT(contacts, 100U);
    const WorldArrays a = own.arrays();
    lanefold_world_arrays c = LANEFOLD_WORLD_ARRAYS_INIT;
    ASSERT_EQ(lanefold_world_batch_arrays(made, &c).code, LANEFOLD_OK);
    ASSERT_EQ(c.bodies, a.touches.size());
    EXPECT_EQ(std::memcmp(c.positions, a.positions.data(), a.positions.size_bytes()), 0);
    EXPECT_EQ(std::memcmp(c.velocities, a.velocities.data(), a.velocities.size_bytes()), 0);
    EXPECT_EQ(std::memcmp(c.orientations, a.orientations.data(), a.orientations.size_bytes()), 0);
}

}  // namespace
}  // namespace lanefold::test
