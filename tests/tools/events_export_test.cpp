// SPDX-License-Identifier: MIT
//
// Events as CSV, JSON lines and USD, and the examples that read them.
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "events/folder.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/event_scene.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::collide;
using test::occurrences;
using test::Outcome;
using test::program;
using test::read_bytes;
using test::TemporaryFolder;

// A ball falls on a floor and rolls, in z up and left-handed axes; a second one hits it.
class EventsExport : public testing::Test {
protected:
    void SetUp() override {
        test::PathScene paths;
        const std::uint32_t ball = paths.add_sphere(0.25F);
        paths.add_body(paths.add_box(20, 20, 1), 0, [](double) { return Vec3d{1000, 0, -1}; });
        paths.add_body(ball, 1, [](double t) {
            return Vec3d{1000 + (t < 0.5 ? 0.1 * t : 0.05), 0.2, 0.2495 + std::max(0.0, 2 * (0.25 - t))};
        });
        paths.add_body(ball, 1, [](double t) { return Vec3d{1002 - 3 * std::min(t, 0.5), 0.2, 0.2495}; });
        paths.names = {"floor", "ball \"a\", red", "ball b"};
        paths.group = {0, 5, 6};
        paths.write(scene(), 20, 20);
        std::string json = read_bytes(scene() / "scene.json");
        json.insert(json.rfind('}'), R"(, "up": "z", "handedness": "left", "first_frame": 1001)");
        test::write_bytes(scene() / "scene.json", json);
        const Outcome made = collide(scene(), {"--events", folder("events").string()});
        ASSERT_EQ(made.exit_code, 0) << made.err;
        events_ = EventsFolder(folder("events")).read_events();
        ASSERT_GE(events_.size(), 3U);
    }
    fs::path scene() const { return folder("scene"); }
    fs::path folder(const char* name) const { return files_ / name; }
    std::string exported(const char* name, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{"export", scene().string(), folder("events").string(), "-o",
                                           folder(name).string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return outcome.exit_code == 0 ? read_bytes(folder(name)) : std::string();
    }

    TemporaryFolder files_;
    std::vector<Event> events_;
};

TEST_F(EventsExport, JsonLinesAndCsvSayTheSame) {
    const std::string lines = exported("events.jsonl");
    const std::string table = exported("events.csv");
    EXPECT_EQ(occurrences(table, "\r\n"), events_.size() + 1);
    std::size_t at = 0;
    for (const Event& event : events_) {
        const std::size_t end = lines.find('\n', at);
        const auto json = nlohmann::json::parse(lines.substr(at, end - at));
        at = end + 1;
        EXPECT_EQ(json["begin"].get<double>(), event.begin);
        EXPECT_EQ(json["end"].get<double>(), event.end);
        EXPECT_EQ(json["begin_seconds"].get<double>(), event.begin / 20);
        EXPECT_EQ(json["place"][0].get<double>(), event.place.x);
        EXPECT_EQ(json["normal"][2].get<float>(), event.normal[2]);
        EXPECT_EQ(json["closing_speed"].get<float>(), event.closing);
        EXPECT_EQ(json["slip"].get<float>(), event.slip);
        EXPECT_EQ(json["impulse_sum"].get<float>(), event.impulse_sum);
        EXPECT_EQ(json["bodies"][1].get<std::uint32_t>(), event.pair.b);
        EXPECT_EQ(json["groups"][1].get<std::uint32_t>(), event.pair.b == 1 ? 5U : 6U);
        EXPECT_EQ(json["names"][0], event.pair.a == 0 ? "floor" : "ball \"a\", red");
        EXPECT_EQ(json["flags"].get<int>(), event.flags);
    }
    EXPECT_EQ(at, lines.size());
    EXPECT_NE(table.find("\"ball \"\"a\"\", red\""), std::string::npos) << table;
    // Only those that begin in some frames.
    std::size_t few = 0;
    for (const Event& event : events_) few += event.begin >= 2 && event.begin < 9 ? 1U : 0U;
    EXPECT_EQ(occurrences(exported("few.jsonl", {"--frames", "2:9"}), "\n"), few);
    EXPECT_GT(few, 0U);
}

TEST_F(EventsExport, UsdHasPointsInTheFramesInWhichTheyBegin) {
    const std::string text = exported("events.usda");
    EXPECT_NE(text.find("def Points \"Events\""), std::string::npos);
    EXPECT_NE(text.find("framesPerSecond = 20"), std::string::npos);
    EXPECT_NE(text.find("upAxis = \"Z\""), std::string::npos);
    EXPECT_NE(text.find("lanefold:names = [\"floor\", \"ball \\\"a\\\", red\", \"ball b\"]"), std::string::npos)
        << text;
    for (const char* primvar : {"double[] primvars:begin", "double[] primvars:end", "float[] primvars:closingSpeed",
                                "float[] primvars:slidingSpeed", "float[] primvars:impulse (", "float[] primvars:slip",
                                "float[] primvars:impulsePeak", "float[] primvars:impulseSum", "int[] primvars:bodyA",
                                "int[] primvars:groupB", "int[] primvars:flags", "normal3f[] primvars:normal"}) {
        EXPECT_NE(text.find(primvar), std::string::npos) << primvar;
    }
    // The ball lands between frames 1004 and 1006, and the frames after have no points again.
    const std::size_t points = text.find("point3f[] points.timeSamples");
    const std::string samples = text.substr(points, text.find("        }\n", points) - points);
    std::size_t count = 0;
    std::vector<bool> some(20);
    for (const Event& event : events_) some[static_cast<std::size_t>(event.begin)] = true;
    for (std::size_t f = 0; f < some.size(); ++f) {
        const std::size_t at = samples.find(std::to_string(1001 + f) + ": [");
        if (some[f]) {
            ASSERT_NE(at, std::string::npos) << f << samples;
            EXPECT_NE(samples[at + 7], ']');
            ++count;
        } else if (f == 0 || some[f - 1]) {
            ASSERT_NE(at, std::string::npos) << f << samples;
            EXPECT_EQ(samples[at + 7], ']') << samples;
        }
    }
    EXPECT_GE(count, 2U);
    const Outcome wrong =
        program({"export", scene().string(), folder("events").string(), "-o", folder("a.ply").string()});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_NE(wrong.err.find("events are written as .usda, .csv or .jsonl"), std::string::npos) << wrong.err;
    const Outcome bodies = program({"export", scene().string(), "-o", folder("b.jsonl").string()});
    EXPECT_EQ(bodies.exit_code, 2);
    EXPECT_NE(bodies.err.find("JSON lines are of an events folder"), std::string::npos) << bodies.err;
}

TEST_F(EventsExport, ExamplesReadThem) {
    ASSERT_FALSE(exported("events.jsonl").empty());
    const std::string examples = std::string(LANEFOLD_TEST_DATA) + "/../../examples/events/";
    const auto path = [&](const char* name) { return folder(name).string(); };
    const Outcome made = test::run_program(
        "/usr/bin/env",
        {"python3", examples + "dust_and_sound.py", path("events.jsonl"), path("dust.csv"), path("sounds.csv")});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_EQ(made.out.find(std::to_string(events_.size()) + " events ("), 0U) << made.out;
    const std::string dust = read_bytes(folder("dust.csv"));
    const std::string sounds = read_bytes(folder("sounds.csv"));
    EXPECT_GT(occurrences(dust, "\r\n"), 12U) << dust;
    EXPECT_NE(sounds.find(",hit,0,0.0,"), std::string::npos) << sounds;  // the loudest
    EXPECT_NE(sounds.find("\"ball \"\"a\"\", red\""), std::string::npos) << sounds;
    // The script for Blender reads the same without Blender.
    const std::string code =
        "import sys; sys.path.insert(0, sys.argv[1]); import blender_events as b; d = b.columns("
        "sys.argv[2]); print(len(d['begin']), sorted(d), len(d['normal'][0]))";
    const Outcome read =
        test::run_program("/usr/bin/env", {"python3", "-B", "-c", code, examples, path("events.jsonl")});
    ASSERT_EQ(read.exit_code, 0) << read.err;
    EXPECT_EQ(read.out.find(std::to_string(events_.size()) + " ['begin', 'bodies', 'closing_speed'"), 0U) << read.out;
}

// The command that makes the picture and the page of docs/events.md, with fewer bodies.
TEST_F(EventsExport, AFallIsDrawnWithItsEvents) {
    std::ofstream(folder("template.html")) << "<html><!--DATA--></html>";
    const Outcome made =
        test::run_program("/usr/bin/env", {"LANEFOLD_PAGE=" + folder("template.html").string(), "bash",
                                           std::string(LANEFOLD_TEST_DATA) + "/../../examples/events/fall.sh",
                                           LANEFOLD_PROGRAM, folder("fall").string(), "40"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const std::size_t events = EventsFolder(folder("fall") / "events").read_events().size();
    EXPECT_GT(events, 60U);
    EXPECT_EQ(occurrences(read_bytes(folder("fall") / "events.svg"), "<circle "), events);
    EXPECT_NE(read_bytes(folder("fall") / "fall.html").find("\"event_time\""), std::string::npos);
    EXPECT_NE(made.out.find(std::to_string(events) + " of " + std::to_string(events) + " events begin in these frames"),
              std::string::npos)
        << made.out;
}

}  // namespace
}  // namespace lanefold::tools
