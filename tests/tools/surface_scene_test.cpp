// SPDX-License-Identifier: MIT
//
// Scenes with surfaces: files come back and give the surfaces of the calls, and wrong ones are refused by name and
// place.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lanefold/height_field.hpp>
#include <lanefold/surface_set.hpp>

#include "files/npy.hpp"
#include "support/tools/ground_scene.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::GroundScene;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

constexpr const char* kOwnFiles[] = {kSurfaceOffsetsFile,   kSurfaceVerticesFile, kSurfaceTrianglesFile,
                                     kSurfaceThicknessFile, kHeightFieldsFile,    kHeightSamplesFile,
                                     kHeightHolesFile,      kHeightDiagonalsFile};

// The surfaces of a scene by direct calls: mesh, field and flat field.
std::vector<Surface> direct(const GroundScene& made) {
    const SceneSurfaces& s = made.shapes.surfaces;
    const auto thickness = [&](std::size_t i) {
        return s.thickness.empty() ? SurfaceOptions().thickness : s.thickness[i];
    };
    SurfaceOptions options;
    options.weld_tolerance = 0;
    options.split_t_junctions = options.drop_opposite = false;
    options.thickness = thickness(0);
    std::vector<Surface> out{build_surface(s.vertices, s.triangles, options).surface};
    std::size_t sample = 0, cell = 0;
    for (std::size_t f = 0; f < 2; ++f) {
        const FieldGrid& grid = s.fields[f];
        HeightFieldOptions field;
        field.rows = static_cast<std::size_t>(grid.rows);
        field.columns = static_cast<std::size_t>(grid.columns);
        field.x0 = grid.x0, field.y0 = grid.y0, field.dx = grid.dx, field.dy = grid.dy;
        field.scale = grid.scale, field.offset = grid.offset;
        field.thickness = thickness(1 + f);
        if (!s.holes.empty()) field.holes = std::span(s.holes).subspan(cell, grid.cells());
        if (!s.diagonals.empty()) field.diagonals = std::span(s.diagonals).subspan(cell, grid.cells());
        const HeightSamples samples = s.samples.empty() ? HeightSamples(s.short_samples.data() + sample, field.columns)
                                                        : HeightSamples(s.samples.data() + sample, field.columns);
        out.push_back(build_height_field(std::span(&samples, 1), field).surface);
        sample += grid.samples();
        cell += grid.cells();
    }
    return out;
}

void expect_same(const GroundScene& made, const fs::path& folder) {
    made.write(folder);
    const Scene scene(folder);
    EXPECT_EQ(scene.info().version, 3);
    const HullSet hulls = scene.build_hulls();
    ASSERT_EQ(hulls.size(), 7U);
    const std::vector<Surface> surfaces = direct(made);
    const std::uint32_t ids[] = {1, 2, 5};
    for (std::size_t k = 0; k < 3; ++k) {
        ASSERT_NE(hulls.surface(ids[k]), nullptr);
        ASSERT_FALSE(surfaces[k].empty());
        EXPECT_EQ(hulls.surface(ids[k])->fingerprint(), surfaces[k].fingerprint()) << k;
        EXPECT_EQ(hulls.surface(ids[k])->thickness(), surfaces[k].thickness()) << k;
    }
    EXPECT_FALSE(hulls.surface(1)->is_height_field());
    EXPECT_TRUE(hulls.surface(2)->is_height_field());
    EXPECT_EQ(hulls.child_count(3), 2U);
}

TEST(SurfaceScene, ComesBackAsTheSurfacesOfTheCalls) {
    const TemporaryFolder folder;
    GroundScene made;
    expect_same(made, folder / "floats");
    EXPECT_FALSE(fs::exists(folder / "floats" / kSurfaceThicknessFile));
    made.shapes.surfaces.thickness = {0.5F, std::numeric_limits<float>::infinity(), 0};
    made.shapes.surfaces.fields[1].scale = 0.01;
    made.shapes.surfaces.fields[0].offset = -2;
    for (const float x : made.shapes.surfaces.samples)
        made.shapes.surfaces.short_samples.push_back(static_cast<std::uint16_t>(100 + 100 * x));
    made.shapes.surfaces.samples.clear();
    expect_same(made, folder / "shorts");
    made.shapes.surfaces.holes.clear();
    made.shapes.surfaces.diagonals.clear();
    expect_same(made, folder / "shorts");
    for (const char* const name : {kHeightHolesFile, kHeightDiagonalsFile})
        EXPECT_FALSE(fs::exists(folder / "shorts" / name)) << name;
}

TEST(SurfaceScene, WithoutSurfacesNothingIsWritten) {
    const TemporaryFolder folder;
    GroundScene made;
    made.shapes.surfaces.thickness = {1, 1, 1};
    made.write(folder / "scene");
    for (const char* const name : kOwnFiles) EXPECT_TRUE(fs::exists(folder / "scene" / name)) << name;
    made.shapes = {};
    made.radius = {0};
    made.vertices.resize(8);
    made.offsets = {0, 8};
    made.body_hull.assign(3, 0);
    made.write(folder / "scene");  // replaces the one before
    for (const char* const name : kOwnFiles) EXPECT_FALSE(fs::exists(folder / "scene" / name)) << name;
    EXPECT_EQ(Scene(folder / "scene").build_hulls().has_surfaces(), false);
}

TEST(SurfaceScene, InfoCountsThem) {
    const TemporaryFolder folder;
    GroundScene().write(folder / "scene");
    const Outcome outcome = program({"info", (folder / "scene").string()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("3 (2 height fields)"), std::string::npos) << outcome.out;
    EXPECT_EQ(test::count_of(outcome.out, "of triangles"), 4U + 2 * 144 + 2 * 6);
    EXPECT_EQ(test::count_of(outcome.out, "compounds"), 1U);
}

class SurfaceSceneRefused : public testing::Test {
protected:
    // The scene with one file replaced is refused with these words.
    template <class T>
    void expect(const char* file, const std::vector<T>& data, std::vector<std::uint64_t> shape,
                const std::vector<std::string>& words) {
        GroundScene().write(folder_ / "scene");
        write_npy<T>(folder_ / "scene" / file, data, shape);
        check(words);
    }
    void check(const std::vector<std::string>& words) {
        const Outcome outcome = program({"info", (folder_ / "scene").string()});
        EXPECT_EQ(outcome.exit_code, 2) << words[0];
        for (const std::string& word : words) EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    }
    void check(const GroundScene& made, const std::vector<std::string>& words) {
        made.write(folder_ / "scene");
        check(words);
    }

    const TemporaryFolder folder_;
    const float nan_ = std::numeric_limits<float>::quiet_NaN();
};

TEST_F(SurfaceSceneRefused, Kinds) {
    using Bytes = std::vector<std::uint8_t>;
    expect<std::uint8_t>("hull_kind.npy", Bytes{0, 3, 4, 2, 0, 5, 0}, {7}, {"hull_kind.npy", "hull 5", "kind 5"});
    expect<std::uint8_t>("hull_kind.npy", Bytes{0, 3, 4, 2, 3, 4, 0}, {7}, {"surface_offsets.npy", "(3, 2)"});
    expect<std::uint8_t>("hull_kind.npy", Bytes{0, 4, 4, 2, 0, 4, 0}, {7}, {"surface_offsets.npy", "no mesh"});
    expect<std::uint8_t>("hull_kind.npy", Bytes{0, 3, 4, 2, 0, 0, 0}, {7}, {"height_fields.npy", "(1, 8)"});
    expect<float>("hull_radius.npy", {0, 1, 0, 0, 0.5F, 0, 0.3F}, {7}, {"hull_radius.npy", "hull 1", "surface"});
    expect<std::uint32_t>("child_hull.npy", {0, 2}, {2}, {"child_hull.npy", "row 1", "hull 2", "a surface"});
    expect<float>("surface_thickness.npy", {1, 1}, {2}, {"surface_thickness.npy", "(2,)", "(3,)"});
    expect<float>("surface_thickness.npy", {1, -1, 1}, {3}, {"surface_thickness.npy", "surface 1", "-1"});
    expect<float>("surface_thickness.npy", {1, 1, nan_}, {3}, {"surface_thickness.npy", "surface 2", "nan"});
    fs::remove(folder_ / "scene" / "surface_thickness.npy");
    fs::remove(folder_ / "scene" / "surface_triangles.npy");
    check({"surface_triangles.npy"});
}

TEST_F(SurfaceSceneRefused, Meshes) {
    expect<std::uint64_t>("surface_offsets.npy", {0, 0, 5, 4}, {2, 2}, {"surface_offsets.npy", "column 0", "6 rows"});
    expect<std::uint64_t>("surface_offsets.npy", {0, 0, 6, 3}, {2, 2}, {"surface_offsets.npy", "column 1", "4 rows"});
    expect<std::uint32_t>("surface_triangles.npy", {0, 2, 3, 2, 5, 3, 1, 4, 2, 4, 6, 2}, {4, 3},
                          {"surface_triangles.npy", "row 3", "vertex 6", "mesh 0"});
    expect<float>("surface_vertices.npy", {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 2, nan_, 0, 0, 1}, {6, 3},
                  {"surface_vertices.npy", "row 4", "nan", "not finite"});
    expect<std::uint32_t>("surface_triangles.npy", {0, 0, 3, 5, 5, 3, 1, 1, 2, 4, 4, 2}, {4, 3},
                          {"surface_triangles.npy", "mesh 0", "hull 1", "no triangle has an area"});
    GroundScene none;
    none.shapes.surfaces.triangles.clear();
    none.shapes.surfaces.offsets = {{0, 0}, {6, 0}};
    check(none, {"surface_offsets.npy", "mesh 0 has no triangles"});
}

TEST_F(SurfaceSceneRefused, HeightFields) {
    GroundScene made;
    made.shapes.surfaces.fields[1].rows = 1;
    check(made, {"height_fields.npy", "row 1", "1 rows"});
    made = GroundScene();
    made.shapes.surfaces.fields[0].columns = 13.5;
    check(made, {"height_fields.npy", "row 0", "13.5 columns"});
    made = GroundScene();
    made.shapes.surfaces.fields[1].dx = 0;
    check(made, {"height_fields.npy", "height field 1", "hull 5", "positive"});
    made = GroundScene();
    made.shapes.surfaces.samples[169 + 7] = nan_;
    check(made, {"height_samples.npy", "height field 1", "hull 5", "not finite", "sample 7"});
    made = GroundScene();
    made.shapes.surfaces.samples.pop_back();
    check(made, {"height_samples.npy", "(180,)", "(181,)"});
    made = GroundScene();
    made.shapes.surfaces.holes.pop_back();
    check(made, {"height_holes.npy", "(149,)", "(150,)"});
}

TEST_F(SurfaceSceneRefused, SurfacesWithAMass) {
    GroundScene made;
    made.inverse_mass[1] = 0.5F;
    check(made, {"body_inverse_mass.npy", "body 1", "inverse mass 0.5", "hull 1 is a surface", "nothing moves"});
}

// Poses of surfaces are checked like those of hulls.
TEST_F(SurfaceSceneRefused, SurfacesWithPosesThatAreNone) {
    GroundScene().write(folder_ / "scene", 2);
    std::vector<float> position;
    for (int f = 0; f < 2; ++f) position.insert(position.end(), {0, 0, 0, 9, f == 1 ? nan_ : 0, 0, -9, 0, 0.25F});
    write_npy<float>(folder_ / "scene" / "position.npy", position, {2, 3, 3});
    check({"position.npy", "frame 1", "body 1", "coordinate 1"});
    GroundScene().write(folder_ / "scene", 2);
    std::vector<float> turned;
    for (int f = 0; f < 2; ++f)
        turned.insert(turned.end(), {0, 0, f == 1 ? 0.1F : 0.0F, 1, 0, 0, 0, 1, 0, 0, 0.6F, 0.8F});
    write_npy<float>(folder_ / "scene" / "orientation.npy", turned, {2, 3, 4});
    check({"orientation.npy", "frame 1", "body 0", "not of unit length"});
}

TEST_F(SurfaceSceneRefused, OlderVersions) {
    GroundScene().write(folder_ / "scene");
    test::write_bytes(folder_ / "scene" / "scene.json", R"({"format": "lanefold-scene", "version": 2, "unit": "m"})");
    check({"hull_kind.npy", "hull 1", "\"version\": 3"});
    for (const char* const name : {"hull_kind.npy", "hull_radius.npy", "compound_offsets.npy", "child_hull.npy",
                                   "child_position.npy", "child_orientation.npy"})
        fs::remove(folder_ / "scene" / name);
    test::write_bytes(folder_ / "scene" / "scene.json", R"({"format": "lanefold-scene", "version": 1, "unit": "m"})");
    check({"scene.json", "surface_offsets.npy"});
}

}  // namespace
}  // namespace lanefold::tools
