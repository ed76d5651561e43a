// SPDX-License-Identifier: MIT
//
// Options of `lanefold import` that contradict each other, or that would change nothing, are refused with the remedy.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "files/npy.hpp"
#include "support/tools/gltf_writer.hpp"
#include "support/tools/obj_file.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::program;
using test::TemporaryFolder;
using test::write_poses;

TEST(ImportOptions, ThatContradictOrSayNothingAreRefused) {
    const TemporaryFolder folder;
    const std::string obj = test::table_and_cup().write(folder / "table.obj");
    write_poses(folder / "poses.npy", 1, 2, {{0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 1}});
    const std::string poses = (folder / "poses.npy").string();
    const std::string matrices = (folder / "matrices.npy").string();
    std::vector<double> identity(32);
    for (std::size_t m = 0; m < 2; ++m) {
        for (std::size_t i = 0; i < 4; ++i) identity[16 * m + 5 * i] = 1;
    }
    write_npy(folder / "matrices.npy", std::span<const double>(identity), {2, 4, 4});
    ASSERT_EQ(program({"import", obj, "-o", (folder / "right").string(), "--poses", matrices}).exit_code, 0);
    const std::vector<std::vector<std::string>> wrong{
        {"--pieces-at", "rest"},
        {"--poses-are", "relative-to-rest"},
        {"--quaternion", "wxyz"},
        {"--poses", matrices, "--quaternion", "wxyz"},
        {"--pose-names", poses},
        {"--active", poses},
        {"--matrices", "row"},
        {"--poses", poses, "--matrices", "row"},
        {"--poses", poses, "--poses-are", "local"},
        {"--poses", poses, "--poses-are", "relative-to-rest", "--pieces-at", "origin"},
        {"--order", "random"},
        {"--up", "w"},
        {"--handedness", "both"},
        {"--fps", "0"},
        {"--fps", "nan"},
        {"--first-frame", "99999999999"}};
    for (const std::vector<std::string>& options : wrong) {
        std::vector<std::string> arguments{"import", obj, "-o", (folder / "scene").string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << options.back();
        EXPECT_NE(outcome.err.find("--"), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(folder / "scene"));
    }
}

TEST(ImportOptions, PosesOfAFileAndOthersAreNotMixed) {
    const TemporaryFolder folder;
    test::GltfWriter file;
    const int node = file.node({{"name", "box"}, {"mesh", file.box(1, 1, 1)}});
    file.animate(node, "translation", {0, 0.5F}, {0, 0, 0, 7, 0, 0});
    write_poses(folder / "poses.npy", 1, 1, {{0, 0, 0, 0, 0, 0, 1}});
    const std::string path = file.write(folder / "a.glb");
    const std::string scene = (folder / "scene").string();
    ASSERT_EQ(program({"import", path, "-o", scene, "--animation", "clip0"}).exit_code, 0);
    const Outcome mixed = program({"import", path, "-o", (folder / "mixed").string(), "--animation", "clip0", "--poses",
                                   (folder / "poses.npy").string()});
    EXPECT_EQ(mixed.exit_code, 2);
    EXPECT_NE(mixed.err.find("leave out one of them"), std::string::npos) << mixed.err;
    EXPECT_FALSE(fs::exists(folder / "mixed"));
    const Outcome rest =
        program({"import", path, "-o", (folder / "mixed").string(), "--poses-are", "relative-to-rest"});
    EXPECT_EQ(rest.exit_code, 2);
    EXPECT_NE(rest.err.find("--poses-are relative-to-rest"), std::string::npos) << rest.err;
}

}  // namespace
}  // namespace lanefold::tools
