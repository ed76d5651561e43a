// SPDX-License-Identifier: MIT
//
// Bakes as farms have them: shards, killed at any moment, on full disks, started twice by mistake, from scenes that
// change meanwhile. At every moment each frame that is there is whole, and in the end the folder is that of one
// undisturbed run.
// LANEFOLD_KILLS=N: a bake of 1,000 frames is killed N times (`./dev kill`: 200).

#include <gtest/gtest.h>

#include <sys/mount.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "console/failure.hpp"
#include "contacts/completeness.hpp"
#include "files/atomic_file.hpp"
#include "support/tools/bake_killer.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::BakeKiller;
using test::check;
using test::collide;
using test::files_below;
using test::Outcome;
using test::pause_milliseconds;
using test::program;
using test::RunOptions;
using test::TemporaryFolder;

int kills() { return test::kills(12); }

// Without what killed runs leave.
std::map<std::string, std::string> results_below(const fs::path& folder) {
    std::map<std::string, std::string> files = files_below(folder);
    std::erase_if(files, [](const auto& file) { return file.first.starts_with('.'); });
    return files;
}

void write_long_scene(const fs::path& folder) {
    test::write_moving_scene(folder, kills() >= 200 ? 1000 : 60, true, false, "debris_pile", 2500);
}

void expect_killed_bake_to_be_whole(const std::vector<std::string>& options) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    write_long_scene(scene);
    const auto bake = [&](const std::string& contacts, const std::string& how) {
        std::vector<std::string> all{"-o", (folder / contacts).string(), how};
        all.insert(all.end(), options.begin(), options.end());
        return collide(scene, all).exit_code;
    };
    ASSERT_EQ(bake("whole", "--sync=none"), 0);
    std::shared_mutex removing;
    EXPECT_EQ(BakeKiller(scene, folder / "contacts", "", options, removing).kill(kills(), 7), kills());
    ASSERT_EQ(bake("contacts", "--resume"), 0);
    EXPECT_TRUE(files_below(folder / "contacts") == files_below(folder / "whole"));
}

TEST(Farm, KilledBakeEndsInTheSameBytes) { expect_killed_bake_to_be_whole({}); }

TEST(Farm, KilledBakeThatFindsItsPairsEndsInTheSameBytes) { expect_killed_bake_to_be_whole({"--find-pairs"}); }

TEST(Farm, ShardsKilledSideBySideEndInTheSameBytes) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    write_long_scene(scene);
    ASSERT_EQ(collide(scene, {"-o", (folder / "whole").string(), "--sync", "none", "--compress", "fast"}).exit_code, 0);
    const fs::path contacts = folder / "contacts";
    const std::vector<std::string> shards{"0/3", "1/3", "2/3"};
    const int each = kills() / 3;
    std::shared_mutex removing;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        threads.emplace_back([&, i] {
            BakeKiller killer(scene, contacts, shards[i], {"--compress", "fast"}, removing);
            EXPECT_EQ(killer.kill(each, 40 + i), each) << shards[i];
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const char* shard : {"2/3", "0/3", "1/3"}) {
        ASSERT_EQ(
            collide(scene, {"-o", contacts.string(), "--resume", "--shard", shard, "--compress", "fast"}).exit_code, 0);
    }
    // Removes what the last ones left.
    ASSERT_EQ(collide(scene, {"-o", contacts.string(), "--resume", "--compress", "fast"}).exit_code, 0);
    EXPECT_TRUE(files_below(contacts) == files_below(folder / "whole"));
    EXPECT_EQ(program({"info", contacts.string(), "--check", "--complete"}).exit_code, 0);
}

// Somebody starts the same bake twice. Neither takes anything from the other, also when one of them is killed.
TEST(Farm, TwoBakesOnOneFolderAreOne) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    test::write_moving_scene(scene, 30, true, false, "debris_pile", 2500);
    ASSERT_EQ(collide(scene, {"-o", (folder / "whole").string()}).exit_code, 0);
    const fs::path contacts = folder / "contacts";
    Outcome first;
    Outcome second;
    std::thread other([&] { first = collide(scene, {"-o", contacts.string()}); });
    second = collide(scene, {"-o", contacts.string()});
    other.join();
    EXPECT_EQ(first.exit_code, 0) << first.err;
    EXPECT_EQ(second.exit_code, 0) << second.err;
    EXPECT_TRUE(files_below(contacts) == files_below(folder / "whole"));
    // A second run over finished frames is killed: every frame stays.
    RunOptions killed;
    killed.meanwhile = [](pid_t child) {
        pause_milliseconds(60);
        ::kill(child, SIGKILL);
    };
    collide(scene, {"-o", contacts.string(), "--threads", "1", "--isa", "scalar"}, killed);
    EXPECT_TRUE(results_below(contacts) == files_below(folder / "whole"));
}

// Several processes begin at once: each removes what killed ones left, while the others create their files.
TEST(Farm, WhoCleansUpTakesNothingFromWhoWrites) {
    const TemporaryFolder folder;
    std::atomic<bool> done = false;
    std::atomic<int> failed = 0;
    const auto clean = [&] {
        while (!done) remove_stale_temporaries(folder.path());
    };
    const auto write = [&](const std::string& name) {
        for (int i = 0; i < 3000; ++i) {
            try {
                AtomicFile file(folder / name);
                file.write("text");
                file.commit(Durability::written);
            } catch (const Failure&) {
                ++failed;
            }
        }
    };
    std::thread first_cleaner(clean);
    std::thread second_cleaner(clean);
    std::thread writer([&] { write("a"); });
    write("b");
    writer.join();
    done = true;
    first_cleaner.join();
    second_cleaner.join();
    EXPECT_EQ(failed, 0);
    EXPECT_EQ(files_below(folder.path()).size(), 2U);
}

// If we may mount: a disk that is full, and then has room again.
TEST(Farm, FullDiskLosesNothing) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    test::write_moving_scene(scene, 30, true, false, "debris_pile", 2500);
    ASSERT_EQ(collide(scene, {"-o", (folder / "whole").string()}).exit_code, 0);
    const fs::path disk = folder / "disk";
    fs::create_directory(disk);
    if (::mount("none", disk.c_str(), "tmpfs", 0, "size=1m") != 0) GTEST_SKIP() << "may not mount a small disk";
    const std::string contacts = (disk / "contacts").string();
    const Outcome full = collide(scene, {"-o", contacts});
    EXPECT_EQ(full.exit_code, 3);
    EXPECT_NE(full.err.find("No space left"), std::string::npos) << full.err;
    EXPECT_NE(full.err.find("--resume"), std::string::npos) << full.err;
    const FolderCheck then = check(contacts);
    EXPECT_TRUE(then.damaged.empty());
    EXPECT_GT(then.whole, 1U);
    EXPECT_LT(then.whole, 29U);
    // Still full: the same again, and still nothing is lost.
    EXPECT_EQ(collide(scene, {"-o", contacts, "--resume"}).exit_code, 3);
    EXPECT_GE(check(contacts).whole, then.whole);
    EXPECT_EQ(::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0);
    const Outcome returned = collide(scene, {"-o", contacts, "--resume"});
    EXPECT_EQ(returned.exit_code, 0) << returned.err;
    EXPECT_NE(returned.out.find("kept from before"), std::string::npos);
    EXPECT_TRUE(files_below(contacts) == files_below(folder / "whole"));
    EXPECT_EQ(::umount(disk.c_str()), 0);
}

// Does something to the scene when a bake has some frames, and says how the bake ended.
Outcome disturb(const fs::path& scene, const fs::path& contacts, const std::function<void()>& what) {
    RunOptions disturbed;
    disturbed.meanwhile = [&](pid_t) {
        for (int i = 0; i < 20000 && !fs::exists(contacts / "frame_000003.json"); ++i) pause_milliseconds(1);
        what();
    };
    return collide(scene, {"-o", contacts.string(), "--threads", "1", "--isa", "scalar"}, disturbed);
}

TEST(Farm, SceneCutShortMeanwhileIsToldAndTheRestIsMadeLater) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    test::write_moving_scene(scene, 80);
    ASSERT_EQ(collide(scene, {"-o", (folder / "whole").string(), "--sync", "none"}).exit_code, 0);
    const std::string poses = test::read_bytes(scene / "position.npy");
    const fs::path contacts = folder / "contacts";
    const Outcome cut = disturb(scene, contacts, [&] { fs::resize_file(scene / "position.npy", poses.size() / 2); });
    EXPECT_EQ(cut.exit_code, 3) << cut.err;
    EXPECT_NE(cut.err.find("position.npy"), std::string::npos) << cut.err;
    EXPECT_NE(cut.err.find("not so when this run began"), std::string::npos) << cut.err;
    EXPECT_TRUE(check(contacts).damaged.empty());
    EXPECT_EQ(collide(scene, {"-o", contacts.string(), "--resume"}).exit_code, 2) << "found before anything is written";
    test::write_bytes(scene / "position.npy", poses);
    ASSERT_EQ(collide(scene, {"-o", contacts.string(), "--resume"}).exit_code, 0);
    EXPECT_TRUE(files_below(contacts) == files_below(folder / "whole"));
}

TEST(Farm, SceneReplacedMeanwhileIsReadToItsEndAndItsFramesAreMadeAgain) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    test::write_moving_scene(scene, 80);
    test::write_moving_scene(folder / "next", 80, true, false, "debris_pile", 3000);
    ASSERT_EQ(collide(scene, {"-o", (folder / "whole").string(), "--sync", "none"}).exit_code, 0);
    ASSERT_EQ(collide(folder / "next", {"-o", (folder / "whole_next").string(), "--sync", "none"}).exit_code, 0);
    const fs::path contacts = folder / "contacts";
    const Outcome replaced = disturb(scene, contacts, [&] {
        fs::rename(scene, folder / "old");
        fs::rename(folder / "next", scene);
    });
    EXPECT_EQ(replaced.exit_code, 0) << replaced.err;
    EXPECT_TRUE(files_below(contacts) == files_below(folder / "whole")) << "of the scene that it began with";
    const Outcome resumed = collide(scene, {"-o", contacts.string(), "--resume"});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_TRUE(files_below(contacts) == files_below(folder / "whole_next")) << "frames of other pairs are not kept";
}

// Files that a bake has opened stay readable for it when they are removed, or their permissions are. A disk that fails
// while it reads is in Faults.OfABakeLeaveWholeFramesAndResumeGoesOn.
TEST(Farm, SceneTakenAwayMeanwhileIsReadToItsEnd) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    test::write_moving_scene(scene, 80);
    ASSERT_EQ(collide(scene, {"-o", (folder / "whole").string(), "--sync", "none"}).exit_code, 0);
    const auto whole = files_below(folder / "whole");
    const fs::path kept = folder / "kept";
    fs::copy(scene, kept);
    const fs::path contacts = folder / "contacts";
    const Outcome taken = disturb(scene, contacts, [&] {
        for (const auto& entry : fs::directory_iterator(scene)) fs::permissions(entry.path(), fs::perms::none);
        fs::remove_all(scene);
    });
    EXPECT_EQ(taken.exit_code, 0) << taken.err;
    EXPECT_TRUE(files_below(contacts) == whole);
    const Outcome without = collide(scene, {"-o", contacts.string(), "--resume"});
    EXPECT_EQ(without.exit_code, 2);
    EXPECT_NE(without.err.find("scene.json"), std::string::npos) << without.err;
    EXPECT_TRUE(files_below(contacts) == whole) << "nothing was written";
    fs::rename(kept, scene);
    const Outcome again = collide(scene, {"-o", contacts.string(), "--resume"});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_NE(again.out.find("80 (80 kept from before)"), std::string::npos) << again.out;
}

// The second signal does not wait for what is being written.
TEST(Farm, SecondSignalEndsWithCodeThreeAndWholeFramesToo) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 60);
    ASSERT_EQ(collide(folder / "scene", {"-o", (folder / "whole").string(), "--sync", "none"}).exit_code, 0);
    const fs::path contacts = folder / "contacts";
    RunOptions stopped;
    stopped.meanwhile = [&](pid_t child) {
        for (int i = 0; i < 20000 && !fs::exists(contacts / "frame_000002.json"); ++i) pause_milliseconds(1);
        ::kill(child, SIGTERM);
        ::kill(child, SIGINT);
    };
    const Outcome outcome =
        collide(folder / "scene", {"-o", contacts.string(), "--threads", "1", "--isa", "scalar"}, stopped);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_TRUE(check(contacts).damaged.empty());
    ASSERT_EQ(collide(folder / "scene", {"-o", contacts.string(), "--resume"}).exit_code, 0);
    EXPECT_TRUE(files_below(contacts) == files_below(folder / "whole"));
}

TEST(Farm, SignalsEndWithCodeThreeAndWholeFrames) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 60);
    ASSERT_EQ(collide(folder / "scene", {"-o", (folder / "whole").string(), "--sync", "none"}).exit_code, 0);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        const fs::path contacts = folder / ("contacts" + std::to_string(signal));
        const Outcome outcome = [&] {
            RunOptions stopped;
            stopped.meanwhile = [&](pid_t child) {
                for (int i = 0; i < 20000 && !fs::exists(contacts / "frame_000002.json"); ++i) pause_milliseconds(1);
                ::kill(child, signal);
            };
            return collide(folder / "scene", {"-o", contacts.string(), "--threads", "1", "--isa", "scalar"}, stopped);
        }();
        EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
        EXPECT_NE(outcome.err.find("interrupted after "), std::string::npos) << outcome.err;
        const FolderCheck then = check(contacts);
        EXPECT_TRUE(then.damaged.empty());
        EXPECT_GT(then.whole, 2U);
        for (const auto& [name, bytes] : files_below(contacts)) EXPECT_FALSE(name.starts_with('.')) << name;
        ASSERT_EQ(collide(folder / "scene", {"-o", contacts.string(), "--resume"}).exit_code, 0);
        EXPECT_TRUE(files_below(contacts) == files_below(folder / "whole"));
    }
}

}  // namespace
}  // namespace lanefold::tools
