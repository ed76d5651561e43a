// SPDX-License-Identifier: MIT
//
// System calls that fail (tests/faults): each call of a bake and of a scene's replacement, one at a time, with EIO,
// ENOSPC, EINTR, EBADF or half of the bytes. The run must end with an error and exit code 2 or 3, or be right; there is
// no signal and no half file. A run without faults then goes on to the same bytes. So it does after SIGTERM or SIGKILL
// at any of these calls.

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "scene/io.hpp"
#include "support/sweep.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::TemporaryFolder;

Outcome run(const std::vector<std::string>& arguments, const std::string& fault, const fs::path& counts = {}) {
    test::RunOptions options;
    options.environment["LD_PRELOAD"] = LANEFOLD_FAULTS;
    if (!fault.empty()) options.environment["LANEFOLD_FAULT"] = fault;
    if (!counts.empty()) options.environment["LANEFOLD_FAULT_COUNT"] = counts.string();
    return test::run_program(LANEFOLD_PROGRAM, arguments, options);
}

std::map<std::string, long> count_calls(const std::vector<std::string>& arguments, const fs::path& counts) {
    EXPECT_EQ(run(arguments, "", counts).exit_code, 0);
    std::istringstream text(test::read_bytes(counts));
    std::map<std::string, long> calls;
    std::string name;
    for (long made = 0; text >> name >> made;) calls[name] = made;
    return calls;
}

// Numbers of calls that fail: the first ones, which open files, and some of the rest. LANEFOLD_LONG=1: eight of each.
std::vector<long> places(long made) {
    const long most = test::long_run() ? 8 : 2;
    std::vector<long> out;
    for (long i = 1; i <= std::min(made, most); ++i) out.push_back(i);
    for (long i = 1; i <= most && made > most; ++i) out.push_back(most + i * (made - most) / most);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::vector<std::string> kinds_of(const std::string& call) {
    const bool transfers = call == "read" || call == "pread" || call == "write" || call.starts_with("pwrite");
    std::vector<std::string> kinds{std::to_string(transfers ? EIO : ENOSPC)};
    if (test::long_run()) kinds.insert(kinds.end(), {std::to_string(transfers ? ENOSPC : EIO), std::to_string(EBADF)});
    if (transfers) kinds.emplace_back("short");
    if (transfers || call == "open") kinds.push_back(std::to_string(EINTR));
    return kinds;
}

// Files except hidden ones: a fault may leave those, and the next run removes them.
std::map<std::string, std::string> results_below(const fs::path& folder) {
    std::map<std::string, std::string> files = test::files_below(folder);
    std::erase_if(files, [](const auto& file) { return fs::path(file.first).filename().string().starts_with('.'); });
    return files;
}

struct Tally {
    int injected = 0;
    int survived = 0;  // runs that were right in spite of a fault
};

void expect_orderly(const Outcome& outcome, const std::string& fault, Tally& tally) {
    EXPECT_EQ(outcome.signal, 0) << fault;
    EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 2 || outcome.exit_code == 3)
        << fault << ": " << outcome.exit_code << " " << outcome.err;
    if (outcome.exit_code != 0 && !fault.starts_with("write:")) {
        EXPECT_NE(outcome.err.find("lanefold: "), std::string::npos) << fault << ": " << outcome.err;
    }
    ++tally.injected;
    tally.survived += outcome.exit_code == 0 ? 1 : 0;
}

void expect_no_temporaries(const fs::path& folder, const std::string& fault) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << fault << ": " << entry.path();
    }
}

// As LANEFOLD_FAULT names a fault.
std::string name_of(std::string call, long place, const std::string& kind) {
    return call.append(":").append(std::to_string(place)).append(":").append(kind);
}

// A bake of two frames of the stored pile, large enough to go past the kernel's cache: the files of an undisturbed run,
// and the system calls that it made.
class FaultyBake {
public:
    FaultyBake() {
        test::write_moving_scene(folder_ / "scene", 2, true, false, "boxes_pile");
        calls_ =
            count_calls({"collide", scene(), "-o", (folder_ / "whole").string(), "--threads", "1"}, folder_ / "counts");
        expected_ = test::files_below(folder_ / "whole");
        EXPECT_GT(calls_["pwritev"], 2) << "frames that are large enough";
    }

    fs::path contacts() const { return folder_ / "contacts"; }
    const std::map<std::string, long>& calls() const { return calls_; }
    const std::map<std::string, std::string>& expected() const { return expected_; }

    Outcome run_with(const std::string& fault) const {
        return run({"collide", scene(), "-o", contacts().string(), "--threads", "1"}, fault);
    }
    // The run after the fault makes what is missing, and nothing else is there. Removes the contacts.
    void expect_resumed(const std::string& fault) const {
        const Outcome resumed = run({"collide", scene(), "-o", contacts().string(), "--resume"}, "");
        EXPECT_EQ(resumed.exit_code, 0) << fault << ": " << resumed.err;
        EXPECT_EQ(test::files_below(contacts()), expected_) << fault;
        expect_no_temporaries(contacts(), fault);
        fs::remove_all(contacts());
    }

private:
    std::string scene() const { return (folder_ / "scene").string(); }

    TemporaryFolder folder_;
    std::map<std::string, long> calls_;
    std::map<std::string, std::string> expected_;
};

// Presets in a folder of their own, to be replaced: the files that must be there, whatever happens meanwhile.
class FaultyReplacement {
public:
    FaultyReplacement() {
        EXPECT_EQ(run(replace_, "").exit_code, 0);
        expected_ = test::files_below(scene_);
    }

    std::map<std::string, long> calls() const { return count_calls(replace_, folder_ / "counts"); }
    Outcome run_with(const std::string& fault) const { return run(replace_, fault); }
    void expect_whole(const std::string& fault) const { EXPECT_EQ(results_below(scene_), expected_) << fault; }
    // An undisturbed replacement leaves the scene and nothing beside it.
    void expect_replaceable() const {
        EXPECT_EQ(run(replace_, "").exit_code, 0);
        EXPECT_EQ(test::files_below(folder_ / "scenes").size(), expected_.size());
        expect_no_temporaries(folder_ / "scenes", "at the end");
    }

private:
    TemporaryFolder folder_;
    fs::path scene_ = folder_ / "scenes" / "scene";
    std::vector<std::string> replace_{"generate", "presets", scene_.string(), "--replace"};
    std::map<std::string, std::string> expected_;
};

TEST(Faults, OfABakeLeaveWholeFramesAndResumeGoesOn) {
    const FaultyBake bake;
    Tally tally;
    for (const auto& [call, made] : bake.calls()) {
        for (const std::string& kind : kinds_of(call)) {
            for (const long place : places(made)) {
                const std::string fault = name_of(call, place, kind);
                const Outcome outcome = bake.run_with(fault);
                expect_orderly(outcome, fault, tally);
                if (outcome.exit_code == 0) {
                    EXPECT_EQ(results_below(bake.contacts()), bake.expected()) << fault;
                }
                bake.expect_resumed(fault);
                if (testing::Test::HasFailure()) return;
            }
        }
    }
    std::printf("%d faults injected, %d runs were right all the same\n", tally.injected, tally.survived);
    EXPECT_GT(tally.injected, 40);
    EXPECT_GT(tally.survived, 5);
    EXPECT_LT(tally.survived, tally.injected);
}

TEST(Faults, OfAReplacementLeaveOneWholeScene) {
    const FaultyReplacement replacement;
    Tally tally;
    for (const auto& [call, made] : replacement.calls()) {
        for (const std::string& kind : kinds_of(call)) {
            for (const long place : places(made)) {
                const std::string fault = name_of(call, place, kind);
                expect_orderly(replacement.run_with(fault), fault, tally);
                replacement.expect_whole(fault);
                if (testing::Test::HasFailure()) return;
            }
        }
    }
    replacement.expect_replaceable();
    std::printf("%d faults injected, %d runs were right all the same\n", tally.injected, tally.survived);
    EXPECT_GT(tally.injected, 40);
}

// SIGTERM ends a bake with exit code 3, or at once before the program listens; SIGKILL always ends it at once.
void expect_stopped(const Outcome& outcome, int signal, const std::string& fault, Tally& tally) {
    EXPECT_TRUE(outcome.signal == 0 || outcome.signal == signal) << fault << ": " << outcome.signal;
    if (signal == SIGKILL) {
        EXPECT_EQ(outcome.signal, SIGKILL) << fault;
    } else if (outcome.signal == 0) {
        EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 3) << fault << ": " << outcome.err;
    }
    ++tally.injected;
    tally.survived += outcome.signal == 0 && outcome.exit_code == 0 ? 1 : 0;
}

TEST(Faults, SignalsAtSystemCallsOfABakeLeaveWholeFramesAndResumeGoesOn) {
    const FaultyBake bake;
    Tally tally;
    int handled = 0;
    for (const auto& [call, made] : bake.calls()) {
        for (const int signal : {SIGTERM, SIGKILL}) {
            for (const long place : places(made)) {
                const std::string fault = name_of(call, place, "signal" + std::to_string(signal));
                const Outcome outcome = bake.run_with(fault);
                expect_stopped(outcome, signal, fault, tally);
                handled += outcome.exit_code == 3 ? 1 : 0;
                if (fs::exists(bake.contacts())) {
                    for (const auto& [name, bytes] : results_below(bake.contacts())) {
                        if (name.starts_with("log")) continue;
                        EXPECT_EQ(bytes, bake.expected().at(name)) << fault << ": " << name;
                    }
                }
                bake.expect_resumed(fault);
                if (testing::Test::HasFailure()) return;
            }
        }
    }
    std::printf("%d signals, %d told by exit code 3, %d came too late\n", tally.injected, handled, tally.survived);
    EXPECT_GT(tally.injected, 30);
    EXPECT_GT(handled, 3);
}

TEST(Faults, KillsAtSystemCallsOfAReplacementLeaveOneWholeScene) {
    const FaultyReplacement replacement;
    Tally tally;
    for (const auto& [call, made] : replacement.calls()) {
        for (const long place : places(made)) {
            const std::string fault = name_of(call, place, "signal" + std::to_string(SIGKILL));
            expect_stopped(replacement.run_with(fault), SIGKILL, fault, tally);
            replacement.expect_whole(fault);
            if (testing::Test::HasFailure()) return;
        }
    }
    replacement.expect_replaceable();
    std::printf("%d kills\n", tally.injected);
    EXPECT_GT(tally.injected, 15);
}

TEST(Faults, ClockThatJumpsChangesNothing) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 3, true, false, "boxes_pile", 300);
    const std::string scene = (folder / "scene").string();
    const std::string steady = (folder / "steady").string();
    const std::string jumping = (folder / "jumping").string();
    ASSERT_EQ(run({"collide", scene, "-o", steady}, "").exit_code, 0);
    test::RunOptions options;
    options.environment["LD_PRELOAD"] = LANEFOLD_FAULTS;
    options.environment["LANEFOLD_CLOCK"] = "jumps";
    for (int i = 0; i < 2; ++i) {
        const Outcome outcome =
            test::run_program(LANEFOLD_PROGRAM, {"collide", scene, "-o", jumping, "--progress", "json"}, options);
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(outcome.err.find("\"seconds\":-"), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(test::files_below(jumping), test::files_below(steady));
    EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(jumping) / "log"), fs::directory_iterator()), 2);
}

// --sync decides when the disk is waited for, and nothing else does.
TEST(Faults, SyncIsDoneWhenItIsAskedFor) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 10, true, false, "boxes_pile", 300);
    std::map<std::string, long> syncs;
    for (const std::string sync : {"none", "frame", "end"}) {
        const std::vector<std::string> bake{
            "collide", (folder / "scene").string(), "-o", (folder / sync).string(), "--sync", sync};
        syncs[sync] = count_calls(bake, folder / "counts")["fsync"];
        // A disk that fails at the last moment is told, also when it is asked only at the end.
        const Outcome failed =
            run({"collide", (folder / "scene").string(), "-o", (folder / "again").string(), "--sync", sync},
                "fsync:" + std::to_string(std::max(1L, syncs[sync] - 4)) + ":5");
        fs::remove_all(folder / "again");
        EXPECT_EQ(failed.exit_code, 3) << sync << failed.err;
    }
    std::printf("fsync calls for 10 frames: none %ld, frame %ld, end %ld\n", syncs["none"], syncs["frame"],
                syncs["end"]);
    EXPECT_LE(syncs["none"], 4);    // contacts.json and the log
    EXPECT_GE(syncs["frame"], 40);  // records, summary, and the folder after each
    EXPECT_GE(syncs["end"], 20);
    EXPECT_LT(syncs["end"], syncs["frame"]);
}

}  // namespace
}  // namespace lanefold::tools
