// SPDX-License-Identifier: MIT
//
// A bake whose caller names the frames: the files of `lanefold collide`, frames that are there stay, and what is wrong
// with one frame takes none of those before it along.

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bake/frame_bake.hpp"
#include "console/failure.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

constexpr std::uint64_t kFrames = 12;

class FrameBakes : public testing::TestWithParam<bool> {  // pairs are found
protected:
    FrameBakes() { test::write_moving_scene(folder_ / "scene", kFrames); }

    FrameBake open() const {
        ContactsSettings settings;
        settings.find_pairs = GetParam();
        return {folder_ / "scene", folder_ / "contacts", settings, 2, Sync::none};
    }

    using News = std::set<std::pair<std::uint64_t, bool>>;
    static News make(const FrameBake& bake, std::vector<std::uint64_t> frames, const StopToken& stop = {}) {
        News news;
        bake.make(
            [&, next = std::size_t{0}]() mutable {
                return next < frames.size() ? std::optional(frames[next++]) : std::nullopt;
            },
            [&](std::uint64_t frame, bool made) { news.emplace(frame, made); }, stop);
        return news;
    }

    const test::TemporaryFolder folder_;
};

TEST_P(FrameBakes, MakeWhatTheProgramMakes) {
    const FrameBake bake = open();
    EXPECT_EQ(make(bake, {7, 2}), (News{{2, true}, {7, true}}));
    EXPECT_EQ(make(bake, {2, 3}), (News{{2, false}, {3, true}}));
    std::vector<std::uint64_t> all;
    for (const auto& shard : bake.shards(5)) all.insert(all.end(), shard.begin(), shard.end());
    ASSERT_EQ(all.size(), kFrames);
    EXPECT_EQ(make(bake, all).size(), kFrames);
    std::vector<std::string> options{"-o", (folder_ / "program").string()};
    if (GetParam()) options.emplace_back("--find-pairs");
    ASSERT_EQ(test::collide(folder_ / "scene", options).exit_code, 0);
    EXPECT_EQ(test::files_below(folder_ / "contacts"), test::files_below(folder_ / "program"));
}

TEST_P(FrameBakes, AFrameThatCannotBeReadTakesNoneBeforeItAlong) {
    const FrameBake bake = open();
    {
        std::fstream file(folder_ / "scene" / "orientation.npy", std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-16, std::ios::end);
        file.write("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);  // of the last body in the last frame
    }
    EXPECT_THROW(make(bake, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), Failure);
    News kept;
    for (std::uint64_t frame = 0; frame + 1 < kFrames; ++frame) kept.emplace(frame, false);
    EXPECT_EQ(make(bake, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), kept);
}

TEST_P(FrameBakes, StopWhenTheyAreAsked) {
    const FrameBake bake = open();
    StopFlag stop;
    stop.request_stop();
    EXPECT_THROW(make(bake, {0}, stop), Failure);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "contacts" / "frame_000000.json"));
}

INSTANTIATE_TEST_SUITE_P(Pairs, FrameBakes, testing::Bool());

}  // namespace
}  // namespace lanefold::tools
