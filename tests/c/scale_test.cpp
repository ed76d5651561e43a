// SPDX-License-Identifier: MIT
//
// Scales of bodies from C: the bytes of C++, and views without scales as before.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include <lanefold_scale.h>
#include <lanefold_world.h>
#include <lanefold/world.hpp>

#include "support/c_hulls.hpp"
#include "support/scaled_scene.hpp"
#include "support/standing_scenes.hpp"

namespace lanefold::test {
namespace {

struct Free {
    void operator()(lanefold_workspace* p) const { lanefold_workspace_free(p); }
    void operator()(lanefold_world* p) const { lanefold_world_free(p); }
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

}  // namespace
}  // namespace lanefold::test
