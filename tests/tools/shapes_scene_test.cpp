// SPDX-License-Identifier: MIT
//
// Scenes with half-spaces and compounds: version 3 is written where one is, and wrong files are refused by name and
// place.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lanefold/compound.hpp>
#include <lanefold/half_space.hpp>

#include "files/npy.hpp"
#include "support/tools/program.hpp"
#include "support/tools/shapes_scene.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::program;
using test::ShapesScene;
using test::TemporaryFolder;

constexpr const char* kOwnFiles[] = {"half_spaces.npy", "compound_offsets.npy", "child_hull.npy", "child_position.npy",
                                     "child_orientation.npy"};

TEST(ShapesScene, IsOfVersion3AndComesBack) {
    const TemporaryFolder folder;
    const ShapesScene made;
    made.write(folder / "scene");
    const Scene scene(folder / "scene");
    EXPECT_EQ(scene.info().version, 3);
    const OtherShapes& shapes = scene.other_shapes();
    EXPECT_EQ(shapes.kind, made.shapes.kind);
    EXPECT_EQ(shapes.half_spaces, made.shapes.half_spaces);
    EXPECT_EQ(shapes.offsets, made.shapes.offsets);
    const HullSet hulls = scene.build_hulls();
    ASSERT_EQ(hulls.size(), 6U);
    ASSERT_TRUE(half_space(hulls, 1).has_value());
    EXPECT_EQ(*half_space(hulls, 1), made.shapes.half_spaces[0]);
    ASSERT_EQ(hulls.child_count(3), 2U);
    ASSERT_EQ(hulls.child_count(5), 2U);
    EXPECT_EQ(hulls.child(3, 1).position[0], 1.5);
    EXPECT_EQ(hulls.child(5, 0).hull, 4U);
    EXPECT_EQ(hulls.child(5, 1).hull, 2U);
    EXPECT_EQ(hulls.child(5, 1).orientation[2], 0.6F);
    EXPECT_EQ(hulls[4].round_radius, 0.5F);
    EXPECT_EQ(hulls[2].vertex_count, 8U);
}

// The set is that of single calls, and says what changes in any of its parts.
TEST(ShapesScene, HullsAreThoseOfTheCalls) {
    const TemporaryFolder folder;
    const ShapesScene made;
    made.write(folder / "scene");
    const HullSet read = Scene(folder / "scene").build_hulls();
    const std::span<const Vec3f> points(made.vertices);
    BuildOptions round;
    round.radius = 0.5F;
    const std::span<const CompoundChild> children(made.shapes.children);
    HullSet calls = build_hull(points.first(8)).hulls.append(build_half_spaces(made.shapes.half_spaces).hulls);
    calls = calls.append(build_hull(points.subspan(8, 8)).hulls);
    calls = build_compound(calls, children.first(2)).hulls;
    calls = calls.append(build_hull(points.last(1), round).hulls);
    calls = build_compound(calls, children.last(2)).hulls;
    ASSERT_EQ(calls.size(), 6U);
    EXPECT_EQ(read.fingerprint(), calls.fingerprint());
    ShapesScene other;
    other.shapes.half_spaces[0].offset = 0.125F;
    other.write(folder / "plane");
    EXPECT_NE(Scene(folder / "plane").build_hulls().fingerprint(), read.fingerprint());
    other = ShapesScene();
    other.shapes.children[3].position[1] = 3.0000001;
    other.write(folder / "child");
    EXPECT_NE(Scene(folder / "child").build_hulls().fingerprint(), read.fingerprint());
}

TEST(ShapesScene, WithoutSuchShapesNothingIsWritten) {
    const TemporaryFolder folder;
    ShapesScene made;
    made.write(folder / "scene");
    for (const char* const name : kOwnFiles) EXPECT_TRUE(fs::exists(folder / "scene" / name)) << name;
    made.shapes = {};
    made.shapes.kind = {0};
    made.radius = {0};
    made.vertices.resize(8);
    made.offsets = {0, 8};
    made.body_hull.assign(6, 0);
    made.write(folder / "scene");  // replaces the one before
    const Scene scene(folder / "scene");
    EXPECT_EQ(scene.info().version, 1);
    for (const char* const name : kOwnFiles) EXPECT_FALSE(fs::exists(folder / "scene" / name)) << name;
    EXPECT_FALSE(fs::exists(folder / "scene" / "hull_kind.npy"));
}

class ShapesSceneRefused : public testing::Test {
protected:
    // The scene with one file replaced is refused with these words.
    template <class T>
    void expect(const char* file, const std::vector<T>& data, std::vector<std::uint64_t> shape,
                const std::vector<std::string>& words) {
        ShapesScene().write(folder_ / "scene");
        write_npy<T>(folder_ / "scene" / file, data, shape);
        check(words);
    }
    void check(const std::vector<std::string>& words) {
        const Outcome outcome = program({"info", (folder_ / "scene").string()});
        EXPECT_EQ(outcome.exit_code, 2) << words[0];
        for (const std::string& word : words) EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    }

    const TemporaryFolder folder_;
};

TEST_F(ShapesSceneRefused, Kinds) {
    using Bytes = std::vector<std::uint8_t>;
    expect<std::uint8_t>("hull_kind.npy", Bytes{0, 1, 0, 2, 0, 5}, {6}, {"hull_kind.npy", "hull 5", "kind 5"});
    expect<std::uint8_t>("hull_kind.npy", Bytes{0, 1, 0, 2}, {4}, {"hull_kind.npy", "(4,)", "(6,)"});
    expect<std::uint8_t>("hull_kind.npy", Bytes{0, 1, 0, 0, 0, 2}, {6}, {"compound_offsets.npy", "(3,)", "(2,)"});
    expect<std::uint8_t>("hull_kind.npy", Bytes{0, 1, 1, 2, 0, 2}, {6}, {"half_spaces.npy", "(1, 4)", "(2, 4)"});
    expect<std::uint8_t>("hull_kind.npy", Bytes{1, 0, 0, 2, 0, 2}, {6},
                         {"child_hull.npy", "row 0", "compound 0", "hull 0", "half-space"});
    expect<std::uint8_t>("hull_kind.npy", Bytes{0, 0, 0, 2, 0, 2}, {6}, {"half_spaces.npy", "no half-space"});
    expect<std::uint8_t>("hull_kind.npy", Bytes{0, 1, 0, 0, 0, 0}, {6}, {"compound_offsets.npy", "no compound"});
    expect<float>("hull_radius.npy", {0, 0.25F, 0, 0, 0.5F, 0}, {6}, {"hull_radius.npy", "hull 1", "half-space"});
    expect<std::uint64_t>("hull_offsets.npy", {0, 8, 8, 12, 16, 17, 17}, {7},
                          {"hull_offsets.npy", "hull 3", "compound", "4 rows"});
}

TEST_F(ShapesSceneRefused, HalfSpaces) {
    const float inf = std::numeric_limits<float>::infinity();
    expect<float>("half_spaces.npy", {0, 0, 0, 1}, {1, 4}, {"half_spaces.npy", "row 0", "hull 1", "normal"});
    expect<float>("half_spaces.npy", {0, 1, 0, inf}, {1, 4}, {"half_spaces.npy", "row 0", "offset"});
    expect<float>("half_spaces.npy", {0, std::nanf(""), 0, 0}, {1, 4}, {"half_spaces.npy", "row 0", "normal"});
    expect<float>("half_spaces.npy", {0, 1, 0}, {1, 3}, {"half_spaces.npy", "(1, 3)"});
    fs::remove(folder_ / "scene" / "half_spaces.npy");
    check({"half_spaces.npy"});
}

TEST_F(ShapesSceneRefused, Compounds) {
    const auto nan = static_cast<double>(std::nanf(""));
    expect<std::uint64_t>("compound_offsets.npy", {0, 0, 4}, {3},
                          {"compound_offsets.npy", "compound 0", "hull 3", "without children"});
    expect<std::uint64_t>("compound_offsets.npy", {0, 3, 2}, {3}, {"compound_offsets.npy", "ascending"});
    expect<std::uint64_t>("compound_offsets.npy", {0, 2, 5}, {3}, {"compound_offsets.npy", "child_hull.npy has 4"});
    expect<std::uint32_t>("child_hull.npy", {0, 4, 4, 2}, {4}, {"child_hull.npy", "row 1", "compound 0", "lower"});
    expect<std::uint32_t>("child_hull.npy", {0, 0, 3, 2}, {4}, {"child_hull.npy", "row 2", "compound 1", "compound"});
    expect<std::uint32_t>("child_hull.npy", {0, 99, 3, 2}, {4}, {"child_hull.npy", "row 1", "99"});
    expect<double>("child_position.npy", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, nan, 0}, {4, 3},
                   {"child_position.npy", "compound 1", "row 3", "finite"});
    expect<float>("child_orientation.npy", {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1}, {4, 4},
                  {"child_orientation.npy", "compound 0", "row 1", "unit length"});
    expect<float>("child_orientation.npy", {0, 0, 0, 1}, {1, 4}, {"child_orientation.npy", "(1, 4)", "(4, 4)"});
}

TEST_F(ShapesSceneRefused, OlderVersions) {
    ShapesScene().write(folder_ / "scene");
    test::write_bytes(folder_ / "scene" / "scene.json", R"({"format": "lanefold-scene", "version": 2, "unit": "m"})");
    check({"hull_kind.npy", "hull 1", "\"version\": 3"});
    test::write_bytes(folder_ / "scene" / "scene.json", R"({"format": "lanefold-scene", "version": 1, "unit": "m"})");
    fs::remove(folder_ / "scene" / "hull_kind.npy");
    fs::remove(folder_ / "scene" / "hull_radius.npy");
    check({"scene.json", "half_spaces.npy"});
}

TEST(ShapesScene, InfoCountsThem) {
    const TemporaryFolder folder;
    ShapesScene().write(folder / "scene");
    const Outcome outcome = program({"info", (folder / "scene").string()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("3 (2 boxes)"), std::string::npos) << outcome.out;
    EXPECT_EQ(test::count_of(outcome.out, "half-spaces"), 1U);
    EXPECT_EQ(test::count_of(outcome.out, "compounds"), 2U);
}

}  // namespace
}  // namespace lanefold::tools
