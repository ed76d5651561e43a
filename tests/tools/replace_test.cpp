// SPDX-License-Identifier: MIT
//
// Runs that are killed at any moment: a scene that is being replaced exists and is whole at every moment, and the next
// run removes the files of killed runs. LANEFOLD_KILLS=N kills N times (`./dev kill`: 200).

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "console/failure.hpp"
#include "files/staged_folder.hpp"
#include "scene/io.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

int kills() { return test::kills(20); }

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
    return names;
}

// Expects that every array exists and belongs to one scene.
void expect_whole(const fs::path& scene) {
    ASSERT_NO_THROW({
        const Scene read(scene);
        SceneFrame frame;
        for (std::uint64_t i = 0; i < read.frames(); ++i) read.read_frame(i, frame);
        EXPECT_FALSE(read.build_hulls(1).empty());
    });
}

// Kills the program after a random part of its usual time. True if it had not ended yet. A run that ends
// before its kill shortens `seconds`: the first one may have been measured while the machine was busy.
bool run_and_kill(const std::vector<std::string>& arguments, double& seconds, std::mt19937_64& random) {
    test::RunOptions options;
    options.meanwhile = [&](pid_t child) {
        const double share = std::uniform_real_distribution<double>(0, 1.1)(random);
        std::this_thread::sleep_for(std::chrono::duration<double>(share * seconds));
        ::kill(child, SIGKILL);
    };
    if (test::run_program(LANEFOLD_PROGRAM, arguments, options).signal == SIGKILL) return true;
    seconds *= 0.8;
    return false;
}

double seconds_of(const std::vector<std::string>& arguments) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(program(arguments).exit_code, 0);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Kill, ReplacedScenesAreWholeAtEveryMoment) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    const std::vector<std::string> replace{"generate", "presets", scene.string(), "--replace"};
    ASSERT_EQ(program(replace).exit_code, 0);
    double seconds = seconds_of(replace);
    std::mt19937_64 random(2026);
    int hit = 0;
    for (int i = 0; i < kills(); ++i) {
        hit += run_and_kill(replace, seconds, random) ? 1 : 0;
        expect_whole(scene);
        if (testing::Test::HasFatalFailure()) return;
    }
    std::printf("%d runs, %d killed, %.3f s each\n", kills(), hit, seconds);
    EXPECT_GT(hit, kills() / 4);
    ASSERT_EQ(program(replace).exit_code, 0);
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"scene"});
    for (const std::string& name : names_in(scene)) EXPECT_FALSE(name.starts_with('.')) << name;
}

// Contacts: after a kill at any moment --resume gives the bytes of an undisturbed run.
TEST(Kill, ContactsAreResumedToTheSameBytes) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 12, true, false, "boxes_pile", 3000);
    const std::string scene = (folder / "scene").string();
    const std::string whole = (folder / "whole").string();
    double seconds = seconds_of({"collide", scene, "-o", whole});
    const std::string contacts = (folder / "contacts").string();
    std::mt19937_64 random(2027);
    int hit = 0;
    for (int i = 0; i < kills(); ++i) {
        hit += run_and_kill({"collide", scene, "-o", contacts, "--resume"}, seconds, random) ? 1 : 0;
        if (i % 5 == 4) fs::remove_all(contacts);
    }
    EXPECT_GT(hit, kills() / 4);
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--resume"}).exit_code, 0);
    EXPECT_EQ(test::files_below(contacts), test::files_below(whole));
    for (const std::string& name : names_in(fs::path(contacts) / "log")) EXPECT_FALSE(name.starts_with('.')) << name;
}

// A reader always finds a whole scene while another process replaces it.
TEST(Replace, ReadersAlwaysFindAScene) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    ASSERT_EQ(program({"generate", "presets", scene.string()}).exit_code, 0);
    std::atomic<bool> done{false};
    std::uint64_t looks = 0;
    std::uint64_t missing = 0;
    std::thread reader([&] {
        while (!done) {
            ++looks;
            missing += fs::exists(scene / "scene.json") ? 0U : 1U;
        }
    });
    for (int i = 0; i < 20; ++i) {
        StagedFolder staged(scene, true);
        for (const auto& entry : fs::directory_iterator(scene)) fs::copy(entry.path(), staged.path());
        staged.commit();
    }
    done = true;
    reader.join();
    EXPECT_EQ(missing, 0U) << "of " << looks << " looks";
    EXPECT_GT(looks, 100U);
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"scene"});
}

TEST(Replace, LeftoversOfKilledRunsAreRemovedAndNothingElse) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    ASSERT_EQ(program({"generate", "presets", scene.string()}).exit_code, 0);
    fs::create_directory(folder / ".scene.0123456789abcdef.new.tmp");
    test::write_bytes(folder / ".scene.0123456789abcdef.new.tmp" / "position.npy", "half");
    fs::create_directory(folder / ".scene.2.0123456789abcdef.new.tmp");  // of the scene "scene.2"
    fs::create_directory(folder / ".scene.notes.tmp");
    test::write_bytes(scene / ".position.npy.0123456789abcdef.tmp", "half");
    // An old scene with a hidden name, from a run that was killed before it published the new one.
    fs::create_directory(folder / "other");
    fs::copy(scene, folder / ".lost.0123456789abcdef.old.tmp");
    ASSERT_EQ(program({"generate", "presets", scene.string(), "--replace"}).exit_code, 0);
    EXPECT_FALSE(fs::exists(folder / ".scene.0123456789abcdef.new.tmp"));
    EXPECT_TRUE(fs::exists(folder / ".scene.2.0123456789abcdef.new.tmp"));
    EXPECT_TRUE(fs::exists(folder / ".scene.notes.tmp"));
    EXPECT_TRUE(fs::exists(folder / ".lost.0123456789abcdef.old.tmp"));
    const Outcome refused = program({"generate", "presets", (folder / "lost").string()});
    EXPECT_EQ(refused.exit_code, 2);  // it is there again
    expect_whole(folder / "lost");
    // A picture that was killed.
    const fs::path picture = folder / "p.svg";
    test::write_bytes(folder / ".p.svg.0123456789abcdef.tmp", "half");
    test::write_bytes(folder / ".q.svg.0123456789abcdef.tmp", "half");
    ASSERT_EQ(program({"picture", scene.string(), "-o", picture.string()}).exit_code, 0);
    EXPECT_FALSE(fs::exists(folder / ".p.svg.0123456789abcdef.tmp"));
    EXPECT_TRUE(fs::exists(folder / ".q.svg.0123456789abcdef.tmp"));
}

// Two processes that found the place empty: the second one does not take the scene of the first away.
TEST(Replace, WithoutItASceneThatCameMeanwhileStays) {
    const TemporaryFolder folder;
    const fs::path target = folder / "scene";
    fs::create_directory(target);  // an empty folder may be there
    StagedFolder first(target, false);
    StagedFolder second(target, false);
    test::write_bytes(first.path() / "scene.json", "first");
    test::write_bytes(second.path() / "scene.json", "second");
    EXPECT_NO_THROW(first.commit());
    EXPECT_THROW(second.commit(), Failure);
    EXPECT_EQ(test::read_bytes(target / "scene.json"), "first");
}

TEST(Replace, ALinkToASceneStays) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    ASSERT_EQ(program({"generate", "presets", scene.string()}).exit_code, 0);
    fs::create_directory_symlink("scene", folder / "link");
    ASSERT_EQ(program({"generate", "boxes", (folder / "link").string(), "--replace", "--bodies", "3", "--frames", "1",
                       "--seconds", "0.1"})
                  .exit_code,
              0);
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(Scene(scene).bodies(), 8U);
}

}  // namespace
}  // namespace lanefold::tools
