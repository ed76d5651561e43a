// SPDX-License-Identifier: MIT
//
// `lanefold generate tower` and `pyramid`: the scene is what the header says, and `lanefold simulate` holds it upright.

#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "scene/io.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::files_below;
using test::program;
using test::TemporaryFolder;

SceneFrame frame_of(const Scene& scene, std::uint64_t index) {
    SceneFrame frame;
    scene.read_frame(index, frame);
    return frame;
}

// Simulates ten seconds and compares where bodies are with where they began.
void expect_stands(const fs::path& folder, const fs::path& out, double most_drift, double most_sag) {
    ASSERT_EQ(program({"simulate", folder.string(), "-o", out.string(), "--steps", "600", "--every", "600"}).exit_code,
              0);
    const Scene scene(out);
    const SceneFrame before = frame_of(scene, 0);
    const SceneFrame after = frame_of(scene, 1);
    double drift = 0;
    double sag = 0;
    for (std::size_t i = 0; i < before.position_double.size(); i += 3) {
        const double* a = &before.position_double[i];
        const double* b = &after.position_double[i];
        drift = std::max(drift, std::hypot(b[0] - a[0], b[2] - a[2]));
        sag = std::max(sag, std::abs(b[1] - a[1]));
    }
    std::printf("%s: drift %.2g m, sag %.2g m\n", folder.filename().c_str(), drift, sag);
    EXPECT_GT(sag, 0);  // it was simulated
    EXPECT_LT(drift, most_drift);
    EXPECT_LT(sag, most_sag);
}

TEST(Stacks, TowerStandsOnItsFloor) {
    const TemporaryFolder folder;
    const fs::path tower = folder / "tower";
    ASSERT_EQ(program({"generate", "tower", tower.string(), "--seed", "5"}).exit_code, 0);
    const Scene scene(tower);
    EXPECT_EQ(scene.bodies(), 11U);
    EXPECT_EQ(scene.inverse_mass()[0], 0);
    EXPECT_FLOAT_EQ(scene.inverse_mass()[10], 0.001F);
    const SceneFrame frame = frame_of(scene, 0);
    EXPECT_EQ(frame.position_double[1], -1);
    EXPECT_EQ(frame.position_double[31], 9.5);
    EXPECT_NE(frame.position_double[30], 0);
    EXPECT_LE(std::abs(frame.position_double[30]), 0.02);
    expect_stands(tower, folder / "after", 1e-3, 5e-3);
}

TEST(Stacks, PyramidStands) {
    const TemporaryFolder folder;
    const fs::path pyramid = folder / "pyramid";
    ASSERT_EQ(program({"generate", "pyramid", pyramid.string(), "--bodies", "15"}).exit_code, 0);
    EXPECT_EQ(Scene(pyramid).bodies(), 16U);
    expect_stands(pyramid, folder / "after", 2e-3, 5e-3);
}

TEST(Stacks, SeedDecidesAndBadSizesAreRefused) {
    const TemporaryFolder folder;
    for (const char* seed : {"1", "2"})
        ASSERT_EQ(program({"generate", "tower", (folder / seed).string(), "--seed", seed}).exit_code, 0);
    ASSERT_EQ(program({"generate", "tower", (folder / "again").string()}).exit_code, 0);
    EXPECT_TRUE(files_below(folder / "1") == files_below(folder / "again"));
    EXPECT_FALSE(files_below(folder / "1") == files_below(folder / "2"));
    const test::Outcome refused = program({"generate", "pyramid", (folder / "no").string(), "--bodies", "7"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("one of 4 rows 10"), std::string::npos) << refused.err;
    EXPECT_EQ(program({"generate", "tower", (folder / "no").string(), "--bodies", "0"}).exit_code, 2);
    EXPECT_FALSE(fs::exists(folder / "no"));
    EXPECT_EQ(program({"generate", "tower", (folder / "1").string()}).exit_code, 2);
    EXPECT_EQ(program({"generate", "tower", (folder / "1").string(), "--replace"}).exit_code, 0);
}

}  // namespace
}  // namespace lanefold::tools
