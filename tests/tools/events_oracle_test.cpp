// SPDX-License-Identifier: MIT
//
// Events of poses against their oracle, and against closed forms: none missed, none late, none invented.
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "events/folder.hpp"
#include "events/job.hpp"
#include "support/program.hpp"
#include "support/tools/event_oracle.hpp"
#include "support/tools/event_scene.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::PathScene;
using test::TemporaryFolder;

std::vector<Event> events_of(const fs::path& scene, const fs::path& folder, const AskedEvents& asked) {
    EventsRequest request;
    request.scene = scene;
    request.output = folder;
    request.asked = asked;
    request.progress = ProgressMode::none;
    const EventsReport report = run_events(request, {});
    EXPECT_TRUE(report.joined);
    EXPECT_EQ(report.counts.failed, 0U);
    return EventsFolder(folder).read_events();
}

// Bodies that fly to and fro in a box, through each other, and turn by up to half a turn a frame.
PathScene random_paths(std::uint64_t seed, std::size_t bodies) {
    PathScene scene;
    std::mt19937_64 random(seed);
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * (static_cast<double>(random() >> 11U) * 0x1p-53);
    };
    const std::uint32_t hulls[] = {scene.add_box(0.5F, 0.3F, 0.2F), scene.add_box(0.4F, 0.4F, 0.4F),
                                   scene.add_hull({{-0.6F, 0, 0}, {0.6F, 0, 0}}, 0.15F), scene.add_sphere(0.4F),
                                   scene.add_hull({{0.5F, 0, 0}, {-0.3F, 0.4F, 0}, {-0.3F, -0.4F, 0}, {0, 0, 0.5F}})};
    for (std::size_t i = 0; i < bodies; ++i) {
        const Vec3d from{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        const Vec3d speed{uniform(-40, 40), uniform(-40, 40), uniform(-40, 40)};
        const Vec3d axis = normalized(Vec3d{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
        const double spin = uniform(0, 50);
        const auto fold = [](double x) {  // into -1.5..1.5 and back
            const double y = std::fmod(std::fabs(x + 1.5), 6.0);
            return y < 3 ? y - 1.5 : 4.5 - y;
        };
        scene.add_body(
            hulls[i % 5], 1,
            [=](double t) {
                return Vec3d{fold(from.x + speed.x * t), fold(from.y + speed.y * t), fold(from.z + speed.z * t)};
            },
            [=](double t) { return test::turn_about(axis, spin * t); });
    }
    return scene;
}

TEST(EventsOracle, EveryContactIsThereAndNoneIsLateOrInvented) {
    const TemporaryFolder folder;
    constexpr double kTouch = 0.01;
    constexpr double kRelease = 0.05;
    PathScene paths = random_paths(5, 12);
    paths.group.assign(12, 0);
    paths.group[0] = paths.group[1] = 7;
    paths.inverse_mass[2] = paths.inverse_mass[3] = 0;
    paths.write(folder / "scene", 14, 24);
    const Scene scene(folder / "scene");
    AskedEvents asked;
    asked.touch = static_cast<float>(kTouch);
    asked.release = static_cast<float>(kRelease);
    asked.bounces = false;  // the oracle knows the poses only
    const std::vector<Event> events = events_of(folder / "scene", folder / "events", asked);
    const test::EventOracle oracle(scene, static_cast<double>(asked.touch), static_cast<double>(*asked.release), 96);
    const std::vector<test::OracleEvent> expected = oracle.events();
    std::size_t between = 0;
    std::size_t before = 0;
    std::size_t lasting = 0;
    double latest = -1;
    double earliest = 0;
    // Sweeps may be early by their tolerance: a thousandth of the smaller hull's size.
    constexpr double kTolerance = 1.1e-3 * 0.75;
    ASSERT_EQ(events.size(), expected.size());
    std::vector<bool> taken(expected.size());
    for (const Event& event : events) {
        std::size_t at = 0;
        while (at < expected.size() && (taken[at] || !(expected[at].pair == event.pair))) ++at;
        ASSERT_LT(at, expected.size()) << "invented: bodies " << event.pair.a << ", " << event.pair.b;
        taken[at] = true;
        const test::OracleEvent& truth = expected[at];
        latest = std::max({latest, event.begin - truth.begin, truth.end - event.end});
        earliest = std::max({earliest, truth.begin - event.begin, event.end - truth.end});
        if (!truth.touched_before) {
            EXPECT_NEAR(oracle.distance(event.pair, event.begin), kTouch, kTolerance);
        }
        if (!truth.lasts) {
            EXPECT_NEAR(oracle.distance(event.pair, event.end), kRelease, kTolerance);
        }
        EXPECT_EQ((event.flags & kEventTouchedBefore) != 0, truth.touched_before);
        EXPECT_EQ((event.flags & kEventLasts) != 0, truth.lasts);
        EXPECT_EQ(event.flags & kEventCut, 0);
        between += (event.flags & kEventBetween) != 0 ? 1U : 0U;
        before += truth.touched_before ? 1U : 0U;
        lasting += truth.lasts ? 1U : 0U;
    }
    std::printf("%zu events, %zu between two frames, %zu from the first, %zu to the last; late %.2g, early %.2g\n",
                events.size(), between, before, lasting, latest, earliest);
    EXPECT_LT(latest, 1e-9);
    EXPECT_LT(earliest, 0.02);
    EXPECT_GT(events.size(), 100U);
    EXPECT_GT(between, 30U);
    EXPECT_GT(before, 0U);
    EXPECT_GT(lasting, 0U);
}

// Two balls of unequal mass meet head on in a frame, and part as elastic ones do.
TEST(EventsClosedForms, TwoBallsMeetAndPart) {
    const TemporaryFolder folder;
    constexpr double kRate = 24;
    constexpr double kMeet = 5 / kRate;
    constexpr double kMassA = 2;
    constexpr double kMassB = 6;
    constexpr double kSpeed = 4;  // of each before
    constexpr double kTouch = 1e-3;
    const double after_a = -kSpeed * (3 * kMassB - kMassA) / (kMassA + kMassB);
    const double after_b = kSpeed * (3 * kMassA - kMassB) / (kMassA + kMassB);
    PathScene paths;
    const std::uint32_t ball = paths.add_sphere(0.25F);
    const auto path = [&](double side, double before, double after) {
        return [=](double t) { return Vec3d{side * 0.25 + (t < kMeet ? before : after) * (t - kMeet), 1, 2}; };
    };
    paths.add_body(ball, static_cast<float>(1 / kMassA), path(-1, kSpeed, after_a));
    paths.add_body(ball, static_cast<float>(1 / kMassB), path(1, -kSpeed, after_b));
    paths.names = {"left", "right"};
    paths.write(folder / "scene", 12, kRate);
    AskedEvents asked;
    asked.touch = asked.release.emplace(static_cast<float>(kTouch));
    const std::vector<Event> events = events_of(folder / "scene", folder / "events", asked);
    ASSERT_EQ(events.size(), 1U);
    const Event& e = events[0];
    const double way = kTouch * kRate / (2 * kSpeed);  // frames from touch to touch
    // Sweeps are early by a thousandth of a ball's size at most, a quarter of the touch distance.
    EXPECT_NEAR(e.begin, 5 - 1.125 * way, 0.13 * way);
    EXPECT_NEAR(e.end, 5 + 1.125 * way, 0.13 * way);
    EXPECT_EQ(e.flags, 0);
    EXPECT_NEAR(static_cast<double>(e.normal[0]), 1, 1e-6);
    EXPECT_NEAR(static_cast<double>(e.closing), 2 * kSpeed, 1e-4);
    EXPECT_NEAR(static_cast<double>(e.sliding), 0, 1e-4);
    // Nothing else acts on the two, so the estimate by masses is exact.
    const double impulse = kMassA * kMassB / (kMassA + kMassB) * 4 * kSpeed;
    EXPECT_NEAR(static_cast<double>(e.impulse), impulse, 1e-4 * impulse);
    EXPECT_NEAR(static_cast<double>(e.impulse_peak), impulse, 1e-4 * impulse);
    EXPECT_NEAR(static_cast<double>(e.impulse_sum), impulse, 1e-4 * impulse);
    EXPECT_NEAR(e.place.y, 1, 1e-6);
    EXPECT_NEAR(e.place.z, 2, 1e-6);
    EXPECT_EQ(EventsFolder(folder / "events").bodies().names[1], "right");
}

// Two cubes that meet with whole faces while they spin about the line between them. The hull of one has its origin
// beside it, so that the origin swings. All four corners are in the impulse.
TEST(EventsClosedForms, FacesThatMeetHaveTheImpulseOfMomentum) {
    const TemporaryFolder folder;
    constexpr double kRate = 100;
    constexpr double kMeet = 5.5 / kRate;
    constexpr double kSpin = 7;  // radians a second
    const Vec3f beside{0.1F, 0.4F, -0.3F};
    PathScene paths;
    std::vector<Vec3f> points;
    for (int corner = 0; corner < 8; ++corner) {
        const auto half = [&](int bit) { return (corner >> bit & 1) != 0 ? 0.25F : -0.25F; };
        points.push_back(beside + Vec3f{half(0), half(1), half(2)});
    }
    const auto turn = [](double t) { return Quat{std::sin(0.5 * kSpin * t), 0, 0, std::cos(0.5 * kSpin * t)}; };
    const auto centre = [](double side, double before, double after) {
        return [=](double t) { return Vec3d{side * 0.25 + (t < kMeet ? before : after) * (t - kMeet), 1, 2}; };
    };
    const auto left = centre(-1, 4, -2);
    paths.add_body(
        paths.add_hull(points), 1.0F, [=](double t) { return left(t) - rotation(turn(t)) * to_double(beside); }, turn);
    paths.add_body(paths.add_box(0.25F, 0.25F, 0.25F), 1.0F / 3, centre(1, -1, 1), turn);
    paths.write(folder / "scene", 12, kRate);
    const std::vector<Event> events = events_of(folder / "scene", folder / "events", {});
    ASSERT_EQ(events.size(), 1U);
    EXPECT_NEAR(static_cast<double>(events[0].closing), 5, 1e-2);
    EXPECT_NEAR(static_cast<double>(events[0].impulse), 6, 1e-3);
    EXPECT_NEAR(static_cast<double>(events[0].impulse_sum), 6, 1e-3);
}

// The same two balls, whose meeting lies between two frames that both show a gap.
TEST(EventsBounces, AreFoundWhereBothFramesShowAGap) {
    const TemporaryFolder folder;
    constexpr double kRate = 24;
    constexpr double kMeet = 5.4 / kRate;
    PathScene paths;
    const std::uint32_t ball = paths.add_sphere(0.25F);
    const auto path = [&](double side) {
        return [=](double t) { return Vec3d{side * (0.25 + 4 * std::fabs(t - kMeet)), 1, 2}; };
    };
    paths.add_body(ball, 0.5F, path(-1));
    paths.add_body(ball, 0.5F, path(1));
    paths.write(folder / "scene", 12, kRate);
    AskedEvents strict;
    strict.bounces = false;
    EXPECT_TRUE(events_of(folder / "scene", folder / "strict", strict).empty());
    const std::vector<Event> events = events_of(folder / "scene", folder / "events", {});
    ASSERT_EQ(events.size(), 1U);
    const Event& e = events[0];
    EXPECT_NEAR(e.begin, 5.4, 2e-3);
    EXPECT_EQ(e.begin, e.end);
    EXPECT_EQ(e.flags, kEventBetween | kEventBounce);
    EXPECT_NEAR(static_cast<double>(e.normal[0]), 1, 1e-6);
    EXPECT_NEAR(static_cast<double>(e.closing), 8, 1e-4);
    EXPECT_NEAR(static_cast<double>(e.impulse_sum), 16, 1e-3);  // 2 kg turn from 4 to -4
    EXPECT_NEAR(e.place.x, 0, 1e-3);
}

// A ball falls on a plate that lies on a floor, and bounces lower and lower, as gravity has it. The floor behind the
// plate is not hit, and every bounce is found, at its time.
TEST(EventsBounces, AreOfWhatIsNearestAndEachIsFound) {
    const TemporaryFolder folder;
    constexpr double kRate = 24;
    constexpr double kRadius = 0.1;
    constexpr double kGravity = 9.81;
    constexpr double kKept = 0.8;  // of the speed
    std::vector<double> times{std::sqrt(2 * 3.0 / kGravity)};
    double speed = kGravity * times[0];
    while (times.size() < 8) {
        speed *= kKept;
        times.push_back(times.back() + 2 * speed / kGravity);
    }
    const auto height = [=](double t) {
        if (t < times[0]) return 3.0 - 0.5 * kGravity * t * t;
        double v = kGravity * times[0];
        for (std::size_t i = 0; i < times.size(); ++i) {
            v *= kKept;
            const double since = t - times[i];
            if (i + 1 == times.size() || t < times[i + 1]) return v * since - 0.5 * kGravity * since * since;
        }
        return 0.0;
    };
    PathScene paths;
    paths.add_body(paths.add_box(20, 1, 20), 0, [](double) { return Vec3d{0, -1.02, 0}; });
    paths.add_body(paths.add_box(2, 0.01F, 2), 0.1F, [](double) { return Vec3d{0, -0.01, 0}; });
    paths.add_body(paths.add_sphere(0.1F), 1, [=](double t) { return Vec3d{0.3 * t, kRadius + height(t), 0}; });
    paths.write(folder / "scene", static_cast<std::uint64_t>(times.back() * kRate) + 3, kRate);
    const std::vector<Event> events = events_of(folder / "scene", folder / "events", {});
    std::vector<double> found;
    for (const Event& event : events) {
        EXPECT_FALSE((event.pair == Pair{0, 2})) << "the floor below the plate, at " << event.begin;
        if (event.pair == Pair{1, 2}) found.push_back(0.5 * (event.begin + event.end) / kRate);
    }
    double worst = 0;
    ASSERT_EQ(found.size(), times.size());
    for (std::size_t i = 0; i < times.size(); ++i) worst = std::max(worst, std::fabs(found[i] - times[i]) * kRate);
    std::printf("%zu bounces, the worst is off by %.2f frames\n", found.size(), worst);
    EXPECT_LT(worst, 0.5);
}

// A bullet of 400 m/s through a sheet of paper: no frame of 24 a second shows that they touch.
TEST(EventsClosedForms, ABulletGoesThroughPaperBetweenTwoFrames) {
    const TemporaryFolder folder;
    PathScene paths;
    paths.add_body(paths.add_box(0.5F, 0.5F, 0.0005F), 0, [](double) { return Vec3d{0, 0, 3}; });
    paths.add_body(paths.add_sphere(0.004F), 100, [](double t) { return Vec3d{0.1, 0.2, 400 * t - 22}; });
    paths.write(folder / "scene", 4, 24);
    AskedEvents asked;
    asked.release = 0;
    const std::vector<Event> events = events_of(folder / "scene", folder / "events", asked);
    ASSERT_EQ(events.size(), 1U);
    const double a_frame = 400.0 / 24;
    const double tolerance = 1.1e-3 * 0.004 / a_frame;  // of a frame
    const double begin = (25 - 0.0045) / a_frame;
    const double end = (25 + 0.0045) / a_frame;
    EXPECT_LE(events[0].begin, begin + 1e-9);
    EXPECT_GE(events[0].begin, begin - tolerance);
    EXPECT_GE(events[0].end, end - 1e-9);
    EXPECT_LE(events[0].end, end + tolerance);
    EXPECT_EQ(events[0].flags, kEventBetween);
    EXPECT_NEAR(static_cast<double>(events[0].closing), 400, 1e-2);
    EXPECT_NEAR(events[0].place.x, 0.1, 1e-6);
    EXPECT_NEAR(events[0].place.y, 0.2, 1e-6);
}

// A box lands on a floor at an angle, slides, and lifts off.
TEST(EventsClosedForms, ABoxSlidesAndItsWayIsTheSlip) {
    const TemporaryFolder folder;
    constexpr double kRate = 100;
    PathScene paths;
    paths.add_body(paths.add_box(50, 1, 50), 0, [](double) { return Vec3d{0, -1, 0}; });
    paths.add_body(paths.add_box(0.3F, 0.1F, 0.3F), 1, [](double t) {
        const double height = t < 0.305 ? 2 * (0.305 - t) : t < 0.905 ? 0.0 : 1 * (t - 0.905);
        return Vec3d{3 * t, 0.1 + height, 0.5};
    });
    paths.write(folder / "scene", 121, kRate);
    AskedEvents asked;
    asked.touch = asked.release.emplace(1e-4F);
    const std::vector<Event> events = events_of(folder / "scene", folder / "events", asked);
    ASSERT_EQ(events.size(), 1U);
    const Event& e = events[0];
    EXPECT_NEAR(e.begin, 30.5, 0.55);  // the frame that it lands in is one motion
    EXPECT_NEAR(e.end, 90.5, 0.55);
    EXPECT_NEAR(static_cast<double>(e.closing), 2, 1e-4);
    EXPECT_NEAR(static_cast<double>(e.sliding), 3, 1e-4);
    EXPECT_NEAR(static_cast<double>(e.slip), 3 * (e.end - e.begin) / kRate, 1e-4);
    EXPECT_NEAR(static_cast<double>(e.normal[1]), 1, 1e-6);
    EXPECT_NEAR(static_cast<double>(e.impulse), 2, 1e-3);  // 1 kg, flat on its face
}

// A body that vanishes ends its contacts, and one that appears begins them.
TEST(EventsClosedForms, BodiesThatAppearAndVanishCutContacts) {
    const TemporaryFolder folder;
    PathScene paths;
    const std::uint32_t box = paths.add_box(1, 1, 1);
    paths.add_body(box, 0, [](double) { return Vec3d{}; });
    paths.add_body(box, 1, [](double) { return Vec3d{0, 1.9, 0}; });
    paths.there = {[](double) { return true; }, [](double t) { return t > 2.5 && t < 6.5; }};
    paths.write(folder / "scene", 10, 1);
    const std::vector<Event> events = events_of(folder / "scene", folder / "events", {});
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].begin, 3);
    EXPECT_EQ(events[0].end, 6);
    EXPECT_EQ(events[0].flags, kEventTouchedBefore | kEventCut);
}

}  // namespace
}  // namespace lanefold::tools
