// SPDX-License-Identifier: MIT
//
// `lanefold collide` from outside: what it prints, that its files do not depend on threads, instruction
// sets, shards or interruptions, and that a killed run can be continued.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include <lanefold/isa.hpp>

#include "contacts_io.hpp"
#include "npy.hpp"
#include "support/program.hpp"
#include "tool_scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using test::files_below;
using test::Outcome;
using test::RunOptions;
using test::TemporaryFolder;

Outcome collide(const fs::path& scene, std::vector<std::string> options, const RunOptions& run = {}) {
    options.insert(options.begin(), {"collide", scene.string()});
    return test::run_program(LANEFOLD_PROGRAM, options, run);
}

// Runs with --json and parses the one line.
Json collide_json(const fs::path& scene, std::vector<std::string> options) {
    options.emplace_back("--json");
    const Outcome outcome = collide(scene, std::move(options));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
    return Json::parse(outcome.out, nullptr, false);
}

std::vector<std::string> keys_of(const Json& json) {
    std::vector<std::string> keys;
    for (const auto& item : json.items()) keys.push_back(item.key());
    return keys;
}

TEST(CollideJson, OneLineWithTheDocumentedKeys) {
    const Json json = collide_json(test::stored_scene("debris_pile"), {"--threads", "1", "--repeat", "3"});
    EXPECT_EQ(keys_of(json), (std::vector<std::string>{"pairs",
                                                       "touching",
                                                       "overlapping",
                                                       "points",
                                                       "frames",
                                                       "threads",
                                                       "isa",
                                                       "margin",
                                                       "face_preference",
                                                       "capacity",
                                                       "method",
                                                       "points_selected",
                                                       "seconds_total",
                                                       "seconds_collide",
                                                       "ns_per_pair",
                                                       "ns_per_pair_median",
                                                       "samples",
                                                       "hash",
                                                       "status",
                                                       "counters"}));
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
    EXPECT_EQ(
        counters["box_pairs"].get<int>() + counters["hull_pairs"].get<int>() + counters["precise_pairs"].get<int>(),
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

TEST(Collide, FilesDoNotDependOnThreadsIsaShardsOrResumption) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    test::write_moving_scene(scene, 7);
    const auto folder_of = [&](const std::string& name) { return (folder / name).string(); };
    ASSERT_EQ(collide(scene, {"-o", folder_of("plain"), "--threads", "1"}).exit_code, 0);
    const auto expected = files_below(folder / "plain");
    ASSERT_EQ(expected.size(), 15U);  // contacts.json, 7 x (.npy + .json)

    ASSERT_EQ(collide(scene, {"-o", folder_of("threads"), "--threads", "4", "--isa", "scalar"}).exit_code, 0);
    EXPECT_EQ(files_below(folder / "threads"), expected);

    for (const char* shard : {"2/3", "0/3", "1/3"}) {
        ASSERT_EQ(collide(scene, {"-o", folder_of("shards"), "--shard", shard}).exit_code, 0);
    }
    EXPECT_EQ(files_below(folder / "shards"), expected);

    ASSERT_EQ(collide(scene, {"-o", folder_of("ranges"), "--frames", "4:"}).exit_code, 0);
    ASSERT_EQ(collide(scene, {"-o", folder_of("ranges"), "--frames", ":2"}).exit_code, 0);
    ASSERT_EQ(files_below(folder / "ranges").size(), 11U);
    const Outcome rest = collide(scene, {"-o", folder_of("ranges"), "--resume"});
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_NE(rest.out.find("5 kept from before"), std::string::npos) << rest.out;
    EXPECT_EQ(files_below(folder / "ranges"), expected);

    // Again without --resume: computed again, the same bytes.
    ASSERT_EQ(collide(scene, {"-o", folder_of("ranges")}).exit_code, 0);
    EXPECT_EQ(files_below(folder / "ranges"), expected);
}

TEST(Collide, ResumedTotalsAreThoseOfOneRun) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 3);
    const std::string contacts = (folder / "contacts").string();
    collide_json(folder / "scene", {"-o", contacts, "--frames", "1"});
    const Json resumed = collide_json(folder / "scene", {"-o", contacts, "--resume"});
    const Json whole = collide_json(folder / "scene", {});
    for (const char* key : {"pairs", "touching", "overlapping", "points", "frames", "hash", "status"}) {
        EXPECT_EQ(resumed[key], whole[key]) << key;
    }
}

TEST(Collide, ResumeComputesDamagedAndOutdatedFramesAgain) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    test::write_moving_scene(scene, 4);
    const fs::path contacts = folder / "contacts";
    ASSERT_EQ(collide(scene, {"-o", contacts.string()}).exit_code, 0);
    const auto expected = files_below(contacts);
    // One bit of frame 1; frame 2 cut short; frame 3 without its summary.
    std::string bytes = test::read_bytes(contacts / "frame_000001.npy");
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    test::write_bytes(contacts / "frame_000001.npy", bytes);
    fs::resize_file(contacts / "frame_000002.npy", 1000);
    fs::remove(contacts / "frame_000003.json");
    const Outcome outcome = collide(scene, {"-o", contacts.string(), "--resume"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("1 kept from before"), std::string::npos) << outcome.out;
    EXPECT_EQ(files_below(contacts), expected);
}

TEST(Collide, KilledRunLeavesWholeFramesAndResumeContinues) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    constexpr std::uint64_t kFrames = 60;
    test::write_moving_scene(scene, kFrames);
    const fs::path contacts = folder / "contacts";
    ASSERT_EQ(collide(scene, {"-o", (folder / "plain").string()}).exit_code, 0);
    const auto expected = files_below(folder / "plain");

    RunOptions killed;
    killed.meanwhile = [&](pid_t program) {
        for (int i = 0; i < 20000 && !fs::exists(contacts / "frame_000004.json"); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ::kill(program, SIGKILL);
    };
    ASSERT_EQ(collide(scene, {"-o", contacts.string(), "--isa", "scalar", "--threads", "1"}, killed).signal, SIGKILL);

    std::uint64_t whole = 0;
    for (const auto& [name, bytes] : files_below(contacts)) {
        if (name.front() == '.') continue;  // the temporary file of the frame in progress
        ASSERT_EQ(expected.count(name), 1U) << name;
        EXPECT_EQ(expected.at(name), bytes) << name;
        ++whole;
    }
    ASSERT_GE(whole, 2U * 5U + 1U);
    ASSERT_LT(whole, expected.size()) << "the run ended before it could be killed";
    EXPECT_EQ(test::run_program(LANEFOLD_PROGRAM, {"info", contacts.string()}).exit_code, 0);

    const Outcome resumed = collide(scene, {"-o", contacts.string(), "--resume"});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_NE(resumed.out.find("kept from before"), std::string::npos);
    EXPECT_EQ(files_below(contacts), expected) << "also: temporary files must be gone";
}

TEST(Collide, InterruptedRunSaysHowToContinue) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 60);
    RunOptions interrupted;
    interrupted.meanwhile = [&](pid_t program) {
        for (int i = 0; i < 20000 && !fs::exists(folder / "contacts" / "frame_000001.json"); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ::kill(program, SIGTERM);
    };
    const Outcome outcome =
        collide(folder / "scene", {"-o", (folder / "contacts").string(), "--isa", "scalar"}, interrupted);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("--resume"), std::string::npos) << outcome.err;
    for (const auto& [name, bytes] : files_below(folder / "contacts")) EXPECT_NE(name.front(), '.') << name;
}

TEST(Collide, FullDiskIsAnErrorAndLeavesNoHalfFrame) {
    const TemporaryFolder folder;
    RunOptions limited;
    limited.max_file_bytes = 100'000;  // a frame of the pile needs about 700,000
    const Outcome outcome = collide(test::stored_scene("debris_pile"), {"-o", (folder / "contacts").string()}, limited);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("frame_000000.npy"), std::string::npos) << outcome.err;
    const auto files = files_below(folder / "contacts");
    EXPECT_EQ(files.size(), 1U);
    EXPECT_EQ(files.count("contacts.json"), 1U);
}

TEST(Collide, ContactsOfOtherSettingsOrScenesAreNotMixed) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "debris", 2);
    test::write_moving_scene(folder / "boxes", 2, true, false, "boxes_pile");
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(collide(folder / "debris", {"-o", contacts}).exit_code, 0);
    const auto before = files_below(contacts);
    for (const std::vector<std::string>& other :
         std::vector<std::vector<std::string>>{{"--capacity", "16"},
                                               {"--face-preference", "0"},
                                               {"--find-pairs"},
                                               {"--find-pairs", "--margin", "0.01"}}) {
        std::vector<std::string> options{"-o", contacts};
        options.insert(options.end(), other.begin(), other.end());
        const Outcome outcome = collide(folder / "debris", options);
        EXPECT_EQ(outcome.exit_code, 2) << other[0];
        EXPECT_NE(outcome.err.find("contacts.json"), std::string::npos) << outcome.err;
        // The first that differs, as it is in the file: "was made with capacity 4, not 16".
        EXPECT_NE(outcome.err.find("was made with "), std::string::npos) << outcome.err;
    }
    const Outcome boxes = collide(folder / "boxes", {"-o", contacts});
    EXPECT_EQ(boxes.exit_code, 2);
    EXPECT_NE(boxes.err.find("was made from another scene: "), std::string::npos) << boxes.err;
    EXPECT_EQ(files_below(contacts), before);
}

TEST(Collide, FolderOfSomethingElseIsNotTouched) {
    const TemporaryFolder folder;
    test::write_bytes(folder / "thesis.txt", "precious");
    const Outcome outcome = collide(test::stored_scene("debris_pile"), {"-o", folder.path().string()});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("thesis.txt"), std::string::npos) << outcome.err;
    EXPECT_EQ(files_below(folder.path()).size(), 1U);
}

TEST(Collide, MarginBeyondThatOfTheStoredPairsNeedsFindPairs) {
    // A scene that states its pairs' margin refuses a larger one; one that does not says what it cannot know.
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

// A sanitizer reserves terabytes of addresses and keeps freed memory: limits mean nothing there.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kMemoryIsMeasurable = false;
#else
constexpr bool kMemoryIsMeasurable = true;
#endif

TEST(Collide, SceneLargerThanTheMemoryLimitStreams) {
    if (!kMemoryIsMeasurable) GTEST_SKIP() << "memory cannot be limited under a sanitizer";
    // The pile in many frames: 87 MB of poses and pairs (LANEFOLD_LONG: 1.7 GB); one frame is 0.2 MB.
    const bool is_long = std::getenv("LANEFOLD_LONG") != nullptr;
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
    // --repeat would need all of it: refused at once instead of failing half way.
    const Outcome refused = collide(folder / "scene", {"--repeat", "1", "--threads", "1"}, limited);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_NE(refused.err.find("--frames"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace lanefold::tools
