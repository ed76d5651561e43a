// SPDX-License-Identifier: MIT
//
// Shards of equal cost, and what is put together from them: `lanefold merge`, and the frames that are missing with the
// command that makes them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "bake/cost.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::collide;
using test::files_below;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

// A pile that grows: frame i of n has i / n of the pairs.
void write_growing_scene(const fs::path& folder, std::size_t frames) {
    const Scene pile(test::stored_scene("debris_pile"));
    SceneFrame frame;
    pile.read_frame(0, frame);
    SceneWriter writer(folder, test::contents_of(pile));
    const std::span<const Pair> pairs = frame.pairs;
    for (std::size_t i = 0; i < frames; ++i) {
        writer.add_frame(std::span<const float>(frame.position), frame.orientation,
                         pairs.first(pairs.size() * i * i / (frames * frames)));
    }
    writer.commit();
}

TEST(Shards, HaveEveryFrameOnceAndEqualCost) {
    const TemporaryFolder folder;
    constexpr std::size_t kFrames = 200;
    write_growing_scene(folder / "scene", kFrames);
    const Scene scene(folder / "scene");
    const HullSet hulls = scene.build_hulls(1);
    for (const std::uint64_t shards : {2U, 7U, 16U}) {
        std::vector<std::uint64_t> all;
        std::uint64_t most = 0;
        std::uint64_t most_by_count = 0;
        for (std::uint64_t i = 0; i < shards; ++i) {
            FrameRange range;
            range.parse_shard(std::to_string(i) + "/" + std::to_string(shards));
            const auto frames = choose_frames(range, scene, hulls, ContactsSettings{}, 1);
            std::uint64_t pairs = 0;
            for (const std::uint64_t frame : frames) pairs += scene.pairs_in_frame(frame);
            most = std::max(most, pairs);
            std::uint64_t by_count = 0;
            for (std::uint64_t f = kFrames * i / shards; f < kFrames * (i + 1) / shards; ++f) {
                by_count += scene.pairs_in_frame(f);
            }
            most_by_count = std::max(most_by_count, by_count);
            all.insert(all.end(), frames.begin(), frames.end());
        }
        std::vector<std::uint64_t> expected(kFrames);
        std::iota(expected.begin(), expected.end(), std::uint64_t{0});
        EXPECT_EQ(all, expected);
        const double mean = static_cast<double>(scene.pairs_in_all_frames()) / static_cast<double>(shards);
        std::printf("%2d shards: the largest has %.3f of the mean's pairs, cut by count it would have %.3f\n",
                    static_cast<int>(shards), static_cast<double>(most) / mean,
                    static_cast<double>(most_by_count) / mean);
        // Frames are not cut: the last one is the largest.
        const auto frame = static_cast<double>(scene.pairs_in_frame(kFrames - 1));
        EXPECT_LT(static_cast<double>(most), 1.06 * mean + frame);
        EXPECT_GT(static_cast<double>(most_by_count), 1.7 * mean) << "the scene is uneven";
    }
}

TEST(Shards, OfFoundPairsHaveEveryFrameOnce) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 11, false);
    const fs::path contacts = folder / "contacts";
    ASSERT_EQ(collide(folder / "scene", {"-o", (folder / "whole").string()}).exit_code, 0);
    for (const char* shard : {"3/4", "0/4", "2/4", "0/4", "1/4"}) {
        ASSERT_EQ(collide(folder / "scene", {"-o", contacts.string(), "--shard", shard}).exit_code, 0);
    }
    EXPECT_EQ(files_below(contacts), files_below(folder / "whole"));
    const Outcome none = collide(folder / "scene", {"-o", contacts.string(), "--shard", "40/100"});
    EXPECT_EQ(none.exit_code, 0);
    EXPECT_NE(none.out.find("no frame falls to shard 40/100"), std::string::npos) << none.out;
}

// The words after "made by: lanefold", with the scene in the place of SCENE.
std::vector<std::string> command_in(const std::string& text, const std::string& scene) {
    const std::string_view before = "made by: lanefold ";
    const std::size_t at = text.find(before);
    if (at == std::string::npos) return {};
    std::istringstream line(text.substr(at + before.size(), text.find('\n', at) - at - before.size()));
    std::vector<std::string> words;
    for (std::string word; line >> word;) words.push_back(word == "SCENE" ? scene : word);
    return words;
}

TEST(Merge, PutsFoldersTogetherAndSaysWhatIsMissingAndHowItIsMade) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 12);
    const std::string scene = (folder / "scene").string();
    const auto path = [&](const char* name) { return (folder / name).string(); };
    const std::vector<std::string> settings{"--margin",   "0.015", "--capacity", "16",
                                            "--compress", "small", "--select",   "deeper-than=0.001"};
    const auto bake = [&](const char* name, const std::string& frames) {
        std::vector<std::string> options{"-o", path(name), "--frames", frames};
        options.insert(options.end(), settings.begin(), settings.end());
        ASSERT_EQ(collide(scene, options).exit_code, 0);
    };
    bake("whole", ":");
    bake("a", "0:5");
    bake("b", "3,7:9");
    const Outcome merged = program({"merge", path("a"), path("b"), "-o", path("out")});
    EXPECT_EQ(merged.exit_code, 1) << merged.err;
    EXPECT_NE(merged.out.find("missing frames: 5:7,9:12\n"), std::string::npos) << merged.out;
    EXPECT_EQ(program({"info", path("out"), "--missing"}).out, "5:7,9:12\n");
    EXPECT_EQ(program({"info", path("out"), "--check"}).exit_code, 0);
    EXPECT_EQ(program({"info", path("out"), "--check", "--complete"}).exit_code, 1);
    // The command that info prints is the one that makes them.
    const std::vector<std::string> command = command_in(program({"info", path("out")}).out, scene);
    ASSERT_GT(command.size(), 8U);
    EXPECT_EQ(command, command_in(merged.out, scene));
    const Outcome made = program(command);
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_EQ(files_below(path("out")), files_below(path("whole")));
    EXPECT_EQ(program({"info", path("out"), "--complete"}).exit_code, 0);
    // Again, and with itself: nothing changes.
    const Outcome again = program({"merge", path("b"), path("out"), "-o", path("out")});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(files_below(path("out")), files_below(path("whole")));
}

TEST(Merge, TakesNoDamagedFrameAndMixesNothing) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 4);
    test::write_moving_scene(folder / "other", 4, true, false, "debris_pile", 900);
    const auto path = [&](const char* name) { return (folder / name).string(); };
    ASSERT_EQ(collide(folder / "scene", {"-o", path("a")}).exit_code, 0);
    ASSERT_EQ(collide(folder / "scene", {"-o", path("b"), "--frames", "1"}).exit_code, 0);
    ASSERT_EQ(collide(folder / "scene", {"-o", path("margin"), "--margin", "0.01"}).exit_code, 0);
    ASSERT_EQ(collide(folder / "other", {"-o", path("fewer")}).exit_code, 0);
    fs::resize_file(folder / "a" / "frame_000001.npy", 5000);
    const Outcome damaged = program({"merge", path("a"), "-o", path("out")});
    EXPECT_EQ(damaged.exit_code, 1);
    EXPECT_NE(damaged.err.find("frame_000001.npy"), std::string::npos) << damaged.err;
    EXPECT_EQ(program({"info", path("out"), "--missing"}).out, "1\n");
    EXPECT_EQ(program({"merge", path("b"), "-o", path("out")}).exit_code, 0);
    const auto before = files_below(path("out"));
    EXPECT_EQ(before.size(), 9U);
    const Outcome margin = program({"merge", path("out"), path("margin"), "-o", path("out2")});
    EXPECT_EQ(margin.exit_code, 2);
    EXPECT_NE(margin.err.find("margin"), std::string::npos) << margin.err;
    EXPECT_FALSE(fs::exists(path("out2")));
    // Made from other pairs: the same settings and hulls, but other frames.
    const Outcome fewer = program({"merge", path("fewer"), "-o", path("out")});
    EXPECT_EQ(fewer.exit_code, 1);
    EXPECT_NE(fewer.err.find("other poses or pairs"), std::string::npos) << fewer.err;
    EXPECT_EQ(files_below(path("out")), before);
}

}  // namespace
}  // namespace lanefold::tools
