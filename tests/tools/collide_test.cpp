// SPDX-License-Identifier: MIT
//
// The program `lanefold collide`: its output, its pairs and options, results that do not depend on form or instruction
// set, and bounded memory.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <lanefold/isa.hpp>

#include "support/sweep.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using test::collide;
using test::collide_json;
using test::kMemoryIsMeasurable;
using test::Outcome;
using test::RunOptions;
using test::TemporaryFolder;

std::vector<std::string> keys_of(const Json& json) {
    std::vector<std::string> keys;
    for (const auto& item : json.items()) keys.push_back(item.key());
    return keys;
}

TEST(CollideJson, OneLineWithTheDocumentedKeys) {
    const Json json = collide_json(test::stored_scene("debris_pile"), {"--threads", "1", "--repeat", "3"});
    EXPECT_EQ(
        keys_of(json),
        (std::vector<std::string>{
            "pairs",   "touching",      "overlapping",     "points",          "frames",       "threads",
            "isa",     "margin",        "face_preference", "capacity",        "method",       "points_selected",
            "band",    "feature_angle", "seconds_total",   "seconds_collide", "ns_per_pair",  "ns_per_pair_median",
            "samples", "stages",        "processor",       "record_bytes",    "stored_bytes", "hash",
            "status",  "counters"}));
    EXPECT_EQ(json["pairs"], 15539);
    EXPECT_EQ(json["frames"], 1);
    EXPECT_EQ(json["threads"], 1);
    EXPECT_EQ(json["margin"], 0.0);
    EXPECT_EQ(json["face_preference"], 0.005);
    EXPECT_EQ(json["capacity"], 4);
    EXPECT_EQ(json["status"]["ok"], 15539);
    EXPECT_EQ(json["hash"].get<std::string>().size(), 16U);
    ASSERT_EQ(json["samples"].size(), 3U);
    std::vector<double> samples = json["samples"];
    std::sort(samples.begin(), samples.end());
    EXPECT_GT(samples.front(), 0.0);
    EXPECT_EQ(json["ns_per_pair"], samples.front());
    EXPECT_EQ(json["ns_per_pair_median"], samples[1]);
    EXPECT_NEAR(json["seconds_collide"].get<double>(), samples.front() * 15539e-9, 1e-9);
    EXPECT_GE(json["seconds_total"].get<double>(), 3 * json["seconds_collide"].get<double>());
    const Json& counters = json["counters"];
    EXPECT_EQ(counters["box_pairs"].get<int>() + counters["hull_pairs"].get<int>() +
                  counters["floor_pairs"].get<int>() + counters["precise_pairs"].get<int>(),
              15539);
}

TEST(Collide, CountsAreThoseOfAnIndependentFloat64Count) {
    // 5,784 and 4,712 pairs overlap in float64; 46 and 54 of them are within 2e-6 of size of contact.
    const Json debris = collide_json(test::stored_scene("debris_pile"), {});
    EXPECT_NEAR(debris["overlapping"].get<double>(), 5784, 46);
    const Json boxes = collide_json(test::stored_scene("boxes_pile"), {});
    EXPECT_NEAR(boxes["overlapping"].get<double>(), 4712, 54);
}

TEST(Collide, EveryInstructionSetAndFormGivesTheSameHash) {
    for (const char* pile : {"debris_pile", "boxes_pile"}) {
        const TemporaryFolder folder;
        const fs::path scene = test::stored_scene(pile);
        const std::string hash = collide_json(scene, {"--threads", "1"})["hash"];
        EXPECT_EQ(collide_json(scene, {"-o", (folder / "contacts").string()})["hash"], hash) << pile;
        EXPECT_EQ(collide_json(scene, {"--repeat", "1"})["hash"], hash) << pile;
        for (const Isa isa : available_isas()) {
            const Json json = collide_json(scene, {"--isa", lanefold::to_string(isa)});
            EXPECT_EQ(json["isa"], lanefold::to_string(isa));
            EXPECT_EQ(json["hash"], hash) << pile << " " << lanefold::to_string(isa);
        }
    }
}

TEST(Collide, MarginBeyondThatOfTheStoredPairsNeedsFindPairs) {
    // A larger margin than that of the scene's pairs is refused. If the scene does not state it, a warning is printed.
    const TemporaryFolder folder;
    const fs::path stated = folder / "stated";
    fs::copy(test::stored_scene("debris_pile"), stated, fs::copy_options::recursive);
    std::ofstream(stated / "scene.json") << R"({"format":"lanefold-scene","version":1,"unit":"m","pairs_margin":0.01})";
    const Outcome refused = collide(stated, {"--margin", "0.02"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("--find-pairs"), std::string::npos) << refused.err;
    const fs::path scene = test::stored_scene("debris_pile");
    const Outcome told = collide(scene, {"--margin", "0.02"});
    EXPECT_EQ(told.exit_code, 0);
    EXPECT_NE(told.err.find("--find-pairs"), std::string::npos) << told.err;
    const Json found = collide_json(scene, {"--margin", "0.02", "--find-pairs"});
    const Json stored = collide_json(scene, {});
    EXPECT_GT(found["touching"], stored["touching"]);
    EXPECT_GT(found["touching"], found["overlapping"]);
}

TEST(Collide, SceneWithoutPairsGetsTheSameContacts) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "with", 2);
    test::write_moving_scene(folder / "without", 2, false);
    const Json with = collide_json(folder / "with", {"--find-pairs"});
    const Json without = collide_json(folder / "without", {});
    EXPECT_EQ(with["hash"], without["hash"]);
    EXPECT_EQ(with["pairs"], without["pairs"]);
    EXPECT_GT(without["touching"], 0);
}

TEST(Collide, DoublePositionsGiveTheSameContacts) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "single", 2);
    test::write_moving_scene(folder / "double", 2, true, true);
    EXPECT_EQ(collide_json(folder / "single", {})["hash"], collide_json(folder / "double", {})["hash"]);
}

TEST(Collide, CapacitySixteenKeepsMorePoints) {
    const TemporaryFolder folder;
    const fs::path scene = test::stored_scene("boxes_pile");
    const Json four = collide_json(scene, {});
    const Json sixteen = collide_json(scene, {"--capacity", "16", "-o", (folder / "contacts").string()});
    EXPECT_GT(sixteen["points"], four["points"]);
    EXPECT_EQ(sixteen["touching"], four["touching"]);
    EXPECT_EQ(fs::file_size(folder / "contacts" / "frame_000000.npy") % 64, 0U);
    EXPECT_EQ(test::run_program(LANEFOLD_PROGRAM, {"info", (folder / "contacts").string()}).exit_code, 0);
}

TEST(Collide, WrongOptionsAreRefusedWithWhatIsRight) {
    const fs::path scene = test::stored_scene("debris_pile");
    struct Case {
        std::vector<std::string> options;
        const char* said;
    };
    const Case cases[] = {{{"--isa", "mmx"}, "scalar"},
                          {{"--isa", "neon"}, "scalar"},
                          {{"--frames", "1:2"}, "1 frame"},
                          {{"--frames", "0:0"}, "no frame"},
                          {{"--frames", "x:2"}, "'x'"},
                          {{"--shard", "3/3"}, "below"},
                          {{"--shard", "3"}, "i/n"},
                          {{"--capacity", "5"}, "4 or 16"},
                          {{"--margin", "-1"}, "--margin"},
                          {{"--margin", "nan"}, "--margin"},
                          {{"--progress", "loud"}, "none"},
                          {{"--resume"}, "-o"},
                          {{"--face-preference", "-1"}, ">= 0"}};
    for (const Case& c : cases) {
        const Outcome outcome = collide(scene, c.options);
        EXPECT_EQ(outcome.exit_code, 2) << c.options[0] << outcome.err;
        EXPECT_NE(outcome.err.find(c.said), std::string::npos) << outcome.err;
        EXPECT_TRUE(outcome.out.empty());
    }
    RunOptions environment;
    environment.environment["LANEFOLD_ISA"] = "quantum";
    const Outcome outcome = collide(scene, {}, environment);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("scalar"), std::string::npos) << outcome.err;
}

TEST(Collide, ProgressLinesAreJson) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 3);
    const Outcome outcome = collide(folder / "scene", {"--progress", "json"});
    std::istringstream lines(outcome.err);
    std::uint64_t count = 0;
    for (std::string line; std::getline(lines, line);) {
        const Json json = Json::parse(line, nullptr, false);
        ASSERT_TRUE(json.is_object()) << line;
        EXPECT_EQ(json["done"], ++count);
        EXPECT_EQ(json["total"], 3);
        EXPECT_TRUE(json.contains("seconds_left") && json.contains("pairs_per_second") && json.contains("touching"));
    }
    EXPECT_EQ(count, 3U);
    EXPECT_TRUE(collide(folder / "scene", {}).err.empty()) << "a bar, although this is no terminal";
}

TEST(Collide, SceneLargerThanTheMemoryLimitStreams) {
    if (!kMemoryIsMeasurable) GTEST_SKIP() << "memory cannot be limited under a sanitizer";
    // The pile in many frames: 87 MB of poses and pairs (LANEFOLD_LONG: 1.7 GB); one frame is 0.2 MB.
    const bool is_long = test::long_run();
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", is_long ? 9600 : 480);
    std::uint64_t bytes = 0;
    for (const char* name : {"position.npy", "orientation.npy", "pairs.npy"}) {
        bytes += fs::file_size(folder / "scene" / name);
    }
    const Outcome small = collide(test::stored_scene("debris_pile"), {"--threads", "1"});
    ASSERT_EQ(small.exit_code, 0) << small.err;
    RunOptions limited;
    limited.max_address_bytes = std::uint64_t{220} << 20U;  // more than the program alone needs
    const Outcome large = collide(folder / "scene", {"--threads", "1"}, limited);
    ASSERT_EQ(large.exit_code, 0) << large.err;
    EXPECT_LT(large.max_resident_bytes, small.max_resident_bytes + bytes / 16);
    EXPECT_LT(large.max_resident_bytes, bytes);
    std::printf("scene %.0f MB, peak memory %.0f MB, of a single frame %.0f MB\n", static_cast<double>(bytes) / 1e6,
                static_cast<double>(large.max_resident_bytes) / 1e6,
                static_cast<double>(small.max_resident_bytes) / 1e6);
    // --repeat would need all of it in memory, so it is refused before it starts.
    const Outcome refused = collide(folder / "scene", {"--repeat", "1", "--threads", "1"}, limited);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_NE(refused.err.find("--frames"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace lanefold::tools
