// SPDX-License-Identifier: MIT
//
// Pictures and exports of scenes with surfaces: all triangles are written; a picture has fewer where they are finer
// than it needs, and hides what is behind them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <lanefold/surface.hpp>

#include "export/geometry.hpp"
#include "picture/ground_faces.hpp"
#include "picture/picture.hpp"
#include "scene/drawn_hulls.hpp"
#include "support/tools/ground_scene.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

using test::GroundScene;
using test::Outcome;
using test::program;
using test::read_bytes;
using test::TemporaryFolder;

TEST(SurfaceDrawn, MeshesHaveAllTriangles) {
    const TemporaryFolder folder;
    GroundScene().write(folder / "scene");
    const Scene scene(folder / "scene");
    const HullSet hulls = scene.build_hulls();
    const HullSet drawn = drawn_hulls(scene, hulls, 0);
    ASSERT_EQ(drawn.size(), 7U);
    EXPECT_FALSE(drawn.rounded());
    const HullMesh mesh = hull_mesh(drawn, 2, Axes());
    EXPECT_EQ(mesh.vertices.size(), 169U);
    EXPECT_EQ(mesh.loop_size.size(), 2U * 144 - 2);  // without the hole
    for (std::size_t t = 0; t < mesh.loop_size.size(); ++t) {
        const auto corner = [&](std::size_t k) { return mesh.vertices[mesh.loops[3 * t + k]]; };
        EXPECT_GT(cross(corner(1) - corner(0), corner(2) - corner(0)).z, 0) << t;
    }
    EXPECT_EQ(hull_mesh(drawn, 1, Axes()).loop_size.size(), 4U);
    EXPECT_EQ(hull_mesh(drawn, 3, Axes()).loop_size.size(), 12U);
}

// A rough field of n x n cells with one cube in the middle, and a second one below it.
Picture picture_of(std::uint32_t n, double elevation, std::uint32_t most) {
    const TemporaryFolder folder;
    GroundScene made;
    SceneSurfaces& s = made.shapes.surfaces;
    const double side = 12;
    s.fields[0].rows = s.fields[0].columns = n + 1;
    s.fields[0].x0 = s.fields[0].y0 = -side / 2;
    s.fields[0].dx = s.fields[0].dy = side / n;
    s.samples.clear();
    for (std::uint32_t r = 0; r <= n; ++r)
        for (std::uint32_t c = 0; c <= n; ++c)
            s.samples.push_back(static_cast<float>(0.1 * std::sin(40.0 * r / n) * std::cos(30.0 * c / n)));
    s.samples.resize(s.samples.size() + s.fields[1].samples(), 0);
    s.holes.clear();
    s.diagonals.clear();
    made.body_hull.resize(1);
    made.inverse_mass.resize(1);
    made.position.resize(3);
    made.orientation.resize(4);
    made.add(0, {0, 0, 0.7F});
    made.add(0, {0, 0, -0.8F});
    made.write(folder / "scene");
    const Scene scene(folder / "scene");
    const HullSet hulls = drawn_hulls(scene, scene.build_hulls(), 0);
    SceneFrame frame;
    scene.read_frame(0, frame);
    PictureInput input;
    input.hulls = &hulls;
    input.bodies = scene.view(frame);
    input.inverse_mass = scene.inverse_mass();
    PictureOptions options;
    options.up = 2;
    options.elevation = elevation;
    options.max_faces = most;
    return draw_picture(input, options);
}

TEST(SurfaceDrawn, FineSurfacesAreDrawnWithFewerTriangles) {
    const Picture coarse = picture_of(20, 50, 40000);
    const std::size_t few = test::occurrences(coarse.svg, "class=\"ground\"");
    EXPECT_GT(few, 100U);
    EXPECT_LE(few, 800U);
    // The faces of the cube above: three; none of the cube below.
    EXPECT_EQ(coarse.faces, few + 3);
    const Picture fine = picture_of(400, 50, 4000);
    const std::size_t many = test::occurrences(fine.svg, "class=\"ground\"");
    EXPECT_LE(many, 2000U);
    EXPECT_GT(many, 300U);
    EXPECT_EQ(fine.faces, many + 3);
    EXPECT_GT(fine.faces_hidden, 40000U);
    // From below the outer side is not in sight, so both cubes are.
    const Picture below = picture_of(20, -50, 40000);
    EXPECT_EQ(test::occurrences(below.svg, "class=\"ground\""), 0U);
    EXPECT_EQ(below.faces, 6U);
}

// Triangles joined in squares cover the same part of the picture.
TEST(SurfaceDrawn, JoinedTrianglesCoverTheSame) {
    constexpr int kSide = 200;
    std::vector<GroundFace> faces;
    for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
            const auto at = [](double px, double py) { return PicturePoint{px, py, 10}; };
            faces.push_back({{at(x, y), at(x + 1, y), at(x + 1, y + 1)}, 0x808080});
            faces.push_back({{at(x, y), at(x + 1, y + 1), at(x, y + 1)}, 0x808080});
        }
    }
    VisibilityBuffer buffer(kSide, kSide);
    for (std::uint32_t i = 0; i < faces.size(); ++i) buffer.draw(faces[i].corners, i);
    const std::vector<std::uint32_t> pixels = buffer.pixels(static_cast<std::uint32_t>(faces.size()));
    const std::vector<GroundFace> few = visible_ground(faces, pixels.data(), buffer, 3000);
    EXPECT_LE(few.size(), 3000U);
    EXPECT_GT(few.size(), 500U);
    VisibilityBuffer again(kSide, kSide);
    for (std::uint32_t i = 0; i < few.size(); ++i) {
        EXPECT_EQ(few[i].colour, 0x808080U);
        again.draw(few[i].corners, i);
    }
    std::uint32_t covered = 0;
    for (const std::uint32_t count : again.pixels(static_cast<std::uint32_t>(few.size()))) covered += count;
    EXPECT_GT(covered, 0.93 * kSide * kSide);  // all but the rim
}

TEST(SurfaceDrawn, PicturesAndExportsHaveThem) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    GroundScene made;
    made.scatter(3, 20);
    made.write(scene, 2);
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--margin", "0.05", "--progress", "none"}).exit_code, 0);
    for (const std::string name : {"scene.svg", "scene.html"}) {
        const Outcome outcome = program({"picture", scene, contacts, "-o", (folder / name).string()});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_GT(test::occurrences(read_bytes(folder / name), "class=\"ground\""), 50U) << outcome.out;
    }
    for (const std::string name : {"scene.usda", "scene.ply", "scene.pvd", "points.csv"}) {
        const Outcome outcome = program({"export", scene, contacts, "-o", (folder / name).string()});
        ASSERT_EQ(outcome.exit_code, 0) << name << outcome.err;
    }
    const std::string usd = read_bytes(folder / "scene.usda");
    const std::size_t at = usd.find("\"hull_1\"");
    ASSERT_NE(at, std::string::npos);
    const std::string own = usd.substr(at, usd.find("\"hull_2\"") - at);
    EXPECT_NE(own.find("faceVertexCounts = [3, 3, 3, 3]"), std::string::npos) << own;
}

}  // namespace
}  // namespace lanefold::tools
