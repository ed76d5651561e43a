// SPDX-License-Identifier: MIT
//
// Frames of a bake that finds its pairs: in order, each with the pairs of a search of its own, however many are
// searched at once; what ends the frames comes after those before it; contacts do not depend on the window.

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bake/found_frames.hpp"
#include "bake/frame_source.hpp"
#include "console/failure.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

constexpr std::size_t kFrames = 37;

// The bodies of a pile, which fall at different speeds, rest, and fly apart at the end.
void write_scene(const std::filesystem::path& folder, bool wide) {
    const Scene pile(test::stored_scene("debris_pile"));
    SceneFrame frame;
    pile.read_frame(0, frame);
    SceneWriter::Contents contents = test::contents_of(pile);
    contents.with_pairs = false;
    contents.positions_are_double = wide;
    SceneWriter writer(folder, contents);
    for (std::size_t f = 0; f < kFrames; ++f) {
        if (wide) {
            const std::vector<double> positions(frame.position.begin(), frame.position.end());
            writer.add_frame(std::span<const double>(positions), frame.orientation, {});
        } else {
            writer.add_frame(std::span<const float>(frame.position), frame.orientation, {});
        }
        for (std::size_t i = 0; i < frame.position.size(); ++i) {
            if (i % 3 == 1 && f < 20) frame.position[i] -= 0.0005F * static_cast<float>(i % 50);
            if (f > 32) frame.position[i] *= 1.7F;
        }
    }
    writer.commit();
}

struct Numbers {
    std::size_t next = 0;
    std::size_t fails_at = kFrames + 1;

    std::optional<std::uint64_t> operator()() {
        if (next == fails_at) throw bad_input("frame {} is no longer there", next);
        return next < kFrames ? std::optional<std::uint64_t>(next++) : std::nullopt;
    }
};

TEST(FoundFrames, EachFrameHasThePairsOfItsOwnSearch) {
    const test::TemporaryFolder folder;
    for (const bool wide : {false, true}) {
        const std::filesystem::path path = folder / (wide ? "float64" : "float32");
        write_scene(path, wide);
        const Scene scene(path);
        const HullSet hulls = scene.build_hulls(1);
        std::vector<std::vector<Pair>> expected;
        for (std::size_t f = 0; f < kFrames; ++f) {
            SceneFrame frame;
            scene.read_frame(f, frame);
            PairFinder finder;
            find_pairs(finder, scene, hulls, 0.02F, frame);
            expected.push_back(frame.pairs);
        }
        EXPECT_GT(expected[0].size(), 1000U);
        EXPECT_FALSE(expected[0] == expected[20]);
        EXPECT_LT(expected.back().size(), expected[0].size());
        for (const std::size_t window : {1U, 3U, 16U}) {
            for (const std::size_t ahead : {0U, 5U}) {
                FrameSource source(scene, StoredPairs::left_out, Numbers(), ahead);
                FoundFrames frames(scene, hulls, 0.02F, window);
                StageTimer times(true);
                std::size_t f = 0;
                while (std::unique_ptr<SceneFrame> frame = frames.next(source, times)) {
                    ASSERT_LT(f, kFrames);
                    EXPECT_EQ(frame->index, f);
                    EXPECT_TRUE(frame->pairs == expected[f]) << "frame " << f << ", window " << window;
                    source.recycle(std::move(frame));
                    ++f;
                }
                EXPECT_EQ(f, kFrames);
                EXPECT_EQ(frames.next(source, times), nullptr);
                EXPECT_GT(times.passed.search, 0);
            }
        }
    }
}

TEST(FoundFrames, AFailureComesAfterTheFramesBeforeIt) {
    const test::TemporaryFolder folder;
    write_scene(folder / "scene", false);
    const Scene scene(folder / "scene");
    const HullSet hulls = scene.build_hulls(1);
    for (const std::size_t fails_at : {0U, 7U, 16U, 20U}) {
        FrameSource source(scene, StoredPairs::left_out, Numbers{0, fails_at}, 4);
        FoundFrames frames(scene, hulls, 0.02F, 16);
        StageTimer times(false);
        for (std::size_t f = 0; f < fails_at; ++f) {
            const std::unique_ptr<SceneFrame> frame = frames.next(source, times);
            ASSERT_NE(frame, nullptr);
            EXPECT_EQ(frame->index, f);
            EXPECT_GT(frame->pairs.size(), 1000U);
        }
        try {
            frames.next(source, times);
            FAIL() << "frame " << fails_at << " failed without a word";
        } catch (const Failure& failure) {
            EXPECT_NE(std::string(failure.what()).find("no longer there"), std::string::npos) << failure.what();
        }
    }
}

TEST(FoundFrames, TheWindowChangesNoByteAndFitsTheMemory) {
    if (!test::kMemoryIsMeasurable) GTEST_SKIP() << "memory cannot be measured under a sanitizer";
    const test::TemporaryFolder folder;
    write_scene(folder / "scene", false);
    const auto bake = [&](const std::string& name, std::vector<std::string> options) {
        options.insert(options.end(), {"-o", (folder / name).string(), "--find-pairs", "--threads", "2"});
        test::Outcome outcome = test::collide(folder / "scene", options);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return outcome;
    };
    const test::Outcome roomy = bake("roomy", {});
    const auto expected = test::files_below(folder / "roomy");
    const test::Outcome refused = test::collide(
        folder / "scene", {"-o", (folder / "no").string(), "--find-pairs", "--memory-limit", "40M", "--threads", "2"});
    const std::size_t at = refused.err.find("at least ");
    ASSERT_NE(at, std::string::npos) << refused.err;
    const double least = std::stod(refused.err.substr(at + 9)) * 1.01e6;  // as rounded in the message, in MB
    const test::Outcome tight = bake("tight", {"--memory-limit", std::to_string(static_cast<std::uint64_t>(least))});
    EXPECT_TRUE(test::files_below(folder / "tight") == expected);
    EXPECT_LT(static_cast<double>(tight.max_resident_bytes), least);
    bake("alone", {"--no-overlap"});
    EXPECT_TRUE(test::files_below(folder / "alone") == expected);
    // Shards begin their windows elsewhere.
    for (const char* shard : {"0/2", "1/2"}) bake("shards", {"--shard", shard});
    EXPECT_TRUE(test::files_below(folder / "shards") == expected);
    std::printf("limit %.0f MB, taken %.0f MB; without a limit %.0f MB\n", least / 1e6,
                static_cast<double>(tight.max_resident_bytes) / 1e6,
                static_cast<double>(roomy.max_resident_bytes) / 1e6);
}

}  // namespace
}  // namespace lanefold::tools
