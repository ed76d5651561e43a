// SPDX-License-Identifier: MIT
//
// Scales of bodies in scene folders: what is read is the scene of the scaled hulls, what is written has the scales, and
// wrong numbers are refused by file and body.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include <lanefold/narrowphase.hpp>

#include "files/npy.hpp"
#include "scene/find_pairs.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scaled_shapes.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::program;
using test::ShapesScene;
using test::TemporaryFolder;

TEST(ScaledScene, IsTheSceneOfTheScaledHulls) {
    const TemporaryFolder folder;
    const ShapesScene made = test::scaled_heap(1, 40, 2);
    const ShapesScene other = test::baked(made);
    made.write(folder / "scene");
    other.write(folder / "baked");
    const Scene scene(folder / "scene"), baked(folder / "baked");
    EXPECT_EQ(scene.info().version, 3);
    ASSERT_GT(baked.hulls(), 20U);
    EXPECT_EQ(scene.hulls(), baked.hulls());
    EXPECT_EQ(scene.hulls_in_files(), 6U);
    EXPECT_EQ(baked.hulls_in_files(), baked.hulls());
    EXPECT_EQ(scene.body_hull_hash(), baked.body_hull_hash());
    EXPECT_EQ(scene.build_hulls().fingerprint(), baked.build_hulls().fingerprint());
    // The same again, written from what was read.
    SceneWriter::Contents contents;
    set_shapes(scene, contents);
    contents.inverse_mass = scene.inverse_mass();
    SceneWriter writer(folder / "again", contents);
    writer.add_frame(std::span<const float>(made.position), made.orientation);
    writer.commit();
    for (const auto& entry : fs::directory_iterator(folder / "scene")) {
        const std::string name = entry.path().filename().string();
        EXPECT_EQ(test::read_bytes(folder / "again" / name), test::read_bytes(entry.path())) << name;
    }
    EXPECT_TRUE(fs::exists(folder / "again" / "body_scale.npy"));
}

// With hulls whose points are all vertices, calls with a column of scales give the same bytes.
TEST(ScaledScene, GivesTheRecordsOfCallsWithScales) {
    const TemporaryFolder folder;
    ShapesScene made = test::scaled_heap(2, 60, 2);
    made.write(folder / "scene");
    std::vector<float> scale = made.scale;
    const Scene scene(folder / "scene");
    made.scale.clear();
    made.write(folder / "plain");
    const Scene plain(folder / "plain");
    SceneFrame frame;
    scene.read_frame(0, frame);
    const HullSet hulls = scene.build_hulls(), unscaled = plain.build_hulls();
    PairFinder finder;
    find_pairs(finder, scene, hulls, 0.05F, frame);
    ASSERT_GT(frame.pairs.size(), 200U);
    Options options;
    options.margin = 0.05F;
    std::vector<Manifold4> own(100000), called(100000);
    Workspace workspace;
    const auto records = [&](const HullSet& set, const BodyView& bodies, std::vector<Manifold4>& out) {
        const CompactResult r = collide_compact(set, bodies, frame.pairs, options, out, workspace);
        EXPECT_TRUE(r.status) << r.status.what;
        out.resize(r.written);
    };
    records(hulls, scene.view(frame), own);
    records(unscaled, plain.view(frame).with_scale(scale.data()), called);
    ASSERT_EQ(own.size(), called.size());
    EXPECT_GT(own.size(), 100U);
    EXPECT_EQ(std::memcmp(own.data(), called.data(), own.size() * sizeof(Manifold4)), 0);
}

TEST(ScaledScene, ScalesOfOneAreNotWritten) {
    const TemporaryFolder folder;
    ShapesScene made;
    made.shapes = {};
    made.shapes.kind = {0};
    made.radius = {0};
    made.vertices.resize(8);
    made.offsets = {0, 8};
    made.body_hull.assign(6, 0);
    made.scale.assign(6, 2);
    made.write(folder / "scene");
    EXPECT_EQ(Scene(folder / "scene").info().version, 3);
    made.scale.assign(6, 1);
    made.write(folder / "scene");  // replaces the one before
    EXPECT_EQ(Scene(folder / "scene").info().version, 1);
    EXPECT_FALSE(fs::exists(folder / "scene" / "body_scale.npy"));
}

TEST(ScaledScene, InfoCountsThem) {
    const TemporaryFolder folder;
    ShapesScene made;
    made.scale = {1, 2, 1, 0.5F, 1, 1};
    made.write(folder / "scene");
    const Outcome outcome = program({"info", (folder / "scene").string()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("2 (0.5 to 2)"), std::string::npos) << outcome.out;
    EXPECT_EQ(test::count_of(outcome.out, "hulls made for them"), 3U) << outcome.out;
}

class ScaledSceneRefused : public testing::Test {
protected:
    template <class T>
    void expect(const std::vector<T>& data, std::vector<std::uint64_t> shape, const std::vector<std::string>& words,
                const ShapesScene& made = {}) {
        made.write(folder_ / "scene");
        write_npy<T>(folder_ / "scene" / "body_scale.npy", data, shape);
        check(words);
    }
    void check(const std::vector<std::string>& words) {
        for (const char* const command : {"info", "collide"}) {
            const Outcome outcome = program({command, (folder_ / "scene").string()});
            EXPECT_EQ(outcome.exit_code, 2) << words[0];
            for (const std::string& word : words) EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
        }
    }

    const TemporaryFolder folder_;
};

TEST_F(ScaledSceneRefused, Numbers) {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    const std::string file = "body_scale.npy";
    expect<float>({1, 1, 1, 1, 1, std::nanf("")}, {6}, {file, "body 5", "scale nan"});
    expect<float>({0, 1, 1, 1, 1, 1}, {6}, {file, "body 0", "scale 0,"});
    expect<float>({1, 1, -2, 1, 1, 1}, {6}, {file, "body 2", "scale -2", "above 0"});
    expect<float>({1, 1, 1, kInf, 1, 1}, {6}, {file, "body 3", "scale inf", "finite"});
    expect<float>({1, 1e-39F, 1, 1, 1, 1}, {6}, {file, "body 1", "normal numbers"});
    expect<float>({1, 1, 1, 1, 1}, {5}, {file, "(5,)", "(6,)"});
    expect<float>({1, 1, 1, 1, 1, 1}, {6, 1}, {file, "(6, 1)"});
    expect<float>({}, {0}, {file, "(0,)"});
    expect<double>({1, 1, 1, 1, 1, 2}, {6}, {file, "<f8"});
    // At these scales there is no hull.
    expect<float>({1, 1, 1, 3e38F, 1, 1}, {6}, {file, "body 3", "scale 3e+38", "hull 0", "cannot be built"});
    expect<float>({1, 3e38F, 1, 1, 1, 1}, {6}, {file, "body 1", "cannot be built"});
    ShapesScene made;
    made.radius[4] = 2e14F;
    expect<float>({1, 1, 1, 1, 40, 1}, {6}, {file, "body 4", "hull 4", "cannot be built"}, made);
    made = {};
    made.shapes.half_spaces[0].offset = 2e14F;
    expect<float>({40, 1, 1, 1, 1, 1}, {6}, {file, "body 0", "hull 1", "cannot be built"}, made);
}

TEST_F(ScaledSceneRefused, OlderVersions) {
    ShapesScene made;
    made.scale = {1, 1, 1, 2, 1, 1};
    made.write(folder_ / "scene");
    for (const std::string version : {"1", "2"}) {
        test::write_bytes(folder_ / "scene" / "scene.json",
                          R"({"format": "lanefold-scene", "version": )" + version + R"(, "unit": "m"})");
        check({"scene.json", "\"version\" is " + version, "body_scale.npy", "version 3"});
    }
}

TEST_F(ScaledSceneRefused, SurfacesHaveNone) {
    ShapesScene made;
    made.shapes.kind[1] = 3;
    made.shapes.half_spaces.clear();
    constexpr SceneSurfaces::Corners kTriangle[] = {{0, 1, 2}};
    const Vec3f corners[] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
    made.shapes.surfaces.add_mesh(corners, kTriangle);
    expect<float>({2, 1, 1, 1, 1, 1}, {6}, {"body_scale.npy", "body 0", "scale 2", "hull 1 is a surface"}, made);
    made.scale = {1, 2, 1, 1, 1, 1};
    made.write(folder_ / "scene");
    EXPECT_EQ(program({"info", (folder_ / "scene").string()}).exit_code, 0);
}

}  // namespace
}  // namespace lanefold::tools
