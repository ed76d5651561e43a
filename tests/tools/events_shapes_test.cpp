// SPDX-License-Identifier: MIT
//
// Events of half-spaces, surfaces and compounds: those of a floor without an end or of two triangles are those of a
// large box, and those of a dumbbell those of its balls.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "events/folder.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/event_scene.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

using test::collide;
using test::Outcome;
using test::PathScene;
using test::TemporaryFolder;

// A ball that falls at 3 m/s, and rises at 2 m/s from 0.4 s on.
Vec3d ball_at(double t) { return {0, 0.5 + std::fabs(t - 0.4) * (t < 0.4 ? 3 : 2), 0}; }

std::vector<Event> events_of(const PathScene& scene, const std::string& name) {
    const TemporaryFolder folder;
    scene.write(folder / "scene", 12, 10);
    const Outcome outcome = collide(folder / "scene", {"--events", (folder / name).string(), "--progress", "none"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("no answer"), std::string::npos) << outcome.err;
    return EventsFolder(folder / name).read_events();
}

TEST(EventsShapes, AFloorWithoutAnEndIsALargeBox) {
    std::vector<Event> events[2];
    for (const bool open : {false, true}) {
        PathScene scene;
        scene.add_body(scene.add_sphere(0.5F), 0.25F, ball_at);
        // The half-space's own place is beside and above its plane.
        const std::uint32_t floor = open ? scene.add_half_space({0, 2, 0}, -7) : scene.add_box(20, 1, 20);
        scene.add_body(floor, 0, [open](double) { return open ? Vec3d{3, 7, 0} : Vec3d{0, -1, 0}; });
        events[open ? 1 : 0] = events_of(scene, "events");
    }
    ASSERT_EQ(events[0].size(), 1U);
    ASSERT_EQ(events[1].size(), 1U);
    const Event &box = events[0][0], &open = events[1][0];
    EXPECT_NEAR(box.begin, 4, 1e-3);
    EXPECT_NEAR(open.begin, box.begin, 1e-3);
    EXPECT_NEAR(open.end, box.end, 1e-2);
    EXPECT_NEAR(open.closing, 3, 1e-4);
    EXPECT_NEAR(open.impulse, 4 * 5, 1e-3);
    EXPECT_NEAR(open.impulse, box.impulse, 1e-3);
    EXPECT_NEAR(open.normal[1], -1, 1e-6);
    EXPECT_EQ(open.flags, box.flags);
}

// A ball that turns, lands exactly at frame 3, rolls, and leaves at frame 6: one contact, although it ends at the
// distance at which it begins.
TEST(EventsShapes, RestIsOneContactWithoutAReleaseDistance) {
    for (const double radius : {0.3, 1.0, 5.25}) {
        const TemporaryFolder folder;
        PathScene scene;
        const auto height = [](double frame) { return frame < 3 ? 3 - frame : std::max(0.0, frame - 6); };
        const auto size = static_cast<double>(static_cast<float>(radius));
        scene.add_body(
            scene.add_sphere(static_cast<float>(radius)), 1,
            [=](double t) {
                return Vec3d{0.5 * size * t, size * (1 + 0.46 * height(std::round(10 * t))), 0};
            },
            [](double t) {
                return test::turn_about({0, 1, 0}, 7.7 * t);
            });
        scene.add_body(scene.add_half_space({0, 1, 0}, 0), 0, [](double) { return Vec3d{}; });
        scene.write(folder / "scene", 12, 10);
        for (const char* bounces : {"--no-bounces", "--no-impulses"}) {
            const Outcome outcome = collide(folder / "scene", {"--events", (folder / bounces).string(), "--release",
                                                               "0", bounces, "--progress", "none"});
            ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
            const std::vector<Event> events = EventsFolder(folder / bounces).read_events();
            ASSERT_EQ(events.size(), 1U) << radius << " " << bounces;
            EXPECT_NEAR(events[0].begin, 3, 2e-3);
            EXPECT_NEAR(events[0].end, 6, 2e-3);
            EXPECT_EQ(events[0].flags, 0);
        }
    }
}

// The floor of two triangles, at y = 0, seen from above.
std::uint32_t add_ground(PathScene& scene) {
    const Vec3f points[] = {{-20, 0, -20}, {20, 0, -20}, {20, 0, 20}, {-20, 0, 20}};
    const std::array<std::uint32_t, 3> triangles[] = {{0, 2, 1}, {0, 3, 2}};
    return scene.add_mesh(points, triangles);
}

TEST(EventsShapes, ASurfaceIsALargeBoxFromItsOuterSide) {
    std::vector<Event> events[2];
    for (const bool mesh : {false, true}) {
        PathScene scene;
        scene.add_body(scene.add_sphere(0.5F), 0.25F, ball_at);
        const std::uint32_t floor = mesh ? add_ground(scene) : scene.add_box(20, 1, 20);
        scene.add_body(floor, 0, [mesh](double) { return Vec3d{0, mesh ? 0.0 : -1.0, 0}; });
        // From below it passes, if no frame shows it in the ground.
        if (mesh) scene.add_body(scene.add_sphere(0.5F), 0.25F, [](double t) { return Vec3d{6, 30 * t - 16.4, 0}; });
        events[mesh ? 1 : 0] = events_of(scene, "events");
    }
    ASSERT_EQ(events[0].size(), 1U);
    ASSERT_EQ(events[1].size(), 1U);
    const Event &box = events[0][0], &ground = events[1][0];
    EXPECT_NEAR(ground.begin, box.begin, 1e-2);
    EXPECT_NEAR(ground.end, box.end, 2e-2);
    EXPECT_NEAR(ground.closing, 3, 1e-4);
    EXPECT_NEAR(ground.impulse, box.impulse, 1e-3);
    EXPECT_NEAR(ground.normal[1], -1, 1e-6);
    EXPECT_EQ(ground.flags, box.flags);
}

// A bullet is above the ground in one frame and far below it in the next: on its way back it comes from behind.
TEST(EventsShapes, ABodyThatFallsThroughASurfaceTouchesIt) {
    PathScene scene;
    scene.add_body(scene.add_sphere(0.1F), 1, [](double t) { return Vec3d{0.3, 7 - 20 * t, 0}; });
    scene.add_body(add_ground(scene), 0, [](double) { return Vec3d{}; });
    const std::vector<Event> events = events_of(scene, "events");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_NEAR(events[0].begin, 10 * 6.9 / 20, 1e-3);
    EXPECT_NEAR(events[0].closing, 20, 1e-4);
    EXPECT_NE(events[0].flags & kEventBetween, 0);
}

TEST(EventsShapes, ADumbbellHitsWithItsBalls) {
    PathScene scene;
    const std::uint32_t ball = scene.add_sphere(0.5F);
    std::vector<CompoundChild> children(2);
    children[0].hull = children[1].hull = ball;
    children[0].position[0] = -1;
    children[1].position[0] = 1;
    // It turns by a quarter of a turn a frame about its middle, and a ball waits below.
    scene.add_body(
        scene.add_compound(children), 1,
        [](double) {
            return Vec3d{0, 0, 0};
        },
        [](double t) {
            return test::turn_about({0, 0, 1}, t * 10 * 1.5707963267948966);
        });
    scene.add_body(ball, 0, [](double) { return Vec3d{0, -1.9, 0}; });
    const std::vector<Event> events = events_of(scene, "events");
    ASSERT_GE(events.size(), 2U);
    // Upright, which it is at each odd frame, it overlaps the ball by 0.1; 1.9 cos(angle) = 1.855 is where it touches.
    const double angle = std::acos((1 + 1.9 * 1.9 - 1) / (2 * 1.9));
    const double early = angle / 1.5707963267948966;
    EXPECT_NEAR(events[0].begin, 1 - early, 0.01);
    EXPECT_NEAR(events[1].begin, 3 - early, 0.01);
}

}  // namespace
}  // namespace lanefold::tools
