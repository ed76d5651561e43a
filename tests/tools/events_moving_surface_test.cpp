// SPDX-License-Identifier: MIT
//
// Events of bodies before surfaces that move and turn: those of a float64 march of many sub-frames, closed forms, and
// the same events when both are seen from the surface.
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/detail/turn.hpp>

#include "events/folder.hpp"
#include "events/job.hpp"
#include "support/meshes.hpp"
#include "support/program.hpp"
#include "support/tools/event_oracle.hpp"
#include "support/tools/event_scene.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::PathScene;
using test::TemporaryFolder;

using Place = std::function<Vec3d(double)>;
using Turn = std::function<Quat(double)>;

EventsReport run(const fs::path& scene, const fs::path& folder, const AskedEvents& asked) {
    EventsRequest request;
    request.scene = scene;
    request.output = folder;
    request.asked = asked;
    request.progress = ProgressMode::none;
    return run_events(request, {});
}

std::vector<Event> events_of(const PathScene& paths, std::uint64_t frames, double rate, const AskedEvents& asked) {
    const TemporaryFolder folder;
    paths.write(folder / "scene", frames, rate);
    const EventsReport report = run(folder / "scene", folder / "events", asked);
    EXPECT_EQ(report.counts.failed, 0U);
    return EventsFolder(folder / "events").read_events();
}

// A rough square of side 4 about its middle, z up in its own axes.
std::uint32_t add_ground(PathScene& scene, std::uint32_t cells, float rough, std::uint64_t seed) {
    test::Mesh mesh = test::grid_mesh(cells, rough, seed);
    for (Vec3f& p : mesh.points) p = {4 * p.x - 2, 4 * p.y - 2, p.z};
    return scene.add_mesh(mesh.points, mesh.triangles);
}

// A path on the surface, as its frames carry it.
void add_carried(PathScene& scene, std::uint32_t hull, const Place& ground, const Turn& tilt, const Place& path,
                 const Turn& turn) {
    scene.add_body(
        hull, 1, [=](double t) { return ground(t) + rotation(tilt(t)) * path(t); },
        [=](double t) { return detail::product(tilt(t), turn(t)); });
}

// Hops of balls, boxes, capsules and tetrahedra over a ground that tilts to and fro, turns and shakes.
PathScene hops(std::uint64_t seed, std::size_t bodies) {
    PathScene scene;
    std::mt19937_64 random(seed);
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * (static_cast<double>(random() >> 11U) * 0x1p-53);
    };
    const std::uint32_t hulls[] = {scene.add_box(0.3F, 0.2F, 0.15F),
                                   scene.add_hull({{-0.3F, 0, 0}, {0.3F, 0, 0}}, 0.15F), scene.add_sphere(0.25F),
                                   scene.add_hull({{0.3F, 0, 0}, {-0.2F, 0.25F, 0}, {-0.2F, -0.25F, 0}, {0, 0, 0.3F}})};
    const double high[] = {0.26, 0.24, 0.25, 0.18};
    const Place ground = [](double t) { return Vec3d{0.4 * std::sin(9 * t), 0.8 * t, 0.5 * std::cos(7 * t)}; };
    const Turn tilt = [](double t) {
        return detail::product(test::turn_about({1, 0, 0}, 0.5 * std::sin(6 * t)),
                               test::turn_about({0, 0, 1}, 2.5 * t));
    };
    scene.add_body(add_ground(scene, 6, 0.08F, seed), 0, ground, tilt);
    for (std::size_t i = 0; i < bodies; ++i) {
        const double x = uniform(-1.4, 1.4), y = uniform(-1.4, 1.4), vx = uniform(-9, 9), vy = uniform(-9, 9);
        const double fast = uniform(20, 60), phase = uniform(0, 6.28), lift = uniform(0.02, 0.15);
        // Some turn by more than a radian a frame, and touch with a corner on the way.
        const bool whirls = i % 8 >= 4;
        const double spin = whirls ? uniform(30, 65) : uniform(0, 15);
        const double low = high[i % 4] + (whirls ? uniform(0.05, 0.12) - lift : uniform(-0.04, 0.06));
        const Vec3d axis = normalized(Vec3d{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
        const auto fold = [](double at) {  // into -1.5..1.5 and back
            const double from = std::fmod(std::fabs(at + 1.5), 6.0);
            return from < 3 ? from - 1.5 : 4.5 - from;
        };
        add_carried(
            scene, hulls[i % 4], ground, tilt,
            [=](double t) {
                return Vec3d{fold(x + vx * t), fold(y + vy * t), low + lift * (1 + std::sin(fast * t + phase))};
            },
            [=](double t) { return test::turn_about(axis, spin * t); });
    }
    return scene;
}

struct Compared {
    std::size_t events = 0, between = 0, before = 0, lasting = 0;
    double latest = -1;      // frames by which a begin is later, or an end earlier, than the oracle's
    double earliest = 0;     // the other way
    std::size_t grazes = 0;  // by more than 0.02: they come within the tolerance and touch, or leave, later
    double off = 0;          // of a distance from what it should be
};

void compare(std::uint64_t seed, Compared& sums) {
    const TemporaryFolder folder;
    AskedEvents asked;
    asked.touch = 0.01F;
    asked.release = 0.04F;
    asked.bounces = false;  // the oracle knows the poses only
    asked.impulses = false;
    hops(seed, 8).write(folder / "scene", 13, 24);
    EXPECT_EQ(run(folder / "scene", folder / "events", asked).counts.failed, 0U);
    const Scene scene(folder / "scene");
    std::vector<Event> events = EventsFolder(folder / "events").read_events();
    std::erase_if(events, [](const Event& e) { return e.pair.a != 0; });
    const double touch = static_cast<double>(asked.touch), release = static_cast<double>(*asked.release);
    const test::EventOracle oracle(scene, touch, release, 64);
    std::vector<test::OracleEvent> expected = oracle.events_of(0);
    ASSERT_EQ(events.size(), expected.size()) << "seed " << seed;
    std::vector<bool> taken(expected.size());
    for (const Event& event : events) {
        std::size_t at = 0;
        while (at < expected.size() && (taken[at] || !(expected[at].pair == event.pair))) ++at;
        ASSERT_LT(at, expected.size()) << "invented: bodies " << event.pair.a << ", " << event.pair.b;
        taken[at] = true;
        const test::OracleEvent& truth = expected[at];
        sums.latest = std::max({sums.latest, event.begin - truth.begin, truth.end - event.end});
        const double early = std::max(truth.begin - event.begin, event.end - truth.end);
        sums.earliest = std::max(sums.earliest, early);
        sums.grazes += early > 0.02 ? 1U : 0U;
        if (!truth.touched_before)
            sums.off = std::max(sums.off, std::fabs(oracle.distance(event.pair, event.begin) - touch));
        if (!truth.lasts) sums.off = std::max(sums.off, std::fabs(oracle.distance(event.pair, event.end) - release));
        EXPECT_EQ((event.flags & kEventTouchedBefore) != 0, truth.touched_before);
        EXPECT_EQ((event.flags & kEventLasts) != 0, truth.lasts);
        ++sums.events;
        sums.between += (event.flags & kEventBetween) != 0 ? 1U : 0U;
        sums.before += truth.touched_before ? 1U : 0U;
        sums.lasting += truth.lasts ? 1U : 0U;
    }
}

TEST(EventsMovingSurface, AreThoseOfAMarchOfManySubframes) {
    Compared sums;
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) compare(seed, sums);
    std::printf(
        "%zu events, %zu between two frames, %zu from the first, %zu to the last; late %.2g, early %.2g "
        "frames, %zu by more than 0.02; off the distance by %.2g\n",
        sums.events, sums.between, sums.before, sums.lasting, sums.latest, sums.earliest, sums.grazes, sums.off);
    EXPECT_LT(sums.latest, 1e-9);
    EXPECT_LE(sums.grazes, sums.events / 20);
    EXPECT_LT(sums.off, 1.1e-3 * 0.5);  // a thousandth of the body's size
    EXPECT_GT(sums.events, 60U);
    EXPECT_GT(sums.between, 2U);
    EXPECT_GT(sums.before, 0U);
    EXPECT_GT(sums.lasting, 0U);
}

// A ground that rises under a ball at rest is a ball that comes down on a ground at rest.
TEST(EventsMovingSurface, ALiftUnderABallIsABallOnAFloor) {
    std::vector<Event> events[2];
    AskedEvents asked;
    for (const bool lift : {false, true}) {
        PathScene scene;
        constexpr double kMeet = 10.0 / 24;  // in a frame, which shows them a millimetre in each other
        const auto way = [](double t) { return std::fabs(t - kMeet) * (t < kMeet ? 3 : 2) - 1e-3; };
        scene.add_body(add_ground(scene, 4, 0, 1), 0, [=](double t) { return Vec3d{0, 0, lift ? -0.25 - way(t) : 0}; });
        scene.add_body(scene.add_sphere(0.25F), 0.5F, [=](double t) {
            return Vec3d{0.3, 0.2, lift ? 0.0 : 0.25 + way(t)};
        });
        events[lift ? 1 : 0] = events_of(scene, 24, 24, asked);
    }
    ASSERT_EQ(events[0].size(), 1U);
    ASSERT_EQ(events[1].size(), 1U);
    const Event &floor = events[0][0], &lift = events[1][0];
    EXPECT_NEAR(lift.begin, floor.begin, 1e-6);
    EXPECT_NEAR(lift.end, floor.end, 1e-6);
    EXPECT_NEAR(lift.closing, 3, 1e-4);
    EXPECT_NEAR(lift.closing, floor.closing, 1e-4);
    EXPECT_NEAR(lift.normal[2], 1, 1e-6);
    EXPECT_EQ(lift.flags, floor.flags);
    EXPECT_GT(floor.impulse, 1);
    EXPECT_NEAR(lift.impulse, floor.impulse, 1e-3);
}

// A plate turns about its edge up to a ball at rest, 30 degrees a frame: sin(angle) d = radius is where it touches.
TEST(EventsMovingSurface, ADoorStrikesABall) {
    constexpr double kStep = M_PI / 6;
    constexpr double kFar = 1.5;  // of the ball from the hinge
    PathScene scene;
    const Vec3f points[] = {{0, -1, 0}, {2, -1, 0}, {2, 1, 0}, {0, 1, 0}};
    const std::array<std::uint32_t, 3> triangles[] = {{0, 1, 2}, {0, 2, 3}};
    scene.add_body(
        scene.add_mesh(points, triangles), 0, [](double) { return Vec3d{}; },
        [](double t) {
            return test::turn_about({0, -1, 0}, kStep * (t - 3));
        });
    scene.add_body(scene.add_sphere(0.25F), 1, [](double) { return Vec3d{kFar, 0, 0}; });
    AskedEvents asked;
    asked.bounces = false;
    const std::vector<Event> events = events_of(scene, 4, 1, asked);
    ASSERT_EQ(events.size(), 1U);
    const double angle = std::asin(0.25 / kFar);  // before the ball's middle
    EXPECT_LE(events[0].begin, 3 - angle / kStep + 1e-9);
    EXPECT_NEAR(events[0].begin, 3 - angle / kStep, 1.1e-3 * 0.25 / (kFar * kStep));
    EXPECT_NEAR(events[0].closing, kStep * std::sqrt(kFar * kFar - 0.0625), 1e-2);
    EXPECT_NEAR(events[0].normal[2], std::cos(angle), 1e-3);
    EXPECT_NEAR(events[0].normal[0], std::sin(angle), 1e-3);
    EXPECT_EQ(events[0].flags & kEventBetween, 0);
}

// A belt runs under a block at rest on it: it slides by the belt's way.
TEST(EventsMovingSurface, ABeltSlidesUnderABlock) {
    PathScene scene;
    scene.add_body(add_ground(scene, 5, 0, 1), 0, [](double t) { return Vec3d{-1 + 2 * t, 0, 0}; });
    scene.add_body(scene.add_box(0.2F, 0.2F, 0.1F), 1, [](double) { return Vec3d{0, 0, 0.1}; });
    const std::vector<Event> events = events_of(scene, 25, 24, {});
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].flags, kEventTouchedBefore | kEventLasts);
    EXPECT_NEAR(events[0].sliding, 2, 1e-4);
    EXPECT_NEAR(events[0].closing, 0, 1e-4);
    EXPECT_NEAR(events[0].slip, 2, 1e-4);
}

// Two grounds, of which neither has a mass to say that it stays: they never meet, and no sweep of them is asked for.
TEST(EventsMovingSurface, GroundsNeverMeet) {
    PathScene scene;
    const std::uint32_t ground = add_ground(scene, 3, 0.1F, 2);
    for (const double way : {1.0, -1.0})
        scene.add_body(ground, 0, [=](double t) { return Vec3d{0, 0, way * (0.5 - t)}; });
    scene.add_body(scene.add_half_space({0, 0, 1}, -1), 0, [](double) { return Vec3d{}; });
    scene.add_body(scene.add_sphere(0.25F), 0, [](double t) { return Vec3d{0, 0, 4 - 3 * t}; });
    const TemporaryFolder folder;
    scene.write(folder / "scene", 12, 10, true, false);
    AskedEvents asked;
    asked.impulses = false;
    const EventsReport report = run(folder / "scene", folder / "events", asked);
    EXPECT_EQ(report.counts.failed, 0U);
    const std::vector<Event> events = EventsFolder(folder / "events").read_events();
    EXPECT_EQ(events.size(), 1U);
    for (const Event& event : events) EXPECT_EQ(event.pair.b, 3U);
}

// Shards and threads give the same pieces and events.
TEST(EventsMovingSurface, ShardsJoinToTheSameBytes) {
    const TemporaryFolder folder;
    hops(5, 8).write(folder / "scene", 9, 24);
    AskedEvents asked;
    asked.impulses = false;
    static_cast<void>(run(folder / "scene", folder / "whole", asked));
    for (const std::uint32_t shard : {1U, 0U}) {
        EventsRequest request;
        request.scene = folder / "scene";
        request.output = folder / "shared";
        request.asked = asked;
        request.frames.parse_shard(shard == 0 ? "0/2" : "1/2");
        request.threads = 1 + shard;
        request.isa = Isa::scalar;
        request.progress = ProgressMode::none;
        static_cast<void>(run_events(request, {}));
    }
    std::size_t files = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder / "whole")) {
        if (!entry.is_regular_file()) continue;
        const fs::path other = folder / "shared" / fs::relative(entry.path(), folder / "whole");
        EXPECT_EQ(test::read_bytes(entry.path()), test::read_bytes(other)) << other;
        ++files;
    }
    EXPECT_GT(files, 20U);
}

}  // namespace
}  // namespace lanefold::tools
