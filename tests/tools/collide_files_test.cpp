// SPDX-License-Identifier: MIT
//
// The folders that `lanefold collide` writes: their bytes do not depend on threads, instruction sets, shards or
// interruptions; a killed run leaves whole frames and can be continued; other files are not touched.

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "support/tools/collide.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using test::collide;
using test::collide_json;
using test::files_below;
using test::Outcome;
using test::RunOptions;
using test::TemporaryFolder;

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

    // Without --resume frames are computed again, which is said, and have the same bytes.
    const Outcome again = collide(scene, {"-o", folder_of("ranges"), "--frames", "1:4"});
    ASSERT_EQ(again.exit_code, 0) << again.err;
    EXPECT_NE(again.out.find("3 were there and were computed again; --resume"), std::string::npos) << again.out;
    EXPECT_EQ(files_below(folder / "ranges"), expected);
}

TEST(Collide, SwappedFoldersAreNamed) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    const std::string contacts = (folder / "contacts").string();
    test::write_moving_scene(scene, 1);
    ASSERT_EQ(collide(scene, {"-o", contacts}).exit_code, 0);
    const Outcome outcome = collide(contacts, {"-o", scene});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("a contacts folder where a scene belongs"), std::string::npos) << outcome.err;
    const Outcome verified = test::run_program(LANEFOLD_PROGRAM, {"verify", scene, scene});
    EXPECT_EQ(verified.exit_code, 2);
    EXPECT_NE(verified.err.find("a scene where a contacts folder belongs"), std::string::npos) << verified.err;
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

// Frames whose summary is there. Several threads write, so frame 4 may be finished before frame 3.
std::size_t finished_frames(const fs::path& contacts) {
    std::size_t finished = 0;
    std::error_code error;
    for (fs::directory_iterator it(contacts, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with("frame_") && name.ends_with(".json")) ++finished;
    }
    return finished;
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
        for (int i = 0; i < 20000 && finished_frames(contacts) < 5; ++i) {
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

}  // namespace
}  // namespace lanefold::tools
