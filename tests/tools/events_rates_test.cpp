// SPDX-License-Identifier: MIT
//
// A fall at 24 frames a second against the same fall at 240: which pairs that meet are seen, and when. LANEFOLD_BODIES:
// how many fall.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "events/folder.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/event_scene.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::collide;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

constexpr std::uint64_t kSubframes = 10;  // frames of 240 a second in one of 24

std::uint64_t bodies_to_fall() {
    const char* const given = std::getenv("LANEFOLD_BODIES");
    return given == nullptr ? 80 : std::strtoull(given, nullptr, 10);
}

// Boxes, balls and splinters above a bin, as many as asked for.
void write_start(const fs::path& folder, std::uint64_t bodies) {
    test::PathScene paths;
    const std::uint32_t hulls[] = {
        paths.add_box(0.2F, 0.15F, 0.1F), paths.add_sphere(0.15F),
        paths.add_hull({{0.3F, 0, 0}, {-0.2F, 0.1F, 0}, {-0.2F, -0.1F, 0.05F}, {0, 0, 0.2F}}),
        paths.add_hull({{-0.2F, 0, 0}, {0.2F, 0, 0}}, 0.07F)};
    const double side = std::max(2.0, std::cbrt(static_cast<double>(bodies)) * 0.5);
    const auto across = static_cast<std::uint64_t>(side / 0.6);
    const auto half = static_cast<float>(side / 2 + 0.3);
    const std::uint32_t floor = paths.add_box(half + 1, 0.5F, half + 1);
    const std::uint32_t wall = paths.add_box(0.5F, 20, half + 1);
    const std::uint32_t other = paths.add_box(half + 1, 20, 0.5F);
    const auto fixed = [&](std::uint32_t hull, Vec3d p) { paths.add_body(hull, 0, [=](double) { return p; }); };
    const double out = static_cast<double>(half) + 0.5;
    fixed(floor, {0, -0.5, 0});
    fixed(wall, {out, 20, 0});
    fixed(wall, {-out, 20, 0});
    fixed(other, {0, 20, out});
    fixed(other, {0, 20, -out});
    for (std::uint64_t i = 0; i < bodies; ++i) {
        const std::uint64_t layer = i / (across * across);
        const double jitter = 0.05 * std::sin(static_cast<double>(7 * i));
        const Vec3d p{(static_cast<double>(i % across) + 0.5) * 0.6 - side / 2 + jitter,
                      0.6 + 0.6 * static_cast<double>(layer) + jitter,
                      (static_cast<double>(i / across % across) + 0.5) * 0.6 - side / 2 - jitter};
        const double angle = 0.7 * static_cast<double>(i);
        paths.add_body(
            hulls[i % 4], 0.2F, [=](double) { return p; },
            [=](double) {
                return test::turn_about(normalized(Vec3d{1, 2, 3}), angle);
            });
    }
    paths.write(folder, 1, 24);
}

// Every tenth frame.
void write_thinned(const fs::path& from, const fs::path& to) {
    const Scene scene(from);
    SceneWriter::Contents contents = SceneWriter::Contents();
    contents.info = scene.info();
    contents.info.frames_per_second = *scene.info().frames_per_second / static_cast<double>(kSubframes);
    contents.hull_offsets = scene.hull_offsets();
    contents.hull_vertices = scene.hull_vertices();
    contents.hull_radius = scene.hull_radius();
    contents.body_hull = scene.body_hull();
    contents.inverse_mass = scene.inverse_mass();
    contents.positions_are_double = true;
    SceneWriter writer(to, contents);
    SceneFrame frame;
    for (std::uint64_t f = 0; f < scene.frames(); f += kSubframes) {
        scene.read_frame(f, frame);
        writer.add_frame(std::span<const double>(frame.position_double), frame.orientation);
    }
    writer.commit();
}

std::vector<Event> events_of(const fs::path& scene, const fs::path& out, std::vector<std::string> more) {
    more.insert(more.end(), {"--events", out.string(), "--progress", "none"});
    const Outcome outcome = collide(scene, more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return EventsFolder(out).read_events();
}

std::set<Pair> pairs_of(const std::vector<Event>& events, bool in_frames) {
    std::set<Pair> out;
    for (const Event& e : events) {
        if (!in_frames || (e.flags & (kEventBetween | kEventBounce)) == 0) out.insert(e.pair);
    }
    return out;
}

std::size_t missing(const std::set<Pair>& of, const std::set<Pair>& in) {
    return static_cast<std::size_t>(
        std::count_if(of.begin(), of.end(), [&](const Pair& p) { return !in.contains(p); }));
}

TEST(EventsRates, AFallAt24FramesHasTheEventsOf240) {
    const TemporaryFolder folder;
    write_start(folder / "start", bodies_to_fall());
    const Outcome fell = program({"simulate", (folder / "start").string(), "-o", (folder / "fall").string(), "--steps",
                                  "480", "--rate", "240", "--no-pairs", "--restitution", "0.3", "--progress", "none"});
    ASSERT_EQ(fell.exit_code, 0) << fell.err;
    write_thinned(folder / "fall", folder / "thinned");
    // A line between frames of 24 a second is off from a free fall by g dt^2 / 8 at most, which is 2 mm.
    const std::vector<std::string> strict{"--touch", "0.002", "--release", "0.004"};
    const std::vector<Event> fine = events_of(folder / "fall", folder / "fine", strict);
    const std::vector<Event> coarse = events_of(folder / "thinned", folder / "coarse", strict);
    const std::set<Pair> met = pairs_of(fine, false);
    const std::size_t unseen_by_frames = missing(met, pairs_of(coarse, true));
    const std::size_t unseen = missing(met, pairs_of(coarse, false));
    const std::size_t invented = missing(pairs_of(coarse, false), met);
    std::size_t compared = 0;
    std::size_t within = 0;
    std::map<Pair, double> first;
    for (const Event& e : fine) first.try_emplace(e.pair, e.begin / kSubframes);
    std::set<Pair> seen;
    for (const Event& e : coarse) {
        const auto at = first.find(e.pair);
        if (at == first.end() || !seen.insert(e.pair).second) continue;
        ++compared;
        within += std::fabs(e.begin - at->second) <= 1 ? 1U : 0U;
    }
    std::printf(
        "%zu events at 240, %zu at 24; %zu pairs meet: unseen by frames %zu, by events %zu, invented %zu; first "
        "contacts of %zu of %zu pairs within a frame\n",
        fine.size(), coarse.size(), met.size(), unseen_by_frames, unseen, invented, within, compared);
    // How far the lines between frames lead past each other: the data does not hold these contacts.
    std::vector<std::size_t> unseen_within;
    for (const std::string touch : {"0.008", "0.032", "0.064"}) {
        const std::vector<Event> near =
            events_of(folder / "thinned", folder / ("near" + touch), {"--touch", touch, "--release", "0.1"});
        unseen_within.push_back(missing(met, pairs_of(near, false)));
        std::printf("unseen pairs that do not come within %s m: %zu\n", touch.c_str(), unseen_within.back());
    }
    EXPECT_LT(unseen_within[0], unseen);
    EXPECT_EQ(unseen_within[2], 0U) << "a pair is unseen for another reason than its way";
    // Poses hide some: bodies that graze each other, or hit two at once, on a way that is no line. Events see about
    // half of what frames do not.
    EXPECT_LT(5 * unseen, 3 * unseen_by_frames);
    EXPECT_LT(50 * invented, met.size());
    EXPECT_GT(met.size(), 150U);
}

// The solver knows its substeps, so its events are the same whichever frames are kept, but for what no frame shows.
TEST(EventsRates, ASimulationKeeping24FramesHasTheEventsOf240) {
    const TemporaryFolder folder;
    write_start(folder / "start", bodies_to_fall());
    const auto simulated = [&](const std::string& every, const std::string& name) {
        const Outcome fell =
            program({"simulate", (folder / "start").string(), "-o", (folder / name).string(), "--steps", "480",
                     "--rate", "240", "--every", every, "--no-pairs", "--restitution", "0.3", "--progress", "none",
                     "--events", (folder / (name + "-events")).string()});
        EXPECT_EQ(fell.exit_code, 0) << fell.err;
        return EventsFolder(folder / (name + "-events")).read_events();
    };
    const std::vector<Event> fine = simulated("1", "fine");
    const std::vector<Event> coarse = simulated("10", "coarse");
    ASSERT_EQ(fine.size(), coarse.size());
    double off = 0;
    for (std::size_t i = 0; i < fine.size(); ++i) {
        const Event& f = fine[i];
        const Event& c = coarse[i];
        const auto told = [](const Event& e) {
            return std::tuple(e.pair, e.place, std::vector(e.normal, e.normal + 3), e.closing, e.sliding, e.impulse,
                              e.impulse_peak, e.impulse_sum, e.slip, e.flags & ~kEventBetween);
        };
        ASSERT_TRUE(told(f) == told(c)) << "event " << i;
        off = std::max({off, std::fabs(f.begin / kSubframes - c.begin), std::fabs(f.end / kSubframes - c.end)});
    }
    // Pairs that meet in the frames of 240 a second are there, too; those of estimated bounces need not be.
    std::set<Pair> met;
    for (const Event& e : events_of(folder / "fine", folder / "poses", {})) {
        if ((e.flags & kEventBounce) == 0) met.insert(e.pair);
    }
    const std::size_t unseen = missing(met, pairs_of(coarse, false));
    std::printf("%zu events, times off by %.2g frames; of %zu pairs that meet in frames of 240 a second %zu unseen\n",
                coarse.size(), off, met.size(), unseen);
    EXPECT_LT(off, 1e-12);
    EXPECT_EQ(unseen, 0U);
    EXPECT_GT(met.size(), 150U);
}

}  // namespace
}  // namespace lanefold::tools
