// SPDX-License-Identifier: MIT
//
// `lanefold import` of pieces far from the origin: nothing is rounded before a piece has an origin of its own, so gaps
// of millimetres stay, and `verify --against files` holds contacts against the numbers of the files.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "contacts/io.hpp"
#include "files/npy.hpp"
#include "scene/io.hpp"
#include "support/tools/gltf_writer.hpp"
#include "support/tools/obj_file.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

using test::Obj;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

// The distance of the one pair of a scene, which `verify` has held against the files' numbers.
double distance_of(const TemporaryFolder& folder, const std::string& scene, double margin) {
    const std::string contacts = (folder / "contacts").string();
    std::filesystem::remove_all(contacts);
    const Outcome done = program({"collide", scene, "-o", contacts, "--margin", fmt::format("{}", margin)});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    const Outcome verified = program({"verify", scene, contacts, "--against", "files"});
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    EXPECT_NE(verified.out.find("the numbers of the imported files"), std::string::npos) << verified.out;
    const ContactsReader reader(contacts);
    const FrameSummary summary = reader.summary(0);
    EXPECT_EQ(summary.records, 1U);
    if (summary.records != 1) return std::nan("");
    Manifold4 m;
    reader.open_records(0, summary).read(0, std::span<Manifold4>(&m, 1));
    return static_cast<double>(m.distance);
}

TEST(ImportNumbers, AGapOfTwoMillimetresStaysWhereverThePiecesAre) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    struct Place {
        Vec3d at;
        double unit;  // of a metre
        std::string scale;
        std::string name;
    };
    const Place places[] = {{{-37876.2, 118, 76194.3}, 1, "1", "m"},
                            {{454321.37, 5411932.71, 512.3}, 1, "1", "m"},
                            {{454321370, 5411932710, 512300}, 1000, "1", "mm"},
                            {{454321370, 5411932710, 512300}, 1000, "0.001", "m"}};
    for (const Place& place : places) {
        const double u = place.unit;
        const std::string obj = Obj()
                                    .box("a", place.at, Vec3d{0.5, 0.5, 0.5} * u)
                                    .box("b", place.at + Vec3d{1.002, 0.1, 0} * u, Vec3d{0.5, 0.5, 0.5} * u)
                                    .write(folder / "pair.obj");
        const Outcome done = program({"import", obj, "-o", scene, "--group-by", "none", "--scale", place.scale,
                                      "--unit", place.name, "--replace"});
        ASSERT_EQ(done.exit_code, 0) << done.err;
        const double metre = place.name == "mm" ? 1000 : 1;
        // float64 at 5,411,932,710 has steps of 1e-6.
        EXPECT_NEAR(distance_of(folder, scene, 0.01 * metre), 0.002 * metre, 3e-6 * metre) << place.name << place.scale;
        EXPECT_TRUE(Scene(scene).positions_are_double());
        EXPECT_EQ(Scene(scene).info().unit, place.name);
    }
}

TEST(ImportNumbers, OnlyFarPiecesGetAnOriginOfTheirOwnAndTheLossIsTold) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    const std::string obj = Obj()
                                .box("near", {0.1, 0.2, 0.3}, {0.7, 0.7, 0.7})
                                .box("far", {1000.1, 0, 0}, {0.7, 0.7, 0.7})
                                .write(folder / "b.obj");
    const Outcome done = program({"import", obj, "-o", scene});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const Scene written(scene);
    SceneFrame frame;
    written.read_frame(0, frame);
    EXPECT_EQ(frame.position_double[0], 0);
    EXPECT_NEAR(frame.position_double[3], 1000.1, 1e-9);
    // Both are about 0, and the largest rounding of their coordinates is in the table, in the unit.
    double worst = 0;
    const std::vector<Vec3d> numbers = written.read_source_vertices();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        EXPECT_LT(length(numbers[i]), 3);
        worst = std::max(worst, length(to_double(written.hull_vertices()[i]) - numbers[i]));
    }
    EXPECT_GT(worst, 1e-9);
    EXPECT_NE(done.out.find(fmt::format("{:.2g} m", worst)), std::string::npos) << done.out << worst;
}

TEST(ImportNumbers, VerifyHoldsContactsAgainstTheNumbersOfTheFiles) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    const std::string obj = test::table_and_cup().write(folder / "table.obj");
    ASSERT_EQ(program({"import", obj, "-o", scene}).exit_code, 0);
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", scene, "-o", contacts}).exit_code, 0);
    EXPECT_EQ(program({"verify", scene, contacts, "--against", "files"}).exit_code, 0);
    EXPECT_EQ(program({"info", scene}).exit_code, 0);
    // Numbers that are not those of the scene's vertices are refused.
    std::vector<Vec3d> numbers = Scene(scene).read_source_vertices();
    const auto write = [&] {
        write_npy(folder / "scene/hull_source_vertices.npy", std::span<const double>(&numbers[0].x, 3 * numbers.size()),
                  {numbers.size(), 3});
    };
    numbers[20].y += 0.01;
    write();
    const Outcome other = program({"verify", scene, contacts, "--against", "files"});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_NE(other.err.find("row 20"), std::string::npos) << other.err;
    EXPECT_EQ(program({"info", scene}).exit_code, 2);
    std::filesystem::remove(folder / "scene/hull_source_vertices.npy");
    const Outcome none = program({"verify", scene, contacts, "--against", "files"});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_NE(none.err.find("lanefold import writes it"), std::string::npos) << none.err;
    EXPECT_EQ(program({"verify", scene, contacts, "--against", "all"}).exit_code, 2);
    EXPECT_EQ(program({"verify", scene, contacts}).exit_code, 0);
}

// The rounding of a large hull is more than the share of a small one that a distance may be off.
TEST(ImportNumbers, ASmallPieceOnALargeOneIsHeldAgainstTheFilesToo) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    for (const double size : {1e-3, 3e-5}) {
        const std::string obj = Obj()
                                    .box("slab", {}, {1.0 / 3, 0.1234567891, 1.0 / 7})
                                    .box("chip", {0.1, 0.1234567891 + size, 0.05}, Vec3d{1, 1, 1} * size)
                                    .write(folder / "chip.obj");
        const Outcome done = program({"import", obj, "-o", scene, "--replace", "--group-by", "none"});
        ASSERT_EQ(done.exit_code, 0) << done.err;
        const std::vector<Vec3d> numbers = Scene(scene).read_source_vertices();
        const double rounding = std::fabs(static_cast<double>(Scene(scene).hull_vertices()[0].y) - numbers[0].y);
        EXPECT_GT(rounding, 1e-9);  // more than 2e-6 of a size of 3e-5
        EXPECT_NEAR(distance_of(folder, scene, 1e-4), 0, rounding + 1e-9);
    }
}

TEST(ImportNumbers, Float32NumbersThatAreTooCoarseForThePiecesAreNamed) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    test::GltfWriter gltf;
    const float x = 76194.3F;
    gltf.node({{"name", "far"},
               {"mesh", gltf.mesh({x, 0, 0, x + 1, 0, 0, x, 1, 0, x, 0, 1}, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3})}});
    const Outcome done = program({"import", gltf.write(folder / "far.glb"), "-o", scene});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_NE(done.err.find("node 'far': its float32 coordinates are as large as 76194.3"), std::string::npos)
        << done.err;
    EXPECT_NE(done.err.find("steps of 0.0078 m"), std::string::npos) << done.err;
    // Poses of float32 say the same, poses of float64 and places of nodes do not.
    const std::string obj = Obj().box("a", {}, {0.5, 0.5, 0.5}).write(folder / "a.obj");
    const std::vector<float> pose{x, 0, 0, 0, 0, 0, 1};
    const std::vector<double> fine(pose.begin(), pose.end());
    write_npy(folder / "float.npy", std::span<const float>(pose), {1, 1, 7});
    write_npy(folder / "double.npy", std::span<const double>(fine), {1, 1, 7});
    const auto says = [&](const std::string& poses) {
        return program({"import", obj, "--poses", (folder / poses).string(), "-o", scene, "--replace"}).err;
    };
    EXPECT_NE(says("float.npy").find("float32 positions are as large as 76194.3"), std::string::npos);
    EXPECT_EQ(says("double.npy").find("float32"), std::string::npos);
}

// Keys of an animation are float32; places of nodes are not, so a node above them may be far.
TEST(ImportNumbers, KeysThatAreTooCoarseForThePiecesAreNamed) {
    const TemporaryFolder folder;
    const auto says = [&](double far, float key) {
        test::GltfWriter gltf;
        const int mesh = gltf.box(0.5F, 0.5F, 0.5F);
        gltf.root["nodes"].push_back({{"name", "site"}, {"translation", {far, 0, 0}}, {"children", {1}}});
        gltf.root["nodes"].push_back({{"name", "crate"}, {"mesh", mesh}});
        gltf.root["scenes"][0]["nodes"].push_back(0);
        gltf.animate(1, "translation", {0, 0.04F, 0.08F}, {key, 0, 0, key, 1, 0, key, 2, 0}, "LINEAR");
        const Outcome done =
            program({"import", gltf.write(folder / "a.glb"), "-o", (folder / "scene").string(), "--replace"});
        EXPECT_EQ(done.exit_code, 0) << done.err;
        return done.err;
    };
    const std::string coarse = says(0, 5500000.5F);
    EXPECT_NE(coarse.find("a.glb: float32 keys of the animation are as large as 5.5e+06"), std::string::npos) << coarse;
    EXPECT_NE(coarse.find("steps of 0.5 m"), std::string::npos) << coarse;
    EXPECT_EQ(says(5500000.123, 3.0F).find("float32"), std::string::npos);
    EXPECT_EQ(says(0, 3.0F).find("float32"), std::string::npos);
}

TEST(ImportNumbers, ScaledPositionsAreFloat64) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    const std::string obj = Obj().box("a", {}, {500, 500, 500}).write(folder / "a.obj");
    // Whole millimetres, which float32 holds, and their metres, which it does not.
    const std::vector<float> pose{7619431, 2, 0, 0, 0, 0, 1};
    write_npy(folder / "float.npy", std::span<const float>(pose), {1, 1, 7});
    ASSERT_EQ(
        program({"import", obj, "--poses", (folder / "float.npy").string(), "--scale", "0.001", "-o", scene}).exit_code,
        0);
    SceneFrame frame;
    const Scene written(scene);
    written.read_frame(0, frame);
    ASSERT_TRUE(written.positions_are_double());
    EXPECT_NEAR(frame.position_double[0], 7619.431, 1e-9);
    EXPECT_NEAR(frame.position_double[1], 0.002, 1e-15);
}

}  // namespace
}  // namespace lanefold::tools
