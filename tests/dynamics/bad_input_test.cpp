// SPDX-License-Identifier: MIT
//
// Invalid input is refused with what and where, and nothing changes.
#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

struct BadBody {
    const char* what;  // part of the reason
    std::function<void(RigidBody&)> spoil;
};

TEST(DynamicsBadInput, BodiesAreRefusedWithTheirPlaceAndNoneIsAdded) {
    const BadBody cases[] = {
        {"hull", [](RigidBody& b) { b.hull = 17; }},
        {"kind", [](RigidBody& b) { b.kind = static_cast<BodyKind>(9); }},
        {"position", [](RigidBody& b) { b.position[2] = std::numeric_limits<double>::infinity(); }},
        {"orientation", [](RigidBody& b) { b.orientation[3] = 0; }},
        {"orientation", [](RigidBody& b) { b.orientation[0] = kNaN; }},
        {"velocity", [](RigidBody& b) { b.velocity[0] = kNaN; }},
        {"spin", [](RigidBody& b) { b.spin[1] = kInf; }},
        {"density", [](RigidBody& b) { b.density = 0; }},
        {"density", [](RigidBody& b) { b.density = -3; }},
        {"density", [](RigidBody& b) { b.density = kNaN; }},
        {"mass", [](RigidBody& b) { b.mass = kNaN; }},
        {"mass", [](RigidBody& b) { b.mass = -1; }},
        {"mass", [](RigidBody& b) { b.mass = 1e-42F; }},
        {"friction", [](RigidBody& b) { b.friction = -0.1F; }},
        {"friction", [](RigidBody& b) { b.friction = kInf; }},
        {"restitution", [](RigidBody& b) { b.restitution = 1.5F; }},
        {"restitution", [](RigidBody& b) { b.restitution = kNaN; }},
        {"fixed", [](RigidBody& b) { b.kind = BodyKind::fixed, b.velocity[0] = 1; }},
    };
    World world = make_world(tower_scene(1));
    const std::uint64_t before = state_hash(world);
    for (const BadBody& bad : cases) {
        RigidBody bodies[] = {body_at(0, 5, 0), body_at(0, 7, 0)};
        bad.spoil(bodies[1]);
        const CallStatus status = world.add_bodies(bodies);
        EXPECT_EQ(status.code, Status::bad_argument) << bad.what;
        EXPECT_NE(std::string(status.what).find(bad.what), std::string::npos) << status.what;
        EXPECT_EQ(status.where, 1U) << bad.what;
        EXPECT_EQ(world.size(), 2U);
    }
    EXPECT_EQ(state_hash(world), before);
}

TEST(DynamicsBadInput, LinksAreRefusedWithTheirPlaceAndNoneIsAdded) {
    const std::pair<const char*, std::function<void(BodyLink&)>> cases[] = {
        {"no body a", [](BodyLink& l) { l.a = 40; }},
        {"no body b", [](BodyLink& l) { l.b = 40; }},
        {"same body", [](BodyLink& l) { l.b = 1; }},
        {"kind", [](BodyLink& l) { l.kind = static_cast<LinkKind>(5); }},
        {"length", [](BodyLink& l) { l.length = 0; }},
        {"length", [](BodyLink& l) { l.length = -1; }},
        {"length", [](BodyLink& l) { l.length = std::numeric_limits<double>::quiet_NaN(); }},
        {"end", [](BodyLink& l) { l.end_a.x = std::numeric_limits<double>::infinity(); }},
        {"beyond 1e15", [](BodyLink& l) { l.end_a.y = 1e39; }},
        {"beyond 1e15",
         [](BodyLink& l) {
             l.b = 2;
             l.end_b.z = -1.1e15;
         }},
        {"restitution", [](BodyLink& l) { l.restitution = 2; }},
        {"dynamic", [](BodyLink& l) { l.a = 0; }},
    };
    World world = make_world(tower_scene(2));
    for (const auto& [what, spoil] : cases) {
        BodyLink links[2];
        for (BodyLink& l : links) {
            l.a = 1;
            l.length = 1;
        }
        spoil(links[1]);
        const CallStatus status = world.add_links(links);
        EXPECT_EQ(status.code, Status::bad_argument) << what;
        EXPECT_NE(std::string(status.what).find(what), std::string::npos) << status.what;
        EXPECT_EQ(status.where, 1U) << what;
    }
    EXPECT_EQ(world.step(kWorldStep).links, 0U);
}

// The number that would do is the default.
TEST(DynamicsBadInput, RefusedSettingsSayWhatWouldDo) {
    World world = make_world(tower_scene(1));
    const std::pair<const char*, std::function<void(WorldSettings&)>> numbers[] = {
        {"settings.unit must be finite and positive; 1 would do, in metres", [](WorldSettings& s) { s.unit = kNaN; }},
        {"settings.substeps must be 1 to 1000; 10 would do", [](WorldSettings& s) { s.substeps = 1001; }},
        {"settings.contact_hertz must be finite and 0 or more; 120 would do",
         [](WorldSettings& s) { s.contact_hertz = kNaN; }},
        {"settings.contact_damping must be finite and positive; 32 would do",
         [](WorldSettings& s) { s.contact_damping = -1; }},
        {"settings.push_speed must be finite and 0 or more; 3 would do", [](WorldSettings& s) { s.push_speed = kNaN; }},
        {"settings.restitution_threshold must be finite and 0 or more; 1 would do",
         [](WorldSettings& s) { s.restitution_threshold = -1; }},
        {"settings.link_hertz must be finite and 0 or more; 240 would do", [](WorldSettings& s) { s.link_hertz = -1; }},
        {"settings.link_damping must be finite and positive; 5 would do", [](WorldSettings& s) { s.link_damping = 0; }},
    };
    for (const auto& [what, spoil] : numbers) {
        WorldSettings s;
        spoil(s);
        EXPECT_STREQ(world.set_settings(s).what, what);
    }
    const WorldSettings usual;
    EXPECT_EQ(usual.substeps, 10U);
    EXPECT_EQ(usual.contact_hertz, 120);
    EXPECT_EQ(usual.contact_damping, 32);
    EXPECT_EQ(usual.push_speed, 3);
    EXPECT_EQ(usual.restitution_threshold, 1);
    EXPECT_EQ(usual.link_hertz, 240);
    EXPECT_EQ(usual.link_damping, 5);
}

TEST(DynamicsBadInput, SettingsAndCallsAreRefusedAndNothingChanges) {
    World world = make_world(tower_scene(2));
    run(world, 0.5);
    const std::uint64_t before = state_hash(world);
    const std::function<void(WorldSettings&)> cases[] = {
        [](WorldSettings& s) { s.unit = 0; },
        [](WorldSettings& s) { s.gravity.y = kNaN; },
        [](WorldSettings& s) { s.substeps = 0; },
        [](WorldSettings& s) { s.contact_hertz = -1; },
        [](WorldSettings& s) { s.contact_damping = 0; },
        [](WorldSettings& s) { s.push_speed = kInf; },
        [](WorldSettings& s) { s.margin = -1; },
        [](WorldSettings& s) {
            s.margin = 3e38F;
            s.unit = 100;
        },
        [](WorldSettings& s) { s.sleep_time = kNaN; },
        [](WorldSettings& s) { s.linear_damping = -1; },
        [](WorldSettings& s) { s.hysteresis = kNaN; },
        [](WorldSettings& s) { s.method = static_cast<ContactMethod>(7); },
        [](WorldSettings& s) { s.isa = static_cast<Isa>(77); },
    };
    int number = 0;
    for (const auto& spoil : cases) {
        WorldSettings s;
        spoil(s);
        EXPECT_EQ(world.set_settings(s).code, Status::bad_argument) << number;
        ++number;
    }
    EXPECT_EQ(world.settings().substeps, WorldSettings{}.substeps);
    EXPECT_FALSE(world.find_pairs(kWorldStep).pairs.empty());
    for (const double dt : {0.0, -1.0, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_EQ(world.step(dt).status.code, Status::bad_argument) << dt;
        const WorldPairs pairs = world.find_pairs(dt);
        EXPECT_EQ(pairs.status.code, Status::bad_argument) << dt;
        EXPECT_TRUE(pairs.pairs.empty()) << dt;
    }
    const Pair outside[] = {{0, 1}, {0, 9}};
    const StepResult r = world.step(kWorldStep, outside);
    EXPECT_EQ(r.status.code, Status::bad_argument);
    EXPECT_EQ(r.status.where, 1U);
    Manifold4 bad[2]{};
    bad[0].pair[1] = 1;
    bad[1].pair[1] = 1;
    EXPECT_EQ(world.advance(kWorldStep, bad).status.where, 1U);
    bad[1].pair[1] = 2;
    bad[1].normal[0] = kNaN;
    EXPECT_EQ(world.advance(kWorldStep, bad).status.code, Status::bad_argument);
    EXPECT_FALSE(world.set_velocity(0, {1, 0, 0}, {}));
    EXPECT_FALSE(world.set_velocity(9, {1, 0, 0}, {}));
    EXPECT_FALSE(world.set_velocity(1, {kNaN, 0, 0}, {}));
    EXPECT_FALSE(world.apply_impulse(0, {1, 0, 0}, {}));
    EXPECT_FALSE(world.apply_impulse(1, {kInf, 0, 0}, {}));
    const double position[] = {0, 0, 0};
    const float orientation[] = {0, 0, 0, 2};
    EXPECT_FALSE(world.set_pose(1, position, orientation));
    EXPECT_FALSE(world.set_hulls(HullSet{}));
    EXPECT_EQ(state_hash(world), before);
}

// Numbers beyond which float32 would end in the solver, each just inside and just outside of its limit.
TEST(DynamicsBadInput, NumbersBeyondTheSolversRangeAreRefused) {
    const std::pair<const char*, std::function<void(RigidBody&, float)>> cases[] = {
        {"velocity", [](RigidBody& b, float x) { b.velocity[1] = 1e12F * x; }},
        {"spin", [](RigidBody& b, float x) { b.spin[1] = -1e12F * x; }},
        {"mass", [](RigidBody& b, float x) { b.mass = 1e15F * x; }},
        {"mass", [](RigidBody& b, float x) { b.mass = 1e-15F / x; }},
        {"friction", [](RigidBody& b, float x) { b.friction = 1e6F * x; }},
    };
    for (const auto& [what, set] : cases) {
        World world = make_world(tower_scene(1));
        RigidBody body = body_at(0, 50, 0);
        set(body, 1.01F);
        const CallStatus status = world.add_bodies({&body, 1});
        EXPECT_EQ(status.code, Status::bad_argument) << what;
        EXPECT_NE(std::string(status.what).find(what), std::string::npos) << status.what;
        set(body, 0.99F);
        expect_good(world.add_bodies({&body, 1}));
        for (int k = 0; k < 10; ++k) expect_good(world.step(kWorldStep).status);
        EXPECT_TRUE(is_finite(world.velocity(2)));
    }
    World world = make_world(tower_scene(1));
    EXPECT_FALSE(world.set_velocity(1, {1e13F, 0, 0}, {}));
    EXPECT_FALSE(world.apply_impulse(1, {1e17F, 0, 0}, world.centre(1)));
    EXPECT_FALSE(world.apply_impulse(1, {1, 0, 0}, Vec3d{1e20, 1e20, 0}));
    WorldSettings s;
    s.gravity = {0, 1e13F, 0};
    EXPECT_FALSE(world.set_settings(s));
    EXPECT_EQ(speed_of(world, 1), 0);
}

TEST(DynamicsBadInput, RemovedHullsAreRefused) {
    const HullSet hulls = world_hulls();
    const std::uint32_t used = body_at(0, 0, 0).hull;
    const std::uint32_t other = 0;
    World world(hulls.remove({&used, 1}));
    for (const BodyKind kind : {BodyKind::fixed, BodyKind::dynamic}) {
        RigidBody body;
        body.hull = used;
        body.kind = kind;
        const CallStatus status = world.add_bodies({&body, 1});
        EXPECT_NE(std::string(status.what).find("removed"), std::string::npos) << status.what;
    }
    // A set without hulls that no body has is taken; one without a body's hull is not.
    World full(hulls);
    expect_good(full.add_bodies(std::vector<RigidBody>{body_at(0, 0, 0)}));
    expect_good(full.set_hulls(hulls.remove({&other, 1})));
    EXPECT_FALSE(full.set_hulls(hulls.remove({&used, 1})));
}

TEST(DynamicsBadInput, AWorldThatWasMovedFromRefuses) {
    World from = make_world(tower_scene(2));
    run(from, 0.1);
    World to = std::move(from);
    EXPECT_EQ(to.size(), 3U);
    // NOLINTBEGIN(bugprone-use-after-move): what is tested
    EXPECT_EQ(from.size(), 0U);
    EXPECT_TRUE(from.bodies().empty() && from.unmoved().empty() && from.contacts().empty() && from.impulses().empty());
    EXPECT_EQ(from.hulls().size(), 0U);
    EXPECT_FALSE(from.asleep(0));
    EXPECT_EQ(from.motion().mass, 0);
    EXPECT_EQ(from.link_force(0), 0);
    EXPECT_EQ(from.settings().substeps, WorldSettings{}.substeps);
    const RigidBody body = body_at(0, 0, 0);
    const BodyLink link;
    std::vector<std::byte> bytes;
    const double position[] = {0, 0, 0};
    const float orientation[] = {0, 0, 0, 1};
    for (const CallStatus& status :
         {from.step(kWorldStep).status, from.step(kWorldStep, {}).status, from.advance(kWorldStep, {}).status,
          from.find_pairs(kWorldStep).status, from.add_bodies({&body, 1}), from.add_links({&link, 1}),
          from.set_velocity(0, {}, {}), from.apply_impulse(0, {}, {}), from.set_pose(0, position, orientation),
          from.wake(0), from.set_hulls({}), from.set_settings({}), from.restore(bytes)}) {
        EXPECT_STREQ(status.what, "the world was moved from");
    }
    from = std::move(to);
    // NOLINTEND(bugprone-use-after-move)
    run(from, 0.1);
    EXPECT_EQ(from.size(), 3U);
}

}  // namespace
}  // namespace lanefold::test
