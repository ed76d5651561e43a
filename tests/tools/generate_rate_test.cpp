// SPDX-License-Identifier: MIT
//
// The frame rate of generated piles: that of the bodies' fall, with which events need none.
#include <algorithm>
#include <cstdio>

#include <gtest/gtest.h>

#include "events/event_settings.hpp"
#include "generate/fall.hpp"
#include "generate/scene.hpp"
#include "scene/io.hpp"
#include "support/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

GenerateRequest boxes(const fs::path& folder, std::uint32_t frames, double seconds) {
    GenerateRequest r;
    r.kind = ShapeKind::boxes;
    r.folder = folder;
    r.bodies = 20;
    r.frames = frames;
    r.hulls = 20;
    r.seconds = seconds;
    r.progress = ProgressMode::none;
    return r;
}

// Frames of a fall are times, so events know speeds; one frame has no rate, and a program of version 1 reads it.
TEST(GenerateRate, FramesHaveOne) {
    const TemporaryFolder folder;
    const struct {
        std::uint32_t frames;
        double seconds, rate;
    } cases[] = {{12, 0.5, 24}, {30, 0.5, 60}, {7, 0.5, 14}, {2, 10, 0.2}, {3, 0.01, 180}};
    for (const auto& c : cases) {
        GenerateRequest r = boxes(folder / "scene", c.frames, c.seconds);
        r.replace = true;
        generate_scene(r);
        const Scene scene(folder / "scene");
        ASSERT_TRUE(scene.info().frames_per_second);
        EXPECT_DOUBLE_EQ(*scene.info().frames_per_second, c.rate);
        EXPECT_EQ(choose_event_settings({}, scene).rate, *scene.info().frames_per_second);
        EXPECT_EQ(scene.info().version, 2);
    }
    generate_scene(boxes(folder / "one", 1, 0.1));
    EXPECT_FALSE(Scene(folder / "one").info().frames_per_second);
    EXPECT_EQ(Scene(folder / "one").info().version, 1);
}

// The rate is that of the bodies: while nothing is hit, one that falls gains g a second, but for the air.
TEST(GenerateRate, IsThatOfTheFall) {
    const TemporaryFolder folder;
    generate_scene(boxes(folder / "scene", 6, 0.25));
    const Scene scene(folder / "scene");
    ASSERT_EQ(scene.info().frames_per_second, 24);
    SceneFrame first, second, third;
    scene.read_frame(0, first);
    scene.read_frame(1, second);
    scene.read_frame(2, third);
    double fastest = 0;
    for (std::size_t i = 0; i < 20; ++i) {
        const auto y = [&](const SceneFrame& f) { return static_cast<double>(f.position[3 * i + 1]); };
        fastest = std::max(fastest, -(y(third) - 2 * y(second) + y(first)) * 24 * 24);
    }
    std::printf("falls with %.2f m/s2\n", fastest);
    EXPECT_NEAR(fastest, kGravity, 0.2 * kGravity);
}

}  // namespace
}  // namespace lanefold::tools
