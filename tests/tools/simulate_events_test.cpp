// SPDX-License-Identifier: MIT
//
// `lanefold simulate --events`: impulses and times against closed forms, the same bytes everywhere and after kills,
// exports, filters, and what is refused.
#include <cmath>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/isa.hpp>

#include "events/folder.hpp"
#include "scene/io.hpp"
#include "support/tools/event_scene.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::files_below;
using test::Outcome;
using test::PathScene;
using test::program;
using test::TemporaryFolder;

constexpr double kGravity = 9.81;
constexpr double kRate = 60;

// A box of 10 kg, 1 m above a floor, with another body far beside it.
void write_drop(const fs::path& folder, double drop = 1) {
    PathScene scene;
    const std::uint32_t floor = scene.add_box(20, 0.5F, 20);
    const std::uint32_t box = scene.add_box(0.25F, 0.25F, 0.25F);
    scene.add_body(box, 0.1F, [=](double) { return Vec3d{0.5, 0.25 + drop, 0}; });
    scene.add_body(floor, 0, [](double) { return Vec3d{0, -0.5, 0}; });
    scene.names = {"box", "floor"};
    scene.write(folder, 1, kRate);
}

Outcome simulate(const fs::path& scene, const fs::path& out, const fs::path& events, std::vector<std::string> more = {},
                 const test::RunOptions& options = {}) {
    std::vector<std::string> all{"simulate", scene.string(), "-o",         out.string(), "--gravity", "0", "-9.81",
                                 "0",        "--no-pairs",   "--progress", "none"};
    if (!events.empty()) all.insert(all.end(), {"--events", events.string()});
    all.insert(all.end(), more.begin(), more.end());
    return test::run_program(LANEFOLD_PROGRAM, all, options);
}

// The solver gives a box that falls and comes to rest as much as gravity does, and what it still has.
TEST(SimulateEvents, ImpulsesOfADroppedBoxAreWeightTimesTime) {
    const TemporaryFolder folder;
    write_drop(folder / "scene");
    const Outcome outcome =
        simulate(folder / "scene", folder / "out", folder / "events", {"--steps", "150", "--no-sleep", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(R"("impulses":"exact, of the solver")"), std::string::npos) << outcome.out;
    const std::vector<Event> events = EventsFolder(folder / "events").read_events();
    ASSERT_EQ(events.size(), 1U);
    const Event& e = events[0];
    EXPECT_EQ(e.pair, (Pair{0, 1}));
    EXPECT_EQ(e.flags, kEventLasts);
    EXPECT_EQ(e.end, 150);
    const double time = std::sqrt(2 / kGravity), speed = kGravity * time, mass = 10;
    // A substep is a tenth of a step, and the first one that is pushed lets the gap close.
    EXPECT_NEAR(e.begin, time * kRate, 0.25);
    EXPECT_NEAR(e.closing, speed, 0.02 * speed);
    EXPECT_NEAR(e.sliding, 0, 1e-4);
    EXPECT_NEAR(e.normal[1], -1, 1e-6);
    EXPECT_NEAR(e.place.y, 0, 0.02);
    // It is at rest at both ends, so the sum is the weight's; numbers of the solver are of float32.
    const double weight = mass * kGravity * 150 / kRate;
    EXPECT_NEAR(e.impulse_sum, weight, 1e-4 * weight);
    EXPECT_GT(e.impulse, mass * speed * 0.95);
    EXPECT_LT(e.impulse, mass * (speed + 2 * kGravity / kRate));
    EXPECT_LE(e.impulse_peak, e.impulse);
    EXPECT_GT(e.impulse_peak, e.impulse / 2);
    EXPECT_LT(e.slip, 1e-3);
}

// Each bounce is an event; the sum of all is the change of momentum and the weight times the time.
TEST(SimulateEvents, OfABouncingBallHaveTheClosedFormsOfBounces) {
    const TemporaryFolder folder;
    PathScene scene;
    scene.add_body(scene.add_sphere(0.25F), 0.1F, [](double) { return Vec3d{0, 1.25, 0}; });
    scene.add_body(scene.add_box(20, 0.5F, 20), 0, [](double) { return Vec3d{0, -0.5, 0}; });
    scene.write(folder / "scene", 1, kRate);
    const Outcome outcome = simulate(folder / "scene", folder / "out", folder / "events",
                                     {"--steps", "90", "--every", "3", "--restitution", "0.7"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::vector<Event> events = EventsFolder(folder / "events").read_events();
    ASSERT_EQ(events.size(), 2U);
    const double mass = 10, fall = std::sqrt(2 / kGravity);
    double speed = kGravity * fall, time = fall;
    for (const Event& e : events) {
        // Frames of three steps.
        EXPECT_NEAR(e.begin, time * kRate / 3, 0.15);
        EXPECT_NEAR(e.closing, speed, 0.03 * speed);
        EXPECT_NEAR(e.impulse_sum, mass * 1.7 * speed, 0.03 * mass * 1.7 * speed);
        EXPECT_NEAR(e.end - e.begin, 0, 1.0 / 3);
        time += 2 * 0.7 * speed / kGravity;
        speed *= 0.7;
    }
    // All that was pushed: what the ball has now, and what gravity took.
    const Scene made(folder / "out");
    SceneFrame before, after;
    made.read_frame(29, before);
    made.read_frame(30, after);
    const double mean = (after.position_double[1] - before.position_double[1]) * kRate / 3;
    const double last = mean - kGravity * 1.5 / kRate;
    const double given = static_cast<double>(events[0].impulse_sum) + static_cast<double>(events[1].impulse_sum);
    EXPECT_NEAR(given, mass * (last + kGravity * 1.5), 0.01 * given);
}

// The solver slows a body down up to three substeps before it arrives. A step that begins in between finds a gap, but
// the strike is one event, with all of its impulse.
TEST(SimulateEvents, AStrikeIsOneEventWhereverStepsBegin) {
    const TemporaryFolder folder;
    constexpr std::size_t kBodies = 40;
    constexpr double kMass = 2;
    const auto drop_of = [](std::size_t i) { return 0.2 + 0.13 * static_cast<double>(i); };
    PathScene scene;
    const std::uint32_t box = scene.add_box(0.25F, 0.25F, 0.25F);
    for (std::size_t i = 0; i < kBodies; ++i) {
        scene.add_body(box, 1.0F / static_cast<float>(kMass), [=](double) {
            return Vec3d{2.0 * static_cast<double>(i), 0.25 + drop_of(i), 0};
        });
    }
    scene.add_body(scene.add_half_space({0, 1, 0}, 0), 0, [](double) { return Vec3d{0, 0, 0}; });
    scene.write(folder / "scene", 1, kRate);
    const Outcome outcome = simulate(folder / "scene", folder / "out", folder / "events", {"--steps", "80"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::vector<Event> events = EventsFolder(folder / "events").read_events();
    ASSERT_EQ(events.size(), kBodies);
    for (const Event& e : events) {
        const double speed = std::sqrt(2 * kGravity * drop_of(e.pair.a));
        EXPECT_NEAR(e.closing, speed, 0.03 * speed) << e.pair.a;
        EXPECT_GT(e.impulse, 0.97 * kMass * speed) << e.pair.a;
        EXPECT_EQ(e.flags, kEventLasts) << e.pair.a;
    }
}

TEST(SimulateEvents, SlidingBoxSlipsItsWay) {
    const TemporaryFolder folder;
    write_drop(folder / "scene", 0);
    test::write_bytes(folder / "setup.json", R"({"bodies": [{"body": 0, "velocity": [2, 0, 0], "friction": 0.3}]})");
    const Outcome outcome =
        simulate(folder / "scene", folder / "out", folder / "events",
                 {"--steps", "120", "--friction", "0.3", "--setup", (folder / "setup.json").string()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::vector<Event> events = EventsFolder(folder / "events").read_events();
    ASSERT_EQ(events.size(), 1U);
    const double way = 2.0 * 2.0 / (2 * 0.3 * kGravity);
    EXPECT_NEAR(events[0].slip, way, 0.02 * way);
    EXPECT_NEAR(events[0].sliding, 2, 0.02);
    EXPECT_LT(events[0].begin, 1);
}

class SimulateEventFiles : public testing::Test {
protected:
    void SetUp() override {
        const Outcome outcome = run("whole", {});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        whole_ = files_below(folder_ / "whole_events");
        ASSERT_GT(EventsFolder(folder_ / "whole_events").read_events().size(), 30U);
    }
    Outcome run(const std::string& name, std::vector<std::string> more, const test::RunOptions& options = {}) const {
        more.insert(more.end(), {"--steps", "60", "--every", "2", "--restitution", "0.4"});
        return simulate(test::stored_scene("boxes_pile"), folder_ / name, folder_ / (name + "_events"), more, options);
    }
    void expect_whole(const std::string& name) const {
        EXPECT_TRUE(files_below(folder_ / (name + "_events")) == whole_) << name;
    }

    TemporaryFolder folder_;
    std::map<std::string, std::string> whole_;
};

TEST_F(SimulateEventFiles, AreTheSameWhateverThreadsAndInstructionSet) {
    for (const char* threads : {"1", "3"}) {
        const std::string name = std::string("threads") + threads;
        ASSERT_EQ(run(name, {"--threads", threads}).exit_code, 0);
        expect_whole(name);
    }
    for (const Isa isa : available_isas()) {
        ASSERT_EQ(run(to_string(isa), {"--isa", to_string(isa)}).exit_code, 0);
        expect_whole(to_string(isa));
    }
}

TEST_F(SimulateEventFiles, AreResumedAfterKillsToTheSameBytes) {
    std::size_t killed = 0;
    for (int round = 0; round < 3; ++round) {
        test::RunOptions options;
        options.meanwhile = [&](pid_t child) {
            const fs::path checkpoint = folder_ / "killed.simulating" / "checkpoint";
            for (int i = 0; i < 5000 && !fs::exists(checkpoint); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            std::this_thread::sleep_for(std::chrono::milliseconds(10 * round));
            ::kill(child, SIGKILL);
        };
        if (fs::exists(folder_ / "killed")) break;
        killed += run("killed", {"--resume", "--checkpoint", "0.001", "--threads", "1"}, options).signal == SIGKILL;
    }
    EXPECT_GT(killed, 0U);
    if (!fs::exists(folder_ / "killed")) {
        const Outcome outcome = run("killed", {"--resume"});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    }
    expect_whole("killed");
}

TEST_F(SimulateEventFiles, AreExportedFilteredAndReplaced) {
    const fs::path events = folder_ / "whole_events";
    for (const char* extension : {".csv", ".jsonl", ".usda"}) {
        const fs::path file = folder_ / ("events" + std::string(extension));
        const Outcome outcome = program(
            {"export", (folder_ / "whole").string(), events.string(), "-o", file.string(), "--progress", "none"});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_GT(fs::file_size(file), 1000U);
    }
    const Outcome told = program({"info", events.string()});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_NE(told.out.find("exact, of the solver"), std::string::npos) << told.out;
    EXPECT_NE(told.out.find("hardest: body "), std::string::npos) << told.out;
    const Outcome line = program({"info", events.string(), "--json"});
    EXPECT_NE(line.out.find("\"events\":" + std::to_string(EventsFolder(events).read_events().size()) + ","),
              std::string::npos)
        << line.out;
    const Outcome again = run("whole", {"--closing-above", "0.3"});
    EXPECT_EQ(again.exit_code, 2);
    const Outcome other = run("whole", {"--closing-above", "0.3", "--replace"});
    ASSERT_EQ(other.exit_code, 0) << other.err;
    const std::vector<Event> fast = EventsFolder(events).read_events();
    EXPECT_FALSE(fast.empty());
    for (const Event& e : fast) EXPECT_GT(e.closing, 0.3F);
    const Outcome merged = program({"merge", events.string(), "-o", (folder_ / "merged").string()});
    EXPECT_EQ(merged.exit_code, 2);
    EXPECT_NE(merged.err.find("nothing to merge"), std::string::npos) << merged.err;
}

TEST_F(SimulateEventFiles, WhatIsRefused) {
    const auto refused = [&](const fs::path& events, const std::vector<std::string>& more, const std::string& message) {
        const Outcome outcome = simulate(test::stored_scene("boxes_pile"), folder_ / "none", events, more);
        EXPECT_EQ(outcome.exit_code, 2) << message;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(folder_ / "none"));
    };
    refused({}, {"--closing-above", "1"}, "--one-a-body are of --events, which is missing");
    refused(folder_ / "e", {"--release", "0.03"}, "--release 0.03: at most 0.02");
    refused(folder_ / "e", {"--one-a-body", "0"}, "--one-a-body 0: expected a number of frames above 0");
    refused(folder_ / "none", {}, "is the scene to write");
    refused(folder_ / "whole_events", {}, "holds events; --replace replaces them");
    refused(folder_ / "whole", {}, "exists and holds no events");
}

}  // namespace
}  // namespace lanefold::tools
