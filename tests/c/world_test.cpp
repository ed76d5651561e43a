// SPDX-License-Identifier: MIT
//
// A world of lanefold_world.h goes through the bytes of a World.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <lanefold_world.h>
#include <lanefold/world.hpp>

#include "support/c_hulls.hpp"
#include "support/standing_scenes.hpp"

namespace lanefold::test {
namespace {

struct FreeWorld {
    void operator()(lanefold_world* world) const { lanefold_world_free(world); }
};

lanefold_rigid_body c_body(const RigidBody& b) {
    lanefold_rigid_body c = LANEFOLD_RIGID_BODY_INIT;
    c.hull = b.hull;
    c.kind = static_cast<std::uint8_t>(b.kind);
    std::memcpy(c.position, b.position, sizeof c.position);
    std::memcpy(c.orientation, b.orientation, sizeof c.orientation);
    std::memcpy(c.velocity, b.velocity, sizeof c.velocity);
    std::memcpy(c.spin, b.spin, sizeof c.spin);
    c.density = b.density;
    c.friction = b.friction;
    c.restitution = b.restitution;
    return c;
}

class CWorld : public testing::Test {
protected:
    CWorld() : scene_(pile_scene(3, 40)), own_(scene_.hulls), hulls_(c_hulls(scene_.hulls)) {
        lanefold_world* made = nullptr;
        EXPECT_EQ(lanefold_world_create(hulls_.get(), &made).code, LANEFOLD_OK);
        world_.reset(made);
        EXPECT_TRUE(own_.add_bodies(scene_.bodies));
        std::vector<lanefold_rigid_body> bodies;
        for (const RigidBody& b : scene_.bodies) bodies.push_back(c_body(b));
        EXPECT_EQ(lanefold_world_add_bodies(world_.get(), bodies.data(), bodies.size()).code, LANEFOLD_OK);
    }

    void expect_same() {
        std::uint64_t n = 0;
        const lanefold_body_d* bodies = lanefold_world_bodies(world_.get(), &n);
        ASSERT_EQ(n, own_.size());
        EXPECT_EQ(std::memcmp(bodies, own_.bodies().data(), own_.bodies().size_bytes()), 0);
        const lanefold_manifold4* contacts = lanefold_world_contacts(world_.get(), &n);
        ASSERT_EQ(n, own_.contacts().size());
        EXPECT_TRUE(n == 0 || std::memcmp(contacts, own_.contacts().data(), own_.contacts().size_bytes()) == 0);
        const lanefold_contact_impulse* impulses = lanefold_world_impulses(world_.get(), &n);
        ASSERT_EQ(n, own_.impulses().size());
        EXPECT_TRUE(n == 0 || std::memcmp(impulses, own_.impulses().data(), own_.impulses().size_bytes()) == 0);
    }

    StandingScene scene_;
    World own_;
    CHulls hulls_;
    std::unique_ptr<lanefold_world, FreeWorld> world_;
};

TEST_F(CWorld, StepsThroughTheSameBytes) {
    lanefold_step_result r = LANEFOLD_STEP_RESULT_INIT;
    std::uint64_t contacts = 0;
    for (int step = 0; step < 90; ++step) {
        if (step == 40) {
            const float push[3] = {300, 0, 0};
            const double at[3] = {0, 1, 0};
            EXPECT_TRUE(own_.apply_impulse(9, {300, 0, 0}, {0, 1, 0}));
            EXPECT_EQ(lanefold_world_apply_impulse(world_.get(), 9, push, at).code, LANEFOLD_OK);
        }
        const StepResult own = own_.step(1.0 / 60);
        ASSERT_TRUE(own.status);
        ASSERT_EQ(lanefold_world_step(world_.get(), 1.0 / 60, &r).code, LANEFOLD_OK);
        EXPECT_EQ(r.contacts, own.contacts);
        contacts += r.contacts;
    }
    EXPECT_GT(contacts, 1000U);
    expect_same();
    float velocity[3];
    ASSERT_EQ(lanefold_world_get_motion(world_.get(), 9, velocity, nullptr, nullptr).code, LANEFOLD_OK);
    EXPECT_EQ(velocity[0], own_.velocity(9).x);
    EXPECT_EQ(lanefold_world_get_motion(world_.get(), own_.size(), velocity, nullptr, nullptr).code,
              LANEFOLD_BAD_ARGUMENT);
}

TEST_F(CWorld, SavedStatesAndSettingsAreThose) {
    lanefold_world_settings s = LANEFOLD_WORLD_SETTINGS_INIT;
    ASSERT_EQ(lanefold_world_get_settings(world_.get(), &s).code, LANEFOLD_OK);
    EXPECT_EQ(s.substeps, WorldSettings{}.substeps);
    s.gravity[1] = -3.7F;
    s.substeps = 6;
    WorldSettings own = own_.settings();
    own.gravity.y = -3.7F;
    own.substeps = 6;
    s.reuse = own.reuse = 0.01F;
    ASSERT_TRUE(own_.set_settings(own));
    ASSERT_EQ(lanefold_world_set_settings(world_.get(), &s).code, LANEFOLD_OK);
    const auto both_step = [&] {
        ASSERT_TRUE(own_.step(1.0 / 60).status);
        ASSERT_EQ(lanefold_world_step(world_.get(), 1.0 / 60, nullptr).code, LANEFOLD_OK);
    };
    for (int step = 0; step < 30; ++step) both_step();
    std::vector<std::byte> saved;
    ASSERT_TRUE(own_.save(saved));
    const void* bytes = nullptr;
    std::uint64_t size = 0;
    ASSERT_EQ(lanefold_world_save(world_.get(), &bytes, &size).code, LANEFOLD_OK);
    ASSERT_EQ(size, saved.size());
    EXPECT_EQ(std::memcmp(bytes, saved.data(), size), 0);
    for (int step = 0; step < 10; ++step) both_step();
    ASSERT_EQ(lanefold_world_restore(world_.get(), saved.data(), saved.size()).code, LANEFOLD_OK);
    ASSERT_TRUE(own_.restore(saved));
    both_step();
    expect_same();
    for (const float bad :
         {-1e-3F, 0.11F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        s.reuse = bad;
        const lanefold_status refused = lanefold_world_set_settings(world_.get(), &s);
        EXPECT_EQ(refused.code, LANEFOLD_BAD_ARGUMENT) << bad;
        EXPECT_NE(std::strstr(refused.what, "reuse"), nullptr) << refused.what;
    }
    s.reuse = 0.01F;
    s.substeps = 0;
    EXPECT_EQ(lanefold_world_set_settings(world_.get(), &s).code, LANEFOLD_BAD_ARGUMENT);
    saved[saved.size() - 40] ^= std::byte{1};  // of the last anchor
    EXPECT_EQ(lanefold_world_restore(world_.get(), saved.data(), saved.size()).code, LANEFOLD_BAD_ARGUMENT);
    saved[saved.size() - 40] ^= std::byte{1};
    EXPECT_EQ(lanefold_world_restore(world_.get(), saved.data(), saved.size() - 1).code, LANEFOLD_BAD_ARGUMENT);
}

TEST_F(CWorld, LinksHoldAndWrongOnesAreRefused) {
    lanefold_body_link link{};
    link.kind = LANEFOLD_CABLE;
    link.a = 9;
    link.b = LANEFOLD_WORLD_ANCHOR;
    link.end_b[1] = 20;
    link.length = 30;
    BodyLink own{LinkKind::cable, 9, kWorldAnchor, {}, {0, 20, 0}, 30, 0};
    ASSERT_EQ(lanefold_world_add_links(world_.get(), &link, 1).code, LANEFOLD_OK);
    ASSERT_TRUE(own_.add_links({&own, 1}));
    ASSERT_TRUE(own_.step(1.0 / 60).status);
    lanefold_step_result r = LANEFOLD_STEP_RESULT_INIT;
    ASSERT_EQ(lanefold_world_step(world_.get(), 1.0 / 60, &r).code, LANEFOLD_OK);
    EXPECT_EQ(r.links, 1U);
    expect_same();
    link.kind = 9;
    EXPECT_EQ(lanefold_world_add_links(world_.get(), &link, 1).code, LANEFOLD_BAD_ARGUMENT);
    lanefold_rigid_body body = LANEFOLD_RIGID_BODY_INIT;
    body.kind = 3;
    EXPECT_EQ(lanefold_world_add_bodies(world_.get(), &body, 1).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_world_add_bodies(world_.get(), nullptr, 1).code, LANEFOLD_BAD_ARGUMENT);
}

struct BadNumber {
    const char* name;
    float lanefold_world_settings::*field;
    std::vector<float> values;  // beside those that are not finite
};

// Each is refused with its name and the value that would do, and the settings and the bytes of the world stay.
TEST_F(CWorld, SettingsThatCannotBeAreRefusedWithOnesThatWouldDo) {
    using S = lanefold_world_settings;
    const BadNumber numbers[] = {
        {"unit must be", &S::unit, {0, -1}},
        {"contact_hertz must be", &S::contact_hertz, {-1}},
        {"contact_damping must be", &S::contact_damping, {0, -1}},
        {"link_hertz must be", &S::link_hertz, {-1}},
        {"link_damping must be", &S::link_damping, {0, -1}},
        {"push_speed must be", &S::push_speed, {-1}},
        {"restitution_threshold must be", &S::restitution_threshold, {-1}},
        {"linear_damping must be", &S::linear_damping, {-1}},
        {"angular_damping must be", &S::angular_damping, {-1}},
        {"margin must be", &S::margin, {-1}},
        {"face_preference", &S::face_preference, {-1}},
        {"hysteresis", &S::hysteresis, {-1}},
        {"sleep_speed must be", &S::sleep_speed, {-1}},
        {"sleep_time must be", &S::sleep_time, {-1}},
        {"reuse must be", &S::reuse, {-1, 1}},
    };
    lanefold_world_settings usual = LANEFOLD_WORLD_SETTINGS_INIT;
    ASSERT_EQ(lanefold_world_get_settings(world_.get(), &usual).code, LANEFOLD_OK);
    const auto refused = [&](const lanefold_world_settings& s, const std::string& text) {
        const lanefold_status status = lanefold_world_set_settings(world_.get(), &s);
        EXPECT_EQ(status.code, LANEFOLD_BAD_ARGUMENT) << text;
        const std::string what = status.what;
        EXPECT_NE(what.find(text), std::string::npos) << what;
        EXPECT_NE(what.find("would do"), std::string::npos) << what;
    };
    for (const BadNumber& bad : numbers) {
        std::vector<float> values = bad.values;
        values.push_back(std::numeric_limits<float>::quiet_NaN());
        values.push_back(std::numeric_limits<float>::infinity());
        for (const float value : values) {
            lanefold_world_settings s = usual;
            s.*bad.field = value;
            refused(s, bad.name);
        }
    }
    lanefold_world_settings s = usual;
    s.gravity[2] = std::numeric_limits<float>::quiet_NaN();
    refused(s, "gravity is not finite");
    s.gravity[2] = 1e13F;
    refused(s, "gravity is beyond 1e12");
    for (const std::uint32_t substeps : {0U, 1001U}) {
        s = usual;
        s.substeps = substeps;
        refused(s, "substeps must be 1 to 1000; 10");
    }
    // LANEFOLD_WORLD_SETTINGS_INIT leaves the unit at 0.
    const lanefold_world_settings zero = LANEFOLD_WORLD_SETTINGS_INIT;
    refused(zero, "unit must be");
    lanefold_world_settings now = LANEFOLD_WORLD_SETTINGS_INIT;
    ASSERT_EQ(lanefold_world_get_settings(world_.get(), &now).code, LANEFOLD_OK);
    EXPECT_EQ(std::memcmp(&now, &usual, sizeof now), 0);
    EXPECT_TRUE(own_.step(1.0 / 60).status);
    EXPECT_EQ(lanefold_world_step(world_.get(), 1.0 / 60, nullptr).code, LANEFOLD_OK);
    expect_same();
}

}  // namespace
}  // namespace lanefold::test
